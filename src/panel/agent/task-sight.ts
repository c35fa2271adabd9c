/** Who sees a task: viewers of servers, those who manage its server, members of its project, and its agent. */
import { requiring } from '#kernel/http/requirement'
import type { AccessRuleInput, Access, Caller } from '#kernel/http/route'
import { found } from '#kernel/lib/rejection'
import { findRow } from '#kernel/projections/lookup'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { taskTable } from '#projections/panel/agent'
import type { TaskRow } from '#projections/panel/agent'
import { rightsIn } from '../access/project-access.ts'
import { hasPermission } from '../access/rights.ts'
import { byAgentOrSession, isAgent } from './agent-caller.ts'
import type { ServersOfAgents } from './servers-of-agents.ts'
import type { TaskSight } from './task-view.ts'

export interface SeenTask {
  readonly row: TaskRow
  readonly rights: 'AGENT' | { readonly views: boolean; readonly manages: boolean; readonly logs: boolean }
}

/** What rules of one server give is added in the handler, which has the services. */
export const seenTask: Access<SeenTask> = {
  ...byAgentOrSession,
  rule: requiring(
    'the permission `servers:view`, a rule to manage its server, or `apps:view` in its project',
    async ({ caller, params, read }: AccessRuleInput): Promise<SeenTask> => {
      const row = found(await findRow(read, taskTable, { id: params.id }))
      if (isAgent(caller)) {
        found(row.serverId === caller.server.serverId ? row : undefined)
        return { row, rights: 'AGENT' }
      }
      return { row, rights: await platformSight(read, caller, row) }
    },
    ['servers:view', 'project:apps:view'],
  ),
}

async function platformSight(read: ReadDatabase, caller: Caller, { projectId }: TaskRow) {
  const rights = projectId === null ? [] : await rightsIn(read, caller, projectId)
  return {
    views: caller.can('servers:view') || hasPermission(rights, 'apps:view'),
    manages: caller.can('servers:manage'),
    logs: hasPermission(rights, 'apps:logs'),
  }
}

/** @throws Rejection 404 */
export async function sightOf(
  { row, rights }: SeenTask,
  { read, caller }: { readonly read: ReadDatabase; readonly caller: Caller },
  servers: Pick<ServersOfAgents, 'mayManage'>,
): Promise<TaskSight> {
  if (rights === 'AGENT') return { contents: true, log: true }
  const manages = rights.manages || (await servers.mayManage(read, caller, row.serverId))
  found(manages || rights.views ? row : undefined)
  return { contents: manages, log: manages || rights.logs }
}
