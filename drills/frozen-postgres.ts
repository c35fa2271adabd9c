import { setTimeout as pause } from 'node:timers/promises'
import type { Drill } from './drill.ts'
import { licensesTold } from './ledger.ts'
import { silenceAfter, takeOrders } from './orders.ts'
import { cluster, migrated } from './postgres.ts'
import { call, openShop, onSite } from './site.ts'

/** More than there are database connections, so that some requests wait for one first. */
const LANES = 32
const FROZEN_MS = 20_000
const READY_ASKED_AFTER_MS = 3_000
const BACK_WITHIN_MS = 10_000

/**
 * Promise D14: if the database does not answer, no request hangs and no data is lost, and the service
 * continues afterwards.
 */
export const frozenPostgres: Drill = {
  name: 'frozen-postgres',
  does: 'Postgres with all its backends is stopped (SIGSTOP) for 20 s under load',
  breaks: 'the service recognises no reference, so a shop that repeats its order buys twice',
  async run({ directory, isBroken }) {
    const postgres = await migrated(await cluster(directory))
    return onSite(postgres, async (place) => {
      const { port } = await place.service({ broken: isBroken ? 'forgetful.ts' : undefined })
      const orders = takeOrders(() => port, await openShop(port), LANES)
      await pause(2_000)
      postgres.signal('SIGSTOP', 'all')
      const stoppedAt = performance.now()
      const broken: string[] = []
      try {
        await pause(READY_ASKED_AFTER_MS)
        broken.push(...(await health(port)))
        await pause(stoppedAt + FROZEN_MS - performance.now())
      } finally {
        postgres.signal('SIGCONT', 'all')
      }
      const silence = await silenceAfter(orders, performance.now())
      await pause(2_000)
      await orders.finish()
      await orders.repeat()
      if (silence > BACK_WITHIN_MS) broken.push(`no 2xx for ${silence} ms after Postgres went on`)
      return {
        ...(await licensesTold(postgres.url, orders.ledger)),
        broken: [...broken, ...orders.broken(), ...(await place.complaints())],
        note: `2xx ${silence} ms after it went on; ${orders.note()}`,
      }
    })
  },
}

async function health(port: number): Promise<string[]> {
  const asked = performance.now()
  const [alive, ready] = await Promise.all([
    call(port, 'GET', '/api/health'),
    call(port, 'GET', '/api/health/ready').catch(() => ({ status: 'nothing' })),
  ])
  const tookMs = Math.round(performance.now() - asked)
  return [
    ...(alive.status === 200 ? [] : [`/api/health answers ${alive.status}`]),
    ...(ready.status === 503 && tookMs < 2_000 ? [] : [`/api/health/ready answers ${ready.status} after ${tookMs} ms`]),
  ]
}
