import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { commandRunner } from '#kernel/commands/command-runner'
import type { UnitOutcome } from '#kernel/commands/command-runner'
import { eventCodec } from '#kernel/events/codec'
import { decider } from '#kernel/events/decider'
import { event, sealed, stream } from '#kernel/events/event'
import { UniqueConstraintViolation, StoreUnavailable } from '#kernel/events/store-port'
import type { EventStore } from '#kernel/events/store-port'
import { manualClock } from '#kernel/lib/clock'
import { reject } from '#kernel/lib/rejection'
import { memoryStore } from '#kernel/store/memory/memory-store'
import { postgresStore } from '#kernel/store/postgres/postgres-store'
import { memoryKeyStore } from '#kernel/vault/key-store'
import { openVault } from '#kernel/vault/vault'
import { testDatabase } from '#test/support/database'
import type { TestDatabase } from '#test/support/database'

const SEATS = 5

const SeatTaken = event(
  'SeatTaken',
  'roomId',
  { roomId: z.string(), guest: sealed(z.string()), badge: z.string() },
  ({ roomId }) => `took a seat in ${roomId}`,
  { sealedFor: ({ roomId }) => `room/${roomId}`, takes: ({ badge }) => [{ scope: 'badge', key: badge }] },
)
const RoomClosed = event('RoomClosed', 'roomId', { roomId: z.string() }, ({ roomId }) => `closed ${roomId}`, {
  strict: true,
})
const roomEvents = stream('room', [SeatTaken, RoomClosed])
const rooms = decider(roomEvents, {
  initial: { guests: [] as string[], closed: false },
  evolve: {
    SeatTaken: (room, { guest }) => ({ ...room, guests: [...room.guests, guest] }),
    RoomClosed: (room) => ({ ...room, closed: true }),
  },
  commands: {
    TakeSeat: (room, ask: { roomId: string; guest: string; badge: string }) =>
      room.guests.length < SEATS ? [SeatTaken(ask)] : reject('conflict', 'The room is full'),
    Close: (room, ask: { roomId: string }) => (room.closed ? [] : [RoomClosed(ask)]),
  },
})

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const BellRung = event('BellRung', 'bellId', { bellId: z.string() }, ({ bellId }) => `rang ${bellId}`)
const bells = decider(stream('bell', [BellRung]), {
  initial: 0,
  evolve: { BellRung: (rung) => rung + 1 },
  commands: { Ring: (_rung, ask: { bellId: string }) => [BellRung(ask)] },
})

const WHO = { actor: { type: 'STAFF', id: 's1' }, ip: '192.0.2.77', requestId: 'r1' }

const vault = openVault({ store: memoryKeyStore(), kek: Buffer.alloc(32, 9) })

function runnerOn(store: EventStore) {
  const codec = eventCodec([roomEvents, bells.stream], vault)
  return { codec, ...commandRunner(store, codec, manualClock(new Date('2026-01-01T00:00:00Z'))) }
}

const kinds: [string, () => EventStore][] = [
  ['memory', () => memoryStore()],
  ['postgres', () => postgresStore({ url: database.url })],
]

describe.each(kinds)('on the %s store', (_name, open) => {
  test('a cap holds exactly when two processes race for it', async () => {
    const store = open()
    const processes = [runnerOn(store), runnerOn(store)]
    const roomId = crypto.randomUUID()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 100 }, (_, guest) =>
        processes[guest % 2]!.run(WHO, (unit) =>
          unit.decide(rooms, roomId, 'TakeSeat', { roomId, guest: `guest ${guest}`, badge: crypto.randomUUID() }),
        ),
      ),
    )
    const refusals = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    expect(refusals).toHaveLength(100 - SEATS)
    expect(new Set(refusals.map((each: Error) => each.message))).toEqual(new Set(['The room is full']))
    expect(await store.readStream(`room-${roomId}`)).toHaveLength(SEATS)
    await store.close()
  })

  test('one unit is one append: a refused claim in one stream leaves nothing in the other', async () => {
    const store = open()
    const { run } = runnerOn(store)
    const [one, two, badge] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
    await run(WHO, (unit) => unit.decide(rooms, one, 'TakeSeat', { roomId: one, guest: 'g', badge }))
    const both = run(WHO, async (unit) => {
      await unit.decide(rooms, two, 'Close', { roomId: two })
      await unit.decide(rooms, one, 'TakeSeat', { roomId: one, guest: 'g', badge })
    })
    await expect(both).rejects.toThrow(UniqueConstraintViolation)
    await expect(both).rejects.toMatchObject({ constraint: { scope: 'badge', key: badge }, holder: one })
    expect(await store.readStream(`room-${two}`)).toEqual([])
    await store.close()
  })

  test('sealed fields and the address are ciphertext in the store and readable again for deciders', async () => {
    const store = open()
    const { run, codec } = runnerOn(store)
    const roomId = crypto.randomUUID()
    const ask = { roomId, guest: 'canary@guest.test', badge: crypto.randomUUID() }
    await run(WHO, (unit) => unit.decide(rooms, roomId, 'TakeSeat', ask))
    const [recorded] = await store.readStream(`room-${roomId}`)
    expect(JSON.stringify(recorded)).not.toMatch(/canary|192\.0\.2\.77/)
    expect(recorded!.metadata).toMatchObject({ at: '2026-01-01T00:00:00.000Z', actor: WHO.actor, requestId: 'r1' })
    expect(await codec.decode(recorded!)).toEqual({ type: 'SeatTaken', data: ask })
    const ip = recorded!.metadata['ip'] as string
    expect(await vault.open(ip, { subject: 'staff/s1', field: 'ip' })).toBe('192.0.2.77')
    await store.close()
  })
})

