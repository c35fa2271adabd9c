import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { LEADER_LOCK_ID } from '../src/kernel/projections/leader-lock.ts'
import type { RunningProcess } from '../test/support/processes/process.ts'
import type { Drill } from './drill.ts'
import { asked, licensesTold } from './ledger.ts'
import { takeOrders } from './orders.ts'
import { cluster, migrated } from './postgres.ts'
import { onSite, openShop } from './site.ts'

const RIVALS = 3
const GOES_ON_WITHIN_MS = 5_000
const GIVEN_UP_MS = 30_000
const PRELOAD = new URL('broken/no-transactions.ts', import.meta.url).href

/**
 * Promise D9: the projector with the leader lock is killed during its work, whether a process of its own or
 * the service. Another one continues, and every event has its effect once.
 */
export const killProjector: Drill = {
  name: 'kill-projector',
  does: 'kill -9 of the one of three projectors that holds the leader lock, and of connections, while shops order',
  breaks: 'projectors without transactions: a checkpoint moves without its rows',
  async run({ directory, isQuick, isBroken }) {
    const postgres = await migrated(await cluster(directory))
    const broken = isBroken ? { NODE_OPTIONS: `--import ${PRELOAD}` } : {}
    return onSite(postgres, async (place) => {
      const rivals = new Map<string, RunningProcess>()
      let started = 0
      const rival = async () => {
        const name = `projector ${(started += 1)}`
        rivals.set(name, await place.projector({ ...broken, PGAPPNAME: name }))
      }
      const service = await place.service({ env: broken })
      await Promise.all(Array.from({ length: RIVALS }, rival))
      const orders = takeOrders(() => service.port, await openShop(service.port))
      const pauses: number[] = []
      let cut = 0
      const kills = isQuick ? 6 : 20
      for (let n = 0; n < kills; n += 1) {
        await pause(randomInt(200, 1_200))
        cut += await endProjectorSessions(postgres.url)
        const holder = await holderAmong(postgres.url, rivals)
        await rivals.get(holder)!.stop('SIGKILL')
        rivals.delete(holder)
        pauses.push(await goesOnAfterMs(postgres.url))
        await rival()
      }
      await orders.finish()
      await place.settled()
      const tally = await licensesTold(postgres.url, orders.ledger)
      const rows = await asked<{ rows: number; distinct: number }>(
        postgres.url,
        'SELECT count(*)::int AS rows, count(DISTINCT key_id)::int AS distinct FROM read.licenses',
      )
      const { rows: shown, distinct } = rows[0]!
      return {
        ...tally,
        lost: tally.lost + Math.max(0, tally.found - distinct),
        doubled: tally.doubled + shown - distinct,
        broken: [
          ...orders.broken(),
          ...pauses.filter((each) => each > GOES_ON_WITHIN_MS).map((each) => `no projector continued for ${each} ms`),
          ...(await place.complaints()),
        ],
        note: `${kills} holders of the leader lock and ${cut} sessions killed, another continues after at most ${Math.max(...pauses)} ms; ${orders.note()}`,
      }
    })
  },
}

/** If the service itself holds the leader lock, its session is ended until one of the projectors has the lock. */
async function holderAmong(url: string, rivals: ReadonlyMap<string, RunningProcess>): Promise<string> {
  for (const late = performance.now() + GIVEN_UP_MS; performance.now() < late; await pause(20)) {
    const [holder] = await asked<{ pid: number; name: string }>(
      url,
      `SELECT pid, application_name AS name FROM pg_stat_activity JOIN pg_locks USING (pid)
       WHERE locktype = 'advisory' AND objid = $1 AND granted`,
      [LEADER_LOCK_ID],
    )
    if (holder && rivals.has(holder.name)) return holder.name
    if (holder) await asked(url, 'SELECT pg_terminate_backend($1)', [holder.pid])
  }
  throw new Error('No projector takes the leader lock')
}

/** Waits until the read models move again, while there is always an event to apply. */
async function goesOnAfterMs(url: string): Promise<number> {
  const position = async () =>
    (await asked<{ at: number }>(url, 'SELECT min(position)::int AS at FROM read.projection'))[0]!.at
  const [killedAt, before] = [performance.now(), await position()]
  while ((await position()) === before && performance.now() < killedAt + GIVEN_UP_MS) await pause(20)
  return Math.round(performance.now() - killedAt)
}

/** Ends the sessions that write read models at this moment, including those of the service's own loop. */
async function endProjectorSessions(url: string): Promise<number> {
  const ended = await asked(
    url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE pid <> pg_backend_pid() AND xact_start IS NOT NULL AND query ILIKE '%read"."%' ORDER BY random() LIMIT 1`,
  )
  return ended.length
}
