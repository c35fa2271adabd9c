import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Drill } from './drill.ts'
import { licensesTold } from './ledger.ts'
import { silenceAfter, takeOrders } from './orders.ts'
import { cluster, migrated } from './postgres.ts'
import { onSite, openShop } from './site.ts'

/** Promise D1: what was answered survives kill -9, and a repeated request gets the same answer as before. */
export const killService: Drill = {
  name: 'kill-service',
  does: 'kill -9 of the service while shops order, started again each time',
  breaks: 'a sale is acknowledged before it is committed',
  async run({ directory, isQuick, isBroken }) {
    const postgres = await migrated(await cluster(directory))
    const broken = isBroken ? 'eager.ts' : undefined
    return onSite(postgres, async (place) => {
      let service = await place.service({ broken })
      const { port } = service
      const orders = takeOrders(() => port, await openShop(port))
      const silences: number[] = []
      for (let kills = isQuick ? 4 : 20; kills > 0; kills -= 1) {
        await pause(randomInt(1_000, 3_000))
        const killedAt = performance.now()
        await service.stop('SIGKILL')
        service = await place.service({ port, broken })
        silences.push(await silenceAfter(orders, killedAt))
      }
      await orders.finish()
      await orders.repeat()
      return {
        ...(await licensesTold(postgres.url, orders.ledger)),
        broken: [...orders.broken(), ...(await place.complaints())],
        note: `${silences.length} kills, back after at most ${Math.max(...silences)} ms; ${orders.note()}`,
      }
    })
  },
}
