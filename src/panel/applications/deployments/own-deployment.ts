import { findRow } from '#kernel/projections/lookup'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { deploymentTable } from '#projections/panel/deployments'
import type { DeploymentRow } from '#projections/panel/deployments'

/** Undefined for one of another application too: rights in the one say nothing of the other. */
export async function ownDeployment(
  read: ReadDatabase,
  application: { readonly id: string },
  id: string,
): Promise<DeploymentRow | undefined> {
  const row = await findRow(read, deploymentTable, { id })
  return row?.applicationId === application.id ? row : undefined
}
