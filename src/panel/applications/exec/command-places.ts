/** Bounds how many commands run on a server at once. The agent runs no more either, so that one too many only waits. */
import { reject } from '#kernel/lib/rejection'
import { serviceKey } from '#kernel/lib/services'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { sql } from '#kernel/projections/read-model'
import { taskTable } from '#projections/panel/agent'
import { containersExec } from '../../../tasks/applications.ts'
import { POOL_SIZES } from '../../../tasks/pools.ts'

/** By server, of this process. */
export const openCommands = serviceKey<Map<string, number>>('commands that are awaited', new Map())

/** @returns what gives the place back @throws Rejection 429 */
export async function takeCommandPlace(
  open: Map<string, number>,
  read: ReadDatabase,
  serverId: string,
): Promise<() => void> {
  const own = (open.get(serverId) ?? 0) + 1
  open.set(serverId, own)
  const leave = () => {
    const left = open.get(serverId)! - 1
    if (left === 0) open.delete(serverId)
    else open.set(serverId, left)
  }
  try {
    const most = POOL_SIZES[containersExec.pool]
    if (own > most || (await openOn(read, serverId)) >= most)
      reject('tooMany', `${most} commands run on the server: try again later`, 'TOO_MANY_COMMANDS', {
        'Retry-After': '5',
      })
    return leave
  } catch (error) {
    leave()
    throw error
  }
}

/** Those of other processes too. */
async function openOn(read: ReadDatabase, serverId: string): Promise<number> {
  const { count } = await taskTable
    .queryIn(read)
    .select(sql<number>`count(*)::int`.as('count'))
    .where('serverId', '=', serverId)
    .where('kind', '=', containersExec.name)
    .where('endedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}
