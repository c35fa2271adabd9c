import { compactVerify, createLocalJWKSet, decodeJwt } from 'jose'
import type { JSONWebKeySet } from 'jose'
import { keyByKid, signingKeys } from '#licensing/signing-keys/decider'
import { SigningKeyPromoted, signingKeyEvents } from '#licensing/signing-keys/events'
import type { Drill } from './drill.ts'
import { movingService } from './moving-service.ts'
import type { MovingService } from './moving-service.ts'
import { cluster, migrated } from './postgres.ts'

const KEYS = '/api/admin/settings/signing-keys'
const STEP_MS = 5 * 60_000
const KEPT_MS = 60 * 60_000
const DAY_MS = 24 * 60 * 60_000
const VERIFIERS = 12

/** Promise A11: no verification fails while keys change, and an old license verifies until its term ends. */
export const keyRotation: Drill = {
  name: 'key-rotation',
  does: 'the signing key is rotated twice, old keys retired and the service restarted, while verifiers keep the list of keys for an hour',
  breaks: 'a key signs as soon as it is created',
  async run({ directory, isQuick, isBroken }) {
    const postgres = await migrated(await cluster(directory))
    const service = await movingService(postgres.url)
    try {
      const world = await shopAndVerifiers(service, isQuick ? 1 : 5)
      await world.hours(2)
      for (const _rotation of [1, 2]) {
        const { kid } = await service.ask('POST', KEYS)
        if (isBroken) await promoteAtOnce(service, kid)
        else {
          await world.hours(1)
          await service.restart()
          await service.ask('POST', `${KEYS}/${kid}/promote`)
        }
        await world.hours(2)
        await service.restart()
        await world.hours(1)
      }
      service.pass(29 * DAY_MS)
      await service.settle()
      await world.hours(1)
      return await world.told()
    } finally {
      await service.close()
      await postgres.stop()
    }
  },
}

async function promoteAtOnce(service: MovingService, kid: string): Promise<void> {
  await service.run(async (unit) => {
    const ring = await unit.load(signingKeys)
    const { kid: retiringKid } = ring.keys.find(({ state }) => state === 'current')!
    const { id: signingKeyId } = keyByKid(ring, kid)
    unit.appendEvent(signingKeyEvents, undefined, SigningKeyPromoted({ signingKeyId, kid, retiringKid }))
  })
}

/** Each verifier fetches the keys at another minute of the hour, and trusts them for an hour. */
async function shopAndVerifiers(service: MovingService, soldAStep: number) {
  await service.ask('POST', '/api/admin/plans', { slug: 'drill', name: 'Drill' })
  const sold: string[] = []
  const known: { keys: JSONWebKeySet; atMs: number }[] = []
  let [steps, verified] = [0, 0]
  const failures = new Map<string, number>()

  async function verify(nth: number): Promise<void> {
    const nowMs = service.now().getTime()
    const isOld = known[nth] === undefined || nowMs - known[nth].atMs >= KEPT_MS
    if (isOld) known[nth] = { keys: await service.get('/api/v1/license/keys'), atMs: nowMs }
    const trusted = createLocalJWKSet(known[nth]!.keys)
    for (const licenseKey of sold) {
      verified += 1
      await compactVerify(licenseKey, trusted).catch((error: Error) => {
        failures.set(error.message, (failures.get(error.message) ?? 0) + 1)
      })
    }
  }

  async function step(): Promise<void> {
    for (let nth = 0; nth < soldAStep; nth += 1) {
      const order = { email: 'one@customer.test', planSlug: 'drill', reference: `order-${sold.length}` }
      sold.push((await service.ask('POST', '/api/admin/provisioning', order)).licenseKey)
    }
    for (let nth = 0; nth < VERIFIERS; nth += 1) if (known[nth] || nth <= steps) await verify(nth)
    service.pass(STEP_MS)
    steps += 1
  }

  return {
    async hours(count: number): Promise<void> {
      for (let left = (count * KEPT_MS) / STEP_MS; left > 0; left -= 1) await step()
    },
    async told() {
      const trusted = createLocalJWKSet(await service.get('/api/v1/license/keys'))
      const good = await Promise.all(
        sold.map((key) =>
          compactVerify(key, trusted).then(
            () => 1,
            () => 0,
          ),
        ),
      )
      const found = good.reduce((sum, each) => sum + each, 0)
      const { items } = await service.ask('GET', KEYS)
      const states = items.map(({ state }: { state: string }) => state).join(', ')
      const isAsPlanned = states === 'retired, retired, current'
      return {
        acknowledged: sold.length,
        found,
        lost: sold.length - found,
        doubled: sold.length - new Set(sold.map((key) => decodeJwt(key).jti)).size,
        broken: [
          ...[...failures].map(([message, times]) => `${times} verifications failed: ${message}`),
          ...(isAsPlanned ? [] : [`the keys are ${states}`]),
        ],
        note: `${verified} verifications by ${VERIFIERS} verifiers; keys ${states}`,
      }
    },
  }
}
