import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Drill } from './drill.ts'
import { asked, licensesTold } from './ledger.ts'
import { openShop, site } from './site.ts'
import { takeOrders } from './orders.ts'
import { cluster, migrated } from './postgres.ts'

const RIVALS = 3
const GOES_ON_WITHIN_MS = 5_000
const GIVEN_UP_MS = 30_000
const PRELOAD = new URL('broken/no-transactions.ts', import.meta.url).href

/** Promise D9: projectors race each other and the service's own, are killed in the middle, and every event has its effect once. */
export const killProjector: Drill = {
  name: 'kill-projector',
  does: 'kill -9 of one of three rival projectors, and of its connections, while shops order',
  breaks: 'projectors without transactions: a checkpoint moves without its rows',
  async run({ directory, isQuick, isBroken }) {
    const postgres = await migrated(await cluster(directory))
    const place = site(postgres.url)
    const env = isBroken ? { NODE_OPTIONS: `--import ${PRELOAD}` } : {}
    try {
      const service = await place.service({ env })
      const rivals = await Promise.all(Array.from({ length: RIVALS }, () => place.projector(env)))
      const orders = takeOrders(() => service.port, await openShop(service.port))
      const pauses: number[] = []
      let cut = 0
      const kills = isQuick ? 6 : 20
      for (let n = 0; n < kills; n += 1) {
        await pause(randomInt(200, 1_200))
        cut += await endProjectorSessions(postgres.url)
        await rivals.shift()!.stop('SIGKILL')
        pauses.push(await goesOnAfterMs(postgres.url))
        rivals.push(await place.projector(env))
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
          ...pauses.filter((each) => each > GOES_ON_WITHIN_MS).map((each) => `nobody went on for ${each} ms`),
          ...(await place.complaints()),
        ],
        note: `${kills} projectors and ${cut} of their sessions killed, another goes on after at most ${Math.max(...pauses)} ms; ${orders.note()}`,
      }
    } finally {
      await place.close()
      await postgres.stop()
    }
  },
}

/** Until the read models move again, while there is always something to apply. */
async function goesOnAfterMs(url: string): Promise<number> {
  const position = async () =>
    (await asked<{ at: number }>(url, 'SELECT min(position)::int AS at FROM read.projection'))[0]!.at
  const [killedAt, before] = [performance.now(), await position()]
  while ((await position()) === before && performance.now() < killedAt + GIVEN_UP_MS) await pause(20)
  return Math.round(performance.now() - killedAt)
}

/** Of whoever writes read models at this moment, the service's own loop included. */
async function endProjectorSessions(url: string): Promise<number> {
  const ended = await asked(
    url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE pid <> pg_backend_pid() AND xact_start IS NOT NULL AND query ILIKE '%read"."%' ORDER BY random() LIMIT 1`,
  )
  return ended.length
}
