import { setTimeout as pause } from 'node:timers/promises'
import type { Drill } from './drill.ts'
import { licensesTold } from './ledger.ts'
import { takeOrders } from './orders.ts'
import { cluster, migrated } from './postgres.ts'
import { openShop, site } from './site.ts'
import { tcpProxy } from './tcp-proxy.ts'

/**
 * Promise D7: the answer of the database or of the service is lost after the commit. A client that repeats
 * the request gets what was created.
 */
export const lostAnswer: Drill = {
  name: 'lost-answer',
  does: 'connections are cut after the commit: between service and Postgres, and between shop and service',
  breaks: 'the service recognises no reference, so a shop that repeats its order buys twice',
  async run({ directory, isQuick, isBroken }) {
    const postgres = await migrated(await cluster(directory))
    const database = await tcpProxy(postgres.port)
    const place = site(postgres.url, postgres.url.replace(`:${postgres.port}/`, `:${database.port}/`))
    const { port } = await place.service({ broken: isBroken ? 'forgetful.ts' : undefined })
    const shopfront = await tcpProxy(port)
    try {
      const orders = takeOrders(() => shopfront.port, await openShop(port))
      database.cutPercent(1)
      shopfront.cutPercent(5)
      await pause(isQuick ? 10_000 : 40_000)
      database.cutPercent(0)
      shopfront.cutPercent(0)
      await orders.finish()
      await orders.repeat()
      const cuts = [database.cuts(), shopfront.cuts()]
      return {
        ...(await licensesTold(postgres.url, orders.ledger)),
        broken: [...orders.broken(), ...(cuts.includes(0) ? ['nothing was cut'] : []), ...(await place.complaints())],
        note: `${cuts[0]} answers of Postgres and ${cuts[1]} of the service dropped; ${orders.note()}`,
      }
    } finally {
      await shopfront.close()
      await place.close()
      await database.close()
      await postgres.stop()
    }
  },
}
