import { setTimeout as pause } from 'node:timers/promises'
import { compactVerify, createLocalJWKSet } from 'jose'
import type { Drill } from './drill.ts'
import { movingService } from './moving-service.ts'
import { activePanel, inWords, statesOf } from './panels.ts'
import { cluster, migrated } from './postgres.ts'

const KEYS = '/api/admin/settings/signing-keys'
const HOUR_MS = 3_600_000
/** In ms. A process reads once a second which key signs. */
const SIGNS_ON_MS = 1_100

/** A signing key is compromised: none of its signatures is trusted any more, and no panel is interrupted. */
export const keyCompromise: Drill = {
  name: 'key-compromise',
  does: 'the current signing key is declared compromised while panels run; twice, the second time without a next key',
  breaks: 'no process signs the licenses anew',
  async run({ directory, isQuick, isBroken }) {
    const postgres = await migrated(await cluster(directory))
    const service = await movingService(postgres.url)
    const broken: string[] = []
    const expected = (what: string, isSo: boolean) => void (isSo || broken.push(what))
    try {
      await service.ask('POST', '/api/admin/plans', { slug: 'drill', name: 'Drill' })
      const keys: string[] = []
      for (let nth = 0; nth < (isQuick ? 20 : 200); nth += 1) {
        const order = { email: 'one@customer.test', planSlug: 'drill', reference: `order-${nth}` }
        keys.push((await service.ask('POST', '/api/admin/provisioning', order)).licenseKey)
      }
      const panels = await Promise.all(keys.map((key, nth) => activePanel(service, `panel-${nth}`, key)))
      const all = (state: string) => (counts: Readonly<Record<string, number>>) => counts[state] === panels.length
      let resignedMs = 0
      for (const hasSpare of [true, false]) {
        if (hasSpare) await service.ask('POST', KEYS)
        const tokens = panels.map(({ memory }) => memory().licenseKey!)
        const { items } = await service.ask('GET', KEYS)
        const { kid } = items.find(({ state }: { state: string }) => state === 'current')
        await service.ask('POST', `${KEYS}/${kid}/compromise`, { reason: 'drill' })
        const began = performance.now()
        if (!isBroken) await service.settle()
        resignedMs += performance.now() - began
        await pause(SIGNS_ON_MS)

        const trusted = createLocalJWKSet(await service.get('/api/v1/license/keys'))
        const good = await Promise.all(
          tokens.map((token) =>
            compactVerify(token, trusted).then(
              () => true,
              () => false,
            ),
          ),
        )
        expected(`${good.filter(Boolean).length} tokens of the compromised key are still accepted`, !good.some(Boolean))
        const before = await statesOf(panels, false)
        expected(`before their heartbeat, panels are ${inWords(before)}`, all('ACTIVE')(before))
        service.pass(HOUR_MS)
        const after = await statesOf(panels, true)
        expected(`after their heartbeat, panels are ${inWords(after)}`, all('ACTIVE')(after))
        const fresh = panels.filter(({ memory }, nth) => memory().licenseKey !== tokens[nth]).length
        expected(`${panels.length - fresh} panels have no new license key`, fresh === panels.length)
      }
      await Promise.all(panels.map(({ client }) => client.stop()))
      const active = (await statesOf(panels, false))['ACTIVE'] ?? 0
      const note = `2 keys compromised; ${2 * panels.length} licenses signed anew in ${Math.round(resignedMs)} ms`
      return { acknowledged: panels.length, found: active, lost: panels.length - active, doubled: 0, broken, note }
    } finally {
      await service.close()
      await postgres.stop()
    }
  },
}
