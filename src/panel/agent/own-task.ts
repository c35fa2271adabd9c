import type { HandlerContext } from '#kernel/http/route'
import { found } from '#kernel/lib/rejection'
import { findRow } from '#kernel/projections/lookup'
import { taskTable } from '#projections/panel/agent'
import type { TaskRow } from '#projections/panel/agent'
import { agentOf } from './agent-caller.ts'

type Call = Pick<HandlerContext, 'read' | 'caller'>

export async function findOwnTask({ read, caller }: Call, id: string): Promise<Readonly<TaskRow> | undefined> {
  const row = await findRow(read, taskTable, { id })
  return row?.serverId === agentOf(caller).server.serverId ? row : undefined
}

/** Foreign tasks are answered as unknown ones. @throws Rejection 404 */
export const ownTask = async (call: Call, id: string): Promise<Readonly<TaskRow>> => found(await findOwnTask(call, id))
