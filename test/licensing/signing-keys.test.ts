import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, describe, expect, it } from 'vitest'
import { manualClock } from '#kernel/clock'
import { eventCodec } from '#kernel/codec'
import { commandRunner } from '#kernel/command'
import { memoryKeys } from '#kernel/key-store'
import { memoryStore } from '#kernel/store/memory'
import { openVault } from '#kernel/vault'
import { ensureSigningKey, signingKey } from '#licensing/signing-key'
import { currentKey, signingKeys } from '#licensing/signing-keys/decider'
import { SigningKeyCreated, signingKeyEvents } from '#licensing/signing-keys/events'
import { testDatabase } from '#test/database'
import { AT, given } from '#test/given'
import { openLicensing } from '../../src/app.ts'
import { SYSTEM } from './service.ts'

const RIVALS = 20

const first = {
  signingKeyId: '01890000-0000-7000-8000-00000000e001',
  kid: 'first',
  publicJwk: { kty: 'OKP', crv: 'Ed25519', x: 'x' },
  privateKey: 'd',
} as const
const created = SigningKeyCreated({ ...first, state: 'current' })

describe('the first key', () => {
  it('is current', () => given(signingKeys).when('CreateFirstKey', first).then([created]))

  it('stays the only one', () =>
    given(signingKeys, [created])
      .when('CreateFirstKey', { ...first, kid: 'second' })
      .then([]))
})

describe('on first start', () => {
  const store = memoryStore()
  const keys = memoryKeys()
  const kek = randomBytes(32)
  /** As another process would have it: nothing shared but the store and the keys. */
  const process = () => {
    const codec = eventCodec([signingKeyEvents], openVault({ store: keys, kek }))
    const runner = commandRunner(store, codec, manualClock(AT))
    return <Result>(work: Parameters<typeof runner.run<Result>>[1]) => runner.run(SYSTEM, work)
  }

  it('is made once, however many processes start at once', async () => {
    const processes = Array.from({ length: RIVALS }, process)
    await Promise.all(processes.map((run) => ensureSigningKey(run)))
    expect(await store.readStream('signingKeys')).toHaveLength(1)
    const kids = await Promise.all(processes.map((run) => run(async (unit) => (await signingKey(unit)).kid)))
    expect(new Set(kids).size).toBe(1)
  })

  it('is sealed in the log: its private half is nowhere in clear', async () => {
    const [event] = await store.readStream('signingKeys')
    const { privateJwk } = await process()(async (unit) => currentKey(await unit.load(signingKeys))!)
    expect(privateJwk.d).toMatch(/^[\w-]{43}$/)
    expect(JSON.stringify(event)).not.toContain(privateJwk.d)
    expect(event!.data['privateKey']).toMatch(/^~1\.SigningKeyCreated\./)
  })
})

describe('two services on one database', () => {
  const opened: { close(): Promise<unknown> }[] = []
  afterAll(async () => {
    for (const each of opened.toReversed()) await each.close()
  })

  it('that start at once publish one and the same key', async () => {
    const database = await testDatabase()
    opened.push({ close: () => database.drop() })
    const settings = {
      databaseUrl: database.url,
      secretKey: randomBytes(32),
      baseUrl: 'http://licensing.test',
      trustedProxies: { ranges: [], hops: 1 },
      authFailuresPerMinute: 1_000,
      metricsAllow: [],
    }
    const open = () => openLicensing(settings, pino({ level: 'silent' }))
    const services = await Promise.all([open(), open()])
    opened.push(...services.map((service) => ({ close: () => service.close(0) })))
    const published = async (service: (typeof services)[number]) => {
      const { port } = await service.listen(0, '127.0.0.1')
      return (await fetch(`http://127.0.0.1:${port}/api/v1/license/keys`)).json()
    }
    const [one, other] = await Promise.all(services.map(published))
    expect(one).toEqual(other)
    expect((one as { keys: unknown[] }).keys).toHaveLength(1)
  })
})
