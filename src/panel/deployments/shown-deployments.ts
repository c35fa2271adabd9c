/** Deployments as lists and answers show them. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { Caller, HandlerContext } from '#kernel/http/route'
import { found } from '#kernel/lib/rejection'
import { deploymentTable } from '#projections/panel/deployments'
import type { DeploymentRow } from '#projections/panel/deployments'
import { serverTable } from '#projections/panel/servers'
import { KEY } from '../access/access.ts'
import { deployments } from './decider.ts'
import { deploymentView, requestedView } from './deployment-view.ts'

/** Who has asked, for the audit trail and for lists. */
export const causeOf = ({ kind, actor: { id } }: Caller) => ({ type: kind === KEY ? 'KEY' : 'USER', id }) as const

/** As the unit of work leaves it. */
export const requestedIn = async (unit: UnitOfWork, id: string, { actor }: Caller) =>
  requestedView(found(await unit.load(deployments, id)), actor.id)

type Shown = Pick<HandlerContext, 'vault' | 'read'>

/** With their sealed columns. */
export async function shownDeployments({ vault, read }: Shown, rows: readonly DeploymentRow[]) {
  const serverIds = [...new Set(rows.map(({ serverId }) => serverId))]
  const silent = serverTable.queryIn(read).select('id').where('isOffline', '=', true)
  const offline = serverIds.length === 0 ? [] : await silent.where('id', 'in', serverIds).execute()
  const ids = new Set(offline.map(({ id }) => id))
  return (await deploymentTable.open(vault, rows)).map((row) => deploymentView(row, ids.has(row.serverId)))
}
