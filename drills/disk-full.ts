import { renameSync, rmSync, symlinkSync, writeFileSync, statfsSync, chownSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Conditions, Drill, Tally } from './drill.ts'
import { licensesTold } from './ledger.ts'
import { silenceAfter, takeOrders } from './orders.ts'
import type { Orders } from './orders.ts'
import { cluster, migrated } from './postgres.ts'
import type { Victim } from './postgres.ts'
import { mount, noMounts, system } from './privileges.ts'
import { onSite, openShop } from './site.ts'

const MB = 1_048_576
/** For the write-ahead log: no checkpoint frees space while it fills. */
const WAL_SETTINGS = { min_wal_size: '32MB', max_wal_size: '4GB', checkpoint_timeout: '1h' }
/** Short write-ahead log, so that changes are soon written to the data directory. */
const DATA_SETTINGS = { min_wal_size: '32MB', max_wal_size: '48MB', checkpoint_timeout: '30s' }
const RESUMED_WITHIN_MS = 10_000
const FULL_FOR_MS = 4_000
/** A busy machine needs time to write more than fits. */
const FULL_AT_MOST_MS = 30_000

/** Promise D13, first half: a full data volume refuses writes, and no acknowledged data is lost. */
export const diskFull: Drill = {
  name: 'disk-full',
  does: 'the volume of the data directory is full for some seconds',
  breaks: 'a sale that the database refused is acknowledged',
  missing: noMounts,
  async run(conditions) {
    const volume = join(conditions.directory, 'volume')
    const unmount = mount(volume, ...tmpfs(400))
    try {
      const postgres = await migrated(await cluster(volume, DATA_SETTINGS))
      return await filled(conditions, postgres, volume, async () => {})
    } finally {
      unmount()
    }
  },
}

/**
 * Promise D13, second half: Postgres ends itself when its log's volume is full, and a supervisor has to start
 * it again.
 */
export const walFull: Drill = {
  name: 'wal-full',
  does: 'the volume of the write-ahead log is full, Postgres gives up and is started again by its supervisor',
  breaks: 'a sale that the database refused is acknowledged',
  missing: noMounts,
  async run(conditions) {
    const volume = join(conditions.directory, 'wal')
    const unmount = mount(volume, ...tmpfs(200))
    try {
      const postgres = await migrated(
        await cluster(conditions.directory, WAL_SETTINGS, ({ pgdata, account }) => {
          moveWal(pgdata, join(volume, 'pg_wal'))
          if (account) chownSync(volume, account.uid, account.gid)
        }),
      )
      return await filled(conditions, postgres, volume, () => restarted(postgres))
    } finally {
      unmount()
    }
  },
}

const tmpfs = (megabytes: number): string[] => ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=711`, 'tmpfs']

function moveWal(pgdata: string, to: string): void {
  // Nothing can be renamed across volumes.
  system('cp', '-a', join(pgdata, 'pg_wal'), to)
  renameSync(join(pgdata, 'pg_wal'), join(pgdata, 'pg_wal.first'))
  symlinkSync(to, join(pgdata, 'pg_wal'))
  rmSync(join(pgdata, 'pg_wal.first'), { recursive: true })
}

async function restarted(postgres: Victim): Promise<void> {
  if (!postgres.isRunning()) await postgres.start()
}

async function filled(
  { isQuick, isBroken }: Conditions,
  postgres: Victim,
  volume: string,
  supervise: () => Promise<void>,
): Promise<Tally> {
  return onSite(postgres, async (place) => {
    const { port } = await place.service({ broken: isBroken ? 'deaf.ts' : undefined })
    const orders = takeOrders(() => port, await openShop(port))
    const silences: number[] = []
    for (let times = isQuick ? 1 : 3; times > 0; times -= 1) {
      await pause(2_000)
      silences.push(await fullOnce(orders, volume, supervise))
    }
    await orders.finish()
    await orders.repeat()
    return {
      ...(await licensesTold(postgres.url, orders.ledger)),
      broken: [
        ...orders.broken(),
        ...(refusals(orders) === 0 && !isBroken ? ['the disk was never full'] : []),
        ...silences
          .filter((each) => each > RESUMED_WITHIN_MS)
          .map((each) => `no 2xx for ${each} ms after there was space`),
        ...(isBroken ? [] : await place.complaints()),
      ],
      note: `2xx at most ${Math.max(...silences)} ms after there was space; ${orders.note()}`,
    }
  })
}

const refusals = ({ answers }: Orders): number => (answers['503'] ?? 0) + (answers['none'] ?? 0)

/** @returns how long after there was space again the first order was acknowledged, in ms */
async function fullOnce(orders: Orders, volume: string, supervise: () => Promise<void>): Promise<number> {
  const [before, began] = [refusals(orders), performance.now()]
  const isEnough = () => performance.now() > began + (refusals(orders) > before ? FULL_FOR_MS : FULL_AT_MOST_MS)
  for (; !isEnough(); await pause(20)) topUp(volume)
  for (const path of fillers) rmSync(path, { force: true })
  fillers.length = 0
  const roomAt = performance.now()
  await supervise()
  return silenceAfter(orders, roomAt)
}

const fillers: string[] = []

/** Takes all space that Postgres frees. */
function topUp(volume: string): void {
  const { bavail, bsize } = statfsSync(volume)
  const free = bavail * bsize
  if (free === 0) return
  const path = join(volume, `filler-${fillers.length}`)
  fillers.push(path)
  try {
    for (let left = free; left > 0; left -= MB) writeFileSync(path, Buffer.alloc(Math.min(left, MB)), { flag: 'a' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}
