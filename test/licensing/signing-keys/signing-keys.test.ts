import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, describe, expect, it } from 'vitest'
import { commandRunner } from '#kernel/commands/command-runner'
import { eventCodec } from '#kernel/events/codec'
import { manualClock } from '#kernel/lib/clock'
import { memoryStore } from '#kernel/store/memory/memory-store'
import { memoryKeyStore } from '#kernel/vault/key-store'
import { openVault } from '#kernel/vault/vault'
import { currentKey, signingKeys } from '#licensing/signing-keys/decider'
import {
  ManifestSigned,
  RootKeyAdopted,
  RootKeyCreated,
  SigningKeyCompromised,
  SigningKeyCreated,
  signingKeyEvents,
  SigningKeyPromoted,
  SigningKeyRetired,
} from '#licensing/signing-keys/events'
import { ensureSigningKey, currentSigningKey } from '#licensing/signing-keys/signing-key'
import { testDatabase } from '#test/support/database'
import { AT, given } from '#test/support/decider-spec'
import { openLicensing } from '../../../src/composition/licensing.ts'
import { SYSTEM } from '../../support/licensing/service.ts'

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

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const after = (ms: number) => new Date(AT.getTime() + ms)

const idOf = (kid: string) => `01890000-0000-7000-8000-${Buffer.from(kid.padEnd(6, '_')).toString('hex').slice(0, 12)}`
const key = (kid: string) => ({ ...first, signingKeyId: idOf(kid), kid })
const next = (kid: string) => SigningKeyCreated({ ...key(kid), state: 'next' })
const promoted = (kid: string, retiringKid: string | null = 'first') =>
  SigningKeyPromoted({ signingKeyId: idOf(kid), kid, retiringKid })
const root = { rootKeyId: idOf('root'), kid: 'root', publicJwk: first.publicJwk }
const rootHere = RootKeyCreated({ ...root, privateKey: 'd' })
const listing = (
  states: Record<string, 'next' | 'current' | 'retiring' | 'retired'>,
  serial = 1,
  more: object = {},
) => ({
  manifestId: idOf(`m${serial}`),
  serial,
  rootKid: 'root',
  issuedAt: AT.toISOString(),
  expiresAt: after(90 * DAY_MS).toISOString(),
  states,
  jws: 'jws',
  ...more,
})
const listed = (states: Parameters<typeof listing>[0], serial?: number) => ManifestSigned(listing(states, serial))

describe('the next key', () => {
  it('is made while there is none', () => {
    const { publicJwk, privateKey } = first
    const ask = { signingKeyId: idOf('second'), kid: 'second', publicJwk, privateKey }
    given(signingKeys, [created])
      .when('CreateKey', ask)
      .then([next('second')])
    given(signingKeys, [created, next('other')])
      .when('CreateKey', ask)
      .refused(409, 'Signing key other is already the next one: promote it first')
  })

  const prepared = [created, rootHere, next('second')]
  it('signs when verifiers have had an hour to learn of it, and not a moment sooner', () => {
    const known = [...prepared, listed({ first: 'current', second: 'next' })]
    given(signingKeys, known)
      .when('PromoteKey', { kid: 'second' }, { at: after(HOUR_MS - 1) })
      .refused(409, /can be promoted from 2026-01-01T01:00:00.000Z on/)
    given(signingKeys, known)
      .when('PromoteKey', { kid: 'second' }, { at: after(HOUR_MS) })
      .then([promoted('second')])
  })

  it('does not sign while no manifest lists it', () =>
    given(signingKeys, prepared)
      .when('PromoteKey', { kid: 'second' }, { at: after(9 * DAY_MS) })
      .refused(409, /No manifest lists signing key second yet/))

  it('is the only one that can be promoted', () => {
    const rotated = [...prepared, listed({ first: 'current', second: 'next' }), promoted('second')]
    for (const kid of ['first', 'second'])
      given(signingKeys, rotated)
        .when('PromoteKey', { kid })
        .refused(409, /^Signing key .* is (retiring|current)$/)
    given(signingKeys, rotated).when('PromoteKey', { kid: 'nobody' }).refused(404, 'Not found')
  })

  it('can be withdrawn', () =>
    given(signingKeys, prepared)
      .when('RetireKey', { kid: 'second', overlapDays: 28 })
      .then([SigningKeyRetired({ signingKeyId: idOf('second'), kid: 'second' })]))
})

