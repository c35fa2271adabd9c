/** What is expected on a server: what is placed there at the head of the log, and what its open tasks are making. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { taskTable } from '#projections/panel/agent'
import { serverLoad } from '../servers/load/decider.ts'
import type { Expected } from './flagged.ts'

export async function expectedOn(unit: UnitOfWork, read: ReadDatabase, serverId: string): Promise<Expected> {
  const open = taskTable.queryIn(read).select('id').where('serverId', '=', serverId).where('endedAt', 'is', null)
  const tasks = new Set((await open.execute()).map(({ id }) => id))
  const { workloads } = await unit.look(serverLoad, serverId)
  const projects = new Set(Object.values(workloads).flatMap(({ projectId }) => projectId ?? []))
  return { workloads: new Set(Object.keys(workloads)), projects, tasks }
}
