import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Drill } from './drill.ts'
import { asked, eventsTold, licensesTold } from './ledger.ts'
import { silenceAfter, takeOrders } from './orders.ts'
import { anotherDatabase, cluster, migrated } from './postgres.ts'
import { onSite, openShop } from './site.ts'
import { writers } from './writers.ts'

const KILLS = 3
const BACK_WITHIN_MS = 10_000

/** Promise D2: kill -9 of Postgres with all its backends, under orders over HTTP and plain appends beside them. */
export const killPostgres: Drill = {
  name: 'kill-postgres',
  does: 'kill -9 of Postgres and all its backends under load, three times',
  breaks: 'synchronous_commit = off, set under a running service, which would not start with it',
  async run({ directory, isQuick, isBroken }) {
    const postgres = await migrated(await cluster(directory, isBroken ? { wal_writer_delay: '10s' } : {}))
    const appends = await anotherDatabase(postgres, 'appends')
    return onSite(postgres, async (place) => {
      const { port } = await place.service()
      const shop = await openShop(port)
      if (isBroken) await forgetCommits(postgres.url)
      const orders = takeOrders(() => port, shop)
      const load = writers(appends, 1)
      const silences: number[] = []
      for (let kills = 0; kills < KILLS; kills += 1) {
        await pause(randomInt(1_500, isQuick ? 2_500 : 5_000))
        await postgres.kill()
        const killedAt = performance.now()
        await postgres.start()
        silences.push(await silenceAfter(orders, killedAt))
      }
      await pause(1_000)
      await load.stop()
      await orders.finish()
      const [licenses, events] = [
        await licensesTold(postgres.url, orders.ledger),
        await eventsTold(appends, load.acknowledged),
      ]
      return {
        acknowledged: licenses.acknowledged + events.acknowledged,
        found: licenses.found + events.found,
        lost: licenses.lost + events.lost,
        doubled: licenses.doubled + events.doubled,
        broken: [
          ...orders.broken(),
          ...events.broken,
          ...tooLate(silences),
          ...(isBroken ? [] : await place.complaints()),
        ],
        note: `first 2xx at most ${Math.max(...silences)} ms after a kill; ${licenses.acknowledged} of them orders; ${orders.note()}`,
      }
    })
  },
}

const tooLate = (silences: readonly number[]): string[] =>
  silences.filter((each) => each > BACK_WITHIN_MS).map((each) => `no 2xx for ${each} ms after a kill`)

/** Applies to every new connection; open connections are ended. */
async function forgetCommits(url: string): Promise<void> {
  await asked(url, 'ALTER ROLE daybook SET synchronous_commit = off')
  await asked(
    url,
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND usename = $1',
    ['daybook'],
  )
}