describe('a retiring key', () => {
  const rotated = [created, rootHere, next('second'), listed({ first: 'current', second: 'next' }), promoted('second')]
  const retired = SigningKeyRetired({ signingKeyId: first.signingKeyId, kid: 'first' })

  it('stays while a panel may work with what it signed', () => {
    const early = { at: after(28 * DAY_MS - 1) }
    given(signingKeys, rotated)
      .when('RetireKey', { kid: 'first', overlapDays: 28 }, early)
      .refused(409, /can be retired from then on/)
    given(signingKeys, rotated)
      .when('RetireKey', { kid: 'first', overlapDays: 28 }, early)
      .refused(409, /2026-01-29T00:00:00.000Z/)
    given(signingKeys, rotated).when('RetireOverdueKeys', { overlapDays: 28 }, early).then([])
  })
  it('goes when none does, by hand or by itself, once', () => {
    const late = { at: after(28 * DAY_MS) }
    given(signingKeys, rotated).when('RetireKey', { kid: 'first', overlapDays: 28 }, late).then([retired])
    given(signingKeys, rotated).when('RetireOverdueKeys', { overlapDays: 28 }, late).then([retired])
    given(signingKeys, [...rotated, retired])
      .when('RetireOverdueKeys', { overlapDays: 28 }, late)
      .then([])
  })
  it('is never the one that signs', () =>
    given(signingKeys, rotated)
      .when('RetireKey', { kid: 'second', overlapDays: 0 })
      .refused(409, /is current/))
})

describe('a compromised key', () => {
  const fallen = SigningKeyCompromised({ signingKeyId: first.signingKeyId, kid: 'first', reason: 'stolen' })
  const fresh = { signingKeyId: idOf('fresh'), kid: 'fresh', publicJwk: first.publicJwk, privateKey: 'd' }
  const ask = { kid: 'first', reason: 'stolen', fresh }

  it('is replaced by the next one, which panels know', () =>
    given(signingKeys, [created, next('second')])
      .when('CompromiseKey', ask)
      .then([fallen, promoted('second', null)]))
  it('is replaced by a fresh one where none was prepared', () =>
    given(signingKeys, [created])
      .when('CompromiseKey', ask)
      .then([fallen, SigningKeyCreated({ ...fresh, state: 'next' }), promoted('fresh', null)]))
  it('that signs no more leaves the current one where it is', () =>
    given(signingKeys, [created, next('second'), promoted('second')])
      .when('CompromiseKey', ask)
      .then([fallen]))
  it('falls once', () =>
    given(signingKeys, [created, fallen])
      .when('CompromiseKey', ask)
      .refused(409, 'Signing key first is already compromised'))
  it('never comes back', () => {
    const ring = [created, fallen]
    given(signingKeys, ring)
      .when('PromoteKey', { kid: 'first' })
      .refused(409, /is compromised/)
    given(signingKeys, ring)
      .when('RetireKey', { kid: 'first', overlapDays: 0 })
      .refused(409, /is compromised/)
  })
})