test('what is already done is answered as a reason to wait for it, not as nothing', async () => {
  const store = memoryStore()
  const { run } = runnerOn(store)
  const seen: UnitOutcome[] = []
  const close = () =>
    run(
      WHO,
      (unit) => unit.decide(rooms, 'r', 'Close', { roomId: 'r' }),
      (what) => seen.push(what),
    )
  await close()
  await close()
  expect(await store.readStream('room-r')).toHaveLength(1)
  expect(seen).toEqual([
    { position: 1, streams: ['room-r'], types: ['RoomClosed'], strict: true },
    { position: 1, streams: ['room-r'], types: ['SeatTaken', 'RoomClosed'], strict: true },
  ])
})

test('what was only read is no answer to anything: nothing is said about where it stands', async () => {
  const { run } = runnerOn(memoryStore())
  const seen: UnitOutcome[] = []
  await run(WHO, (unit) => unit.decide(rooms, 'r', 'Close', { roomId: 'r' }))
  await run(
    WHO,
    (unit) => unit.load(rooms, 'r'),
    (what) => seen.push(what),
  )
  expect(seen).toEqual([])
})

test('two decisions asked for at once on one stream are both made, on one state', async () => {
  const store = memoryStore()
  const { run } = runnerOn(store)
  const take = (guest: string) => ({ roomId: 'r', guest, badge: guest })
  await run(WHO, (unit) =>
    Promise.all(['a', 'b', 'c'].map((guest) => unit.decide(rooms, 'r', 'TakeSeat', take(guest)))),
  )
  expect((await store.readStream('room-r')).map(({ revision }) => revision)).toEqual([1, 2, 3])
})

test('units that begin apart and meet in one stream take turns there, and none of them is refused', async () => {
  const units = 100
  const store = postgresStore({ url: database.url })
  const runner = runnerOn(store)
  let tries = 0
  const ring = (_none: unknown, nth: number) =>
    runner.run(WHO, async (unit) => {
      tries += 1
      await unit.decide(rooms, `room-${nth}`, 'Close', { roomId: `room-${nth}` })
      await unit.decide(bells, 'hall', 'Ring', { bellId: 'hall' })
    })
  await Promise.all(Array.from({ length: units }, ring))
  expect(await runner.run(WHO, (unit) => unit.look(bells, 'hall'))).toBe(units)
  expect(tries).toBeLessThan(units * 4)
  await store.close()
})

test('a rejection records nothing and is not retried', async () => {
  const store = memoryStore()
  const { run } = runnerOn(store)
  let tries = 0
  const refused = run(WHO, async (unit) => {
    tries += 1
    await unit.decide(rooms, 'r', 'Close', { roomId: 'r' })
    reject('invalid', 'no')
  })
  await expect(refused).rejects.toMatchObject({ statusCode: 400, message: 'no' })
  expect(tries).toBe(1)
  expect(await store.head()).toBe(0)
})

test('data that its schema does not know is a bug and reaches no store', async () => {
  const store = memoryStore()
  const { run } = runnerOn(store)
  const wrong = run(WHO, async (unit) => {
    await unit.decide(rooms, 'r', 'TakeSeat', { roomId: 'r', guest: 'g', badge: 'b', more: 1 } as never)
  })
  await expect(wrong).rejects.toThrow(/more/)
  expect(await store.head()).toBe(0)
})

test('while the store is away, who waits for a turn is refused with the one who had it, and later ones try again', async () => {
  const store = memoryStore()
  const { run } = runnerOn(store)
  const readStream = store.readStream.bind(store)
  let asked = 0
  store.readStream = async () => {
    asked += 1
    throw new StoreUnavailable(new Error('away'))
  }
  const close = () => run(WHO, (unit) => unit.decide(rooms, 'r', 'Close', { roomId: 'r' }))
  const refused = await Promise.allSettled(Array.from({ length: 100 }, close))
  expect(new Set(refused.map((each) => (each.status === 'rejected' ? each.reason.statusCode : each.status)))).toEqual(
    new Set([503]),
  )
  expect(asked).toBe(1)
  store.readStream = readStream
  expect(await close()).toHaveLength(1)
})
