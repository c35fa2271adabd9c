import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Running } from '../test/processes/process.ts'
import type { Drill } from './drill.ts'
import { asked, licensesTold } from './ledger.ts'
import { openShop, site } from './site.ts'
import type { Site } from './site.ts'
import { takeOrders } from './orders.ts'
import { cluster, migrated } from './postgres.ts'

const RIVALS = 3
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
      let cut = 0
      const kills = isQuick ? 6 : 20
      for (let n = 0; n < kills; n += 1) {
        await pause(randomInt(200, 1_200))
        cut += await endProjectorSessions(postgres.url)
        await killOne(rivals, place, env)
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
        broken: [...orders.broken(), ...(await place.complaints())],
        note: `${kills} projectors and ${cut} of their sessions killed; ${orders.note()}`,
      }
    } finally {
      await place.close()
      await postgres.stop()
    }
  },
}

async function killOne(rivals: Running[], place: Site, env: NodeJS.ProcessEnv): Promise<void> {
  await rivals.shift()!.stop('SIGKILL')
  rivals.push(await place.projector(env))
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
