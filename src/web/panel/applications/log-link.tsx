import { getApplicationsByIdLogs } from '#api-client/panel/applications'
import type { Deployment } from '#api-client/panel/schemas'
import { ButtonLink } from '../../kit/controls.tsx'
import { useProject } from '../projects/rights.tsx'

/** Leads to what the containers of a deployment say, or have said. */
export function LogLink({ of: { id, applicationId } }: { readonly of: Deployment }) {
  const { can } = useProject()
  if (!can(getApplicationsByIdLogs)) return null
  return <ButtonLink to={`/applications/${applicationId}/logs?deploymentId=${id}`}>Log of its containers</ButtonLink>
}