describe('a manifest', () => {
  const ring = [created, rootHere, listed({ first: 'current' })]
  const record = (ask: ReturnType<typeof listing>) => given(signingKeys, ring).when('RecordManifest', ask)

  it('follows the one before it', () =>
    record(listing({ first: 'current' }, 2)).then([listed({ first: 'current' }, 2)]))
  it.each([0, 1, 3])('with serial %i comes out of turn', (serial) =>
    record(listing({ first: 'current' }, serial)).refused(409, /the next one is 2/),
  )
  it('lists every key as it is', () => {
    record(listing({}, 2)).refused(409, /keys have changed/)
    record(listing({ first: 'retiring' }, 2)).refused(409, /keys have changed/)
    record(listing({ first: 'current', second: 'next' }, 2)).refused(409, /keys have changed/)
  })
  it('is not over when it comes', () =>
    record(listing({ first: 'current' }, 2, { expiresAt: AT.toISOString() })).refused(409, /expired/))
  it('is signed by the root key', () =>
    record(listing({ first: 'current' }, 2, { rootKid: 'other' })).refused(409, /is not the root key/))
  it('lists what is retired, and nothing that fell or never signed', () => {
    const past = [
      ...ring,
      next('second'),
      listed({ first: 'current', second: 'next' }, 2),
      promoted('second'),
      SigningKeyRetired({ signingKeyId: first.signingKeyId, kid: 'first' }),
      next('third'),
      SigningKeyRetired({ signingKeyId: idOf('third'), kid: 'third' }),
    ]
    const rightly = listing({ first: 'retired', second: 'current' }, 3)
    given(signingKeys, past)
      .when('RecordManifest', rightly)
      .then([ManifestSigned(rightly)])
    const fallen = SigningKeyCompromised({ signingKeyId: first.signingKeyId, kid: 'first', reason: 'stolen' })
    given(signingKeys, [...past, fallen])
      .when('RecordManifest', rightly)
      .refused(409, /keys have changed/)
  })
})

describe('the root key', () => {
  it('is made once', () =>
    given(signingKeys, [rootHere])
      .when('CreateFirstRoot', { ...root, privateKey: 'd' })
      .then([]))
  it('that is kept elsewhere takes the place of the one that is here, whose private half is forgotten', () => {
    const elsewhere = { ...root, kid: 'elsewhere' }
    given(signingKeys, [rootHere])
      .when('AdoptRoot', elsewhere)
      .then([RootKeyAdopted(elsewhere)])
    const { state } = given(signingKeys, [rootHere, RootKeyAdopted(elsewhere)])
    expect((state as { root: unknown }).root).toEqual({ kid: 'elsewhere', publicJwk: root.publicJwk })
  })
})

describe('on first start', () => {
  const store = memoryStore()
  const keys = memoryKeyStore()
  const kek = randomBytes(32)
  /** As in another process: only the store and the keys are shared. */
  const process = () => {
    const codec = eventCodec([signingKeyEvents], openVault({ store: keys, kek }))
    const runner = commandRunner(store, codec, manualClock(AT))
    return <Result>(work: Parameters<typeof runner.run<Result>>[1]) => runner.run(SYSTEM, work)
  }

  it('is made once, with a root key that vouches for it, however many processes start at once', async () => {
    const processes = Array.from({ length: RIVALS }, process)
    await Promise.all(processes.map((run) => ensureSigningKey(run)))
    const types = (await store.readStream('signingKeys')).map(({ type }) => type)
    expect(types).toEqual(['SigningKeyCreated', 'RootKeyCreated', 'ManifestSigned'])
    const kids = await Promise.all(processes.map((run) => run(async (unit) => (await currentSigningKey(unit)).kid)))
    expect(new Set(kids).size).toBe(1)
  })

  it('is sealed in the log: its private half is nowhere in clear', async () => {
    const run = process()
    await ensureSigningKey(run)
    const [event] = await store.readStream('signingKeys')
    const { privateJwk } = await run(async (unit) => currentKey(await unit.load(signingKeys))!)
    expect(privateJwk.d).toMatch(/^[\w-]{43}$/)
    expect(JSON.stringify(event)).not.toContain(privateJwk.d)
    expect(event!.data['privateKey']).toMatch(/^~1\.SigningKeyCreated\./)
    const [, rootCreated] = await store.readStream('signingKeys')
    expect(rootCreated!.data['privateKey']).toMatch(/^~1\.RootKeyCreated\./)
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
