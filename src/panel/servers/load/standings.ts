/** Quotas and reservations of several servers, as the read models have them. */
import type { ReadDatabase } from '#kernel/projections/read-database'
import { serverQuotaTable } from '#projections/panel/quotas'
import { serverLoadTable } from '#projections/panel/servers'
import type { ServerRow } from '#projections/panel/servers'
import { limitsInEffect, NO_LOAD, usualLimits } from './rules.ts'
import type { LoadLimits, LoadSums } from './rules.ts'

interface LoadStanding {
  readonly quota: LoadLimits
  readonly reserved: LoadSums
}

const UNSET: LoadLimits = { workloads: null, cpuMillis: null, memoryMiB: null, diskMiB: null }

async function sumsOf(read: ReadDatabase, serverIds: readonly string[]): Promise<ReadonlyMap<string, LoadSums>> {
  const rows = await serverLoadTable
    .queryIn(read)
    .where('serverId', 'in', serverIds)
    .groupBy('serverId')
    .select(({ fn }) => [
      'serverId',
      fn.countAll<number>().as('workloads'),
      fn.sum<string>('cpuMillis').as('cpuMillis'),
      fn.sum<string>('memoryMiB').as('memoryMiB'),
      fn.sum<string>('diskMiB').as('diskMiB'),
    ])
    .execute()
  return new Map(
    rows.map(({ serverId, workloads, cpuMillis, memoryMiB, diskMiB }) => [
      serverId,
      {
        workloads,
        cpuMillis: Number(cpuMillis),
        memoryMiB: Number(memoryMiB),
        diskMiB: Number(diskMiB),
      },
    ]),
  )
}

/** By the id of the server. */
export async function loadStandings(
  read: ReadDatabase,
  servers: readonly Pick<ServerRow, 'id' | 'facts'>[],
): Promise<ReadonlyMap<string, LoadStanding>> {
  if (servers.length === 0) return new Map()
  const ids = servers.map(({ id }) => id)
  const [sums, quotas] = await Promise.all([
    sumsOf(read, ids),
    serverQuotaTable.queryIn(read).selectAll().where('serverId', 'in', ids).execute(),
  ])
  const ownQuotas = new Map<string, LoadLimits>(quotas.map(({ serverId, ...own }) => [serverId, own]))
  return new Map(
    servers.map(({ id, facts }) => {
      const quota = limitsInEffect({ own: ownQuotas.get(id) ?? UNSET, usual: usualLimits(facts?.capacity) })
      return [id, { quota, reserved: sums.get(id) ?? NO_LOAD }]
    }),
  )
}
