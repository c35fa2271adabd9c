/** The long streams of this service: a snapshot at any revision changes no state. */
import fc from 'fast-check'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postgresSnapshotStore } from '#kernel/commands/snapshots'
import { StateCache } from '#kernel/commands/state-cache'
import { eventCodec } from '#kernel/events/codec'
import type { Decider } from '#kernel/events/decider'
import type { DomainEvent } from '#kernel/events/event'
import type { EventStore } from '#kernel/events/store-port'
import { snapshotWriter } from '#kernel/projections/snapshot-writer'
import { servicePool } from '#kernel/store/connection'
import { memoryStore } from '#kernel/store/memory/memory-store'
import { memoryKeyStore } from '#kernel/vault/key-store'
import { openVault } from '#kernel/vault/vault'
import { staffSessions } from '#licensing/auth/decider'
import {
  StaffSessionEnded,
  StaffSessionRefreshed,
  StaffSessionStarted,
  StaffSessionPasswordProved,
  StaffSessionSteppedUp,
} from '#licensing/auth/events'
import { machineTokens } from '#licensing/machine-tokens/decider'
import { MachineTokenMinted, MachineTokenRevoked, MachineTokenRotated } from '#licensing/machine-tokens/events'
import { testDatabase } from '#test/support/database'
import type { TestDatabase } from '#test/support/database'
import { startService, SYSTEM } from '#test/support/licensing/service'
import { openCore } from '../../../src/composition/licensing.ts'

const RUNS = 60
const STAFF_ID = '01890000-0000-7000-8000-00000000f000'

/** Few ids, so that events concern the same objects. */
const id = fc.integer({ min: 1, max: 6 }).map((nth) => `01890000-0000-7000-8000-00000000000${nth}`)
const instant = fc.integer({ min: 0, max: 900 }).map((minute) => new Date(minute * 60_000).toISOString())
const expiresAt = fc.option(instant)
const word = fc.stringMatching(/^[a-z]{1,5}$/)

const tokenEvent: fc.Arbitrary<DomainEvent> = fc.oneof(
  fc
    .record({
      machineTokenId: id,
      name: word,
      permissions: fc.array(word, { maxLength: 3 }),
      allowedIps: fc.array(word, { maxLength: 2 }),
      expiresAt,
      grants: fc.array(word, { maxLength: 3 }),
      prefix: word,
      hash: word,
    })
    .map((minted) => MachineTokenMinted(minted)),
  id.map((machineTokenId) => MachineTokenRevoked({ machineTokenId })),
  fc.record({ machineTokenId: id, successorId: id, expiresAt: instant }).map((rotated) => MachineTokenRotated(rotated)),
)

const sessionEvent: fc.Arbitrary<DomainEvent> = fc
  .record({ staffSessionId: id, refreshHash: word, expiresAt: instant, userAgent: fc.option(fc.string()) })
  .chain(({ userAgent, ...token }) => {
    const { staffSessionId } = token
    return fc.constantFrom<DomainEvent>(
      StaffSessionStarted({ ...token, staffId: STAFF_ID, userAgent }),
      StaffSessionRefreshed({ ...token, staffId: STAFF_ID }),
      StaffSessionSteppedUp({ staffSessionId, staffId: STAFF_ID }),
      StaffSessionPasswordProved({ staffSessionId, staffId: STAFF_ID }),
      StaffSessionEnded({ staffSessionId, staffId: STAFF_ID, reason: 'LOGOUT' }),
    )
  })

let database: TestDatabase
let reading: ReturnType<typeof servicePool>
let writing: ReturnType<typeof servicePool>
beforeAll(async () => {
  database = await testDatabase()
  reading = servicePool(database.url, { role: 'daybook_service' })
  writing = servicePool(database.url, { role: 'daybook_projector' })
})
afterAll(async () => {
  await Promise.all([reading.end(), writing.end()])
  await database.drop()
})

async function isSameFromSnapshot(decider: Decider, stream: string, events: readonly DomainEvent[], cut: number) {
  const vault = openVault({ store: memoryKeyStore(), kek: Buffer.alloc(32, 1) })
  const store = memoryStore()
  const codec = eventCodec([decider.stream], vault)
  const snapshots = postgresSnapshotStore({ readPool: reading, writePool: writing, vault })
  await writing.query('DELETE FROM read.snapshot')
  const append = async (from: number, to: number) => {
    for (let nth = from; nth < to; nth += 1) {
      const metadata = { at: new Date(nth * 600_000).toISOString() }
      const event = { id: crypto.randomUUID(), ...(await codec.encode(events[nth]!)), metadata }
      await store.append({ parts: [{ stream, expected: nth, events: [event] }] })
    }
  }
  await append(0, cut)
  const writer = snapshotWriter({
    store,
    snapshots,
    states: new StateCache(store, codec, snapshots),
    deciders: [decider],
    onError: (error) => expect.fail(String(error)),
  })
  writer.onApplied([{ stream, revision: decider.snapshot!.everyEvents }])
  await writer.end()
  expect((await snapshots.read(decider, stream))?.revision).toBe(cut)
  await append(cut, events.length)
  const kept = await new StateCache(store, codec, snapshots).current(decider, stream)
  expect(kept).toEqual(await new StateCache(store, codec).current(decider, stream))
}

describe.each([
  { decider: machineTokens as Decider, event: tokenEvent, stream: 'machineTokens' },
  { decider: staffSessions as Decider, event: sessionEvent, stream: `staffSessions-${STAFF_ID}` },
])('$stream', ({ decider, event, stream }) => {
  test('snapshot and tail come to the state that the whole stream comes to', async () => {
    const history = fc
      .array(event, { minLength: 1, maxLength: 40 })
      .chain((events) => fc.record({ events: fc.constant(events), cut: fc.integer({ min: 1, max: events.length }) }))
    const property = fc.asyncProperty(history, ({ events, cut }) => isSameFromSnapshot(decider, stream, events, cut))
    await fc.assert(property, { numRuns: RUNS })
  })
})

describe('a service', async () => {
  const service = await startService()
  const PAIRS = 10

  /** Mints and revokes, twenty events an append, and keeps the first token. */
  const mintAndRevoke = () =>
    service.run(async (unit) => {
      for (let nth = 0; nth < PAIRS; nth += 1) {
        const machineTokenId = unit.newId()
        const terms = { name: 'for an hour', permissions: ['licenses:view'], allowedIps: [], expiresAt: null }
        const secret = { prefix: 'dbkm_x', hash: machineTokenId }
        await unit.decide(machineTokens, undefined, 'MintToken', { machineTokenId, ...terms, ...secret })
        if (nth > 0) await unit.decide(machineTokens, undefined, 'RevokeToken', { machineTokenId })
      }
    })

  const kept = async () =>
    (await service.superuser.query("SELECT revision FROM read.snapshot WHERE stream = 'machineTokens'")).rows

  /** The state that a second process loads, and the revisions after which it read. */
  async function coldly() {
    const asked: number[] = []
    const counting = (store: EventStore): EventStore => {
      const readStream: typeof store.readStream = (stream, after = 0) => {
        asked.push(after)
        return store.readStream(stream, after)
      }
      return new Proxy(store, {
        get: (target, name) => {
          if (name === 'readStream') return readStream
          const value: unknown = Reflect.get(target, name)
          return typeof value === 'function' ? value.bind(target) : value
        },
      })
    }
    const core = await openCore(service.settings, pino({ level: 'silent' }), { store: counting })
    const state = await core.commands.run(SYSTEM, (unit) => unit.load(machineTokens))
    await core.close()
    return { state, asked }
  }

  test('keeps the state of a stream that has grown long, and the next process goes on from there', async () => {
    for (let nth = 0; nth < 4; nth += 1) await mintAndRevoke()
    await service.licensing.projector.catchUp()
    expect(await kept(), 'not long yet').toEqual([])
    for (let nth = 0; nth < 8; nth += 1) await mintAndRevoke()
    await service.licensing.projector.catchUp()
    await expect.poll(kept).toEqual([{ revision: expect.any(Number) }])
    const [{ revision }] = await kept()
    expect(revision).toBeGreaterThanOrEqual(200)
    const live = await service.run((unit) => unit.load(machineTokens))
    const cold = await coldly()
    expect(cold.asked).toEqual([revision - 1, revision])
    expect(cold.state).toEqual(live)
    await service.superuser.query('DELETE FROM read.snapshot')
    const whole = await coldly()
    expect(whole.asked).toEqual([0])
    expect(whole.state).toEqual(live)
  })
})
