import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { commandRunner } from '#kernel/commands/command-runner'
import { eventCodec } from '#kernel/events/codec'
import { decider } from '#kernel/events/decider'
import { event, stream } from '#kernel/events/event'
import { manualClock } from '#kernel/lib/clock'
import { LEADER_LOCK_ID } from '#kernel/projections/leader-lock'
import { projector } from '#kernel/projections/projector'
import { kyselyFor } from '#kernel/projections/read-database'
import { integer, key, readModel, sql, text } from '#kernel/projections/read-model'
import { servicePool } from '#kernel/store/connection'
import { memoryStore } from '#kernel/store/memory/memory-store'
import { memoryKeyStore } from '#kernel/vault/key-store'
import { openVault } from '#kernel/vault/vault'
import { testDatabase } from '#test/support/database'
import type { TestDatabase } from '#test/support/database'

const CounterRaised = event(
  'CounterRaised',
  'counterId',
  { counterId: z.uuid(), by: z.int() },
  ({ by }) => `raised by ${by}`,
)
const counterEvents = stream('counter', [CounterRaised])
const counters = decider(counterEvents, {
  initial: 0,
  evolve: { CounterRaised: (sum, { by }) => sum + by },
  commands: { Raise: (_sum, ask: { counterId: string; by: number }) => [CounterRaised(ask)] },
})

const raises = (version: number, fails = () => false) =>
  readModel('raises', version, { id: key, by: integer, stream: text }).from(counterEvents, {
    CounterRaised: (table, { by }, { id, stream }) => {
      if (fails()) throw new Error('cannot apply')
      table.insert({ id, by, stream })
    },
  })

const fine = readModel('fine', 1, { id: key }).from(counterEvents, {
  CounterRaised: (table, _data, { id }) => table.insert({ id }),
})

/** Adds a row for each delivery of an event; no key prevents a second row. */
const tellings = readModel('tellings', 1, { id: key }).from(counterEvents, {
  CounterRaised: (table) => table.insert({ id: crypto.randomUUID() }),
})

let database: TestDatabase
const ends: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
  await database.drop()
})

function world() {
  const vault = openVault({ store: memoryKeyStore(), kek: Buffer.alloc(32, 7) })
  const store = memoryStore()
  const codec = eventCodec([counterEvents], vault)
  const commands = commandRunner(store, codec, manualClock(new Date()))
  const pool = servicePool(database.url, { role: 'daybook_projector' })
  ends.push(() => pool.end())
  const kysely = kyselyFor(pool)
  const counterId = crypto.randomUUID()
  const raise = (by: number, id = counterId) =>
    commands.run({ actor: { type: 'SYSTEM', id: 'test' }, requestId: 'test' }, (unit) =>
      unit.decide(counters, id, 'Raise', { counterId: id, by }),
    )
  const rows = () => raises(1).queryIn(kysely).selectAll().orderBy('by').execute()
  const clear = async () => {
    await kysely.deleteFrom('read.projection').execute()
    await kysely.deleteFrom('read.parked').execute()
  }
  return { store, codec, kysely, raise, rows, clear, counterId }
}

test('rivals apply every event exactly once', async () => {
  const { store, codec, kysely, raise, rows, clear } = world()
  await clear()
  const models = [raises(1), tellings]
  const rivals = [1, 2, 3].map(() => projector({ store, codec, database: kysely, models }))
  await rivals[0]!.prepare()
  let appending = true
  const following = rivals.map(async (rival) => {
    while (appending) await rival.catchUp()
  })
  await Promise.all(Array.from({ length: 300 }, (_, by) => raise(by)))
  const change = { types: ['CounterRaised'], position: await store.head() }
  for (const rival of rivals) expect(await rival.waitUntilCaughtUp(change, 10_000)).toBe(true)
  appending = false
  await Promise.all(following)
  expect((await rows()).map(({ by }) => by)).toEqual(Array.from({ length: 300 }, (_, by) => by))
  expect(await tellings.queryIn(kysely).selectAll().execute()).toHaveLength(300)
})

describe('the lease', () => {
  /** Three processes that run a projector. */
  async function processes(patienceMs: number) {
    const { store, codec, kysely, raise, clear } = world()
    await clear()
    const open = () => projector({ store, codec, database: kysely, models: [fine], leaderStallMsMax: patienceMs })
    const all = [open(), open(), open()]
    await all[0]!.prepare()
    for (const each of all) each.start()
    const settled = async () => {
      const change = { types: ['CounterRaised'], position: await store.head() }
      return Promise.all(all.map((each) => each.waitUntilCaughtUp(change, 20_000)))
    }
    const applied = async () => (await Promise.all(all.map((each) => each.status()))).map(([status]) => status!.applied)
    const stop = () => Promise.all(all.map((each) => each.stop()))
    return { all, raise, settled, applied, stop }
  }

  test('lets one process work, and the others know at once what it has done', async () => {
    const { all, raise, settled, applied, stop } = await processes(60_000)
    for (let by = 0; by < 20; by += 1) {
      await raise(by)
      expect(await settled()).toEqual([true, true, true])
    }
    const before = await applied()
    expect(before.toSorted((one, other) => one - other)).toEqual([0, 0, 20])
    await all[before.indexOf(20)]!.stop()
    await raise(20)
    expect(await settled(), 'another goes on').toEqual([true, true, true])
    await stop()
  })

  test('holds up nobody for long whose holder stands still: it is waited for once', async () => {
    const holder = new pg.Client({ connectionString: database.url })
    await holder.connect()
    await holder.query('SELECT pg_advisory_lock($1)', [LEADER_LOCK_ID])
    const { raise, settled, stop } = await processes(3_000)
    const ms: number[] = []
    for (let by = 0; by < 3; by += 1) {
      const startedMs = performance.now()
      await raise(by)
      expect(await settled()).toEqual([true, true, true])
      ms.push(performance.now() - startedMs)
    }
    expect(ms[0]).toBeGreaterThan(3_000)
    expect(Math.max(ms[1]!, ms[2]!)).toBeLessThan(3_000)
    await holder.end()
    await stop()
  })

  test('holds up nobody while its holder stands still, nor when that is gone', async () => {
    const holder = new pg.Client({ connectionString: database.url })
    await holder.connect()
    await holder.query('SELECT pg_advisory_lock($1)', [LEADER_LOCK_ID])
    const { raise, settled, stop } = await processes(100)
    await raise(1)
    expect(await settled()).toEqual([true, true, true])
    await holder.end()
    await raise(2)
    expect(await settled()).toEqual([true, true, true])
    await stop()
  })
})

test('a raised version rebuilds the table, an unchanged one leaves it', async () => {
  const { store, codec, kysely, raise, rows, clear } = world()
  await clear()
  await raise(1)
  const first = projector({ store, codec, database: kysely, models: [raises(1)] })
  await first.prepare()
  expect(await rows()).toHaveLength(1)
  await sql`UPDATE read.raises SET by = 99`.execute(kysely)
  await projector({ store, codec, database: kysely, models: [raises(1)] }).prepare()
  expect(await rows()).toMatchObject([{ by: 99 }])
  await projector({ store, codec, database: kysely, models: [raises(2)] }).prepare()
  expect(await rows()).toMatchObject([{ by: 1 }])
  await first.catchUp()
  expect(await rows(), 'a process with the older version leaves the newer table alone').toHaveLength(1)
})

test('a log that was put back to an earlier state is read again from its beginning', async () => {
  const before = world()
  await before.clear()
  for (const by of [1, 2, 3]) await before.raise(by)
  const models = [raises(1), fine]
  await projector({ ...before, database: before.kysely, models }).prepare()
  const { store, codec, kysely, raise, rows } = world()
  await raise(7)
  const after = projector({ store, codec, database: kysely, models })
  await after.prepare()
  expect(await rows()).toMatchObject([{ by: 7 }])
  await raise(8)
  await after.catchUp()
  expect(await rows()).toMatchObject([{ by: 7 }, { by: 8 }])
})

test('rebuild gives the same rows and readers never see it empty', async () => {
  const { store, codec, kysely, raise, rows, clear } = world()
  await clear()
  for (const by of [1, 2, 3]) await raise(by)
  const one = projector({ store, codec, database: kysely, models: [raises(1)] })
  await one.prepare()
  const before = await rows()
  let rebuilding = true
  const seen: number[] = []
  const watch = (async () => {
    while (rebuilding) seen.push((await rows()).length)
  })()
  await one.rebuild('raises')
  rebuilding = false
  await watch
  expect(await rows()).toEqual(before)
  expect(new Set(seen)).toEqual(new Set([3]))
  await expect(one.rebuild('unknown')).rejects.toThrow('no read model')
})

test('a read model that cannot go on stands alone and says why; nothing is skipped', async () => {
  const { store, codec, kysely, raise, rows, clear } = world()
  await clear()
  const errors: unknown[] = []
  const one = projector({
    store,
    codec,
    database: kysely,
    models: [fine, raises(1)],
    onError: (error) => errors.push(error),
  })
  await one.prepare()
  await kysely.schema.alterTable('read.raises').renameTo('elsewhere').execute()
  one.start()
  await raise(5)
  const change = { types: ['CounterRaised'], position: await store.head() }
  expect(await one.waitUntilCaughtUp(change, 300)).toBe(false)
  const status = await one.status()
  expect(status.find(({ name }) => name === 'fine')).toMatchObject({ lag: 0, lagSeconds: 0 })
  const standing = status.find(({ name }) => name === 'raises')!
  expect(standing).toMatchObject({ lag: 1, parked: 0, failing: expect.stringContaining('does not exist') })
  expect(standing.lagSeconds).toBeGreaterThan(0)
  expect(errors).not.toHaveLength(0)
  await kysely.schema.alterTable('read.elsewhere').renameTo('raises').execute()
  expect(await one.waitUntilCaughtUp(change, 5_000)).toBe(true)
  await one.stop()
  expect(await rows()).toMatchObject([{ by: 5 }])
})

test('a read model that lags does not hold up what takes something away, unless the gate asks it', async () => {
  const { store, codec, kysely, raise, clear } = world()
  await clear()
  const asked = readModel('asked', 1, { id: key }).from(counterEvents, {
    CounterRaised: (table, _data, { id }) => table.insert({ id }),
  })
  const one = projector({ store, codec, database: kysely, models: [asked.forGate(), raises(1)] })
  await one.prepare()
  await raise(1)
  const change = { types: ['CounterRaised'], position: await store.head() }
  await projector({ store, codec, database: kysely, models: [asked] }).catchUp()
  expect(await one.waitUntilCaughtUp(change, 300, 'gate')).toBe(true)
  expect(await one.waitUntilCaughtUp(change, 300, 'all')).toBe(false)
  await raise(2)
  const later = { types: ['CounterRaised'], position: await store.head() }
  await projector({ store, codec, database: kysely, models: [raises(1)] }).catchUp()
  expect(await one.waitUntilCaughtUp(later, 300, 'gate')).toBe(false)
})

describe('an event that cannot be applied', () => {
  const POISON = 666

  /**
   * One stream with an event that cannot be applied between two others, and a second stream.
   */
  async function poisoned() {
    const given = world()
    const { store, codec, kysely, raise, clear, counterId } = given
    await clear()
    const applied: number[] = []
    let broken = true
    const told: string[] = []
    const picky = readModel('raises', 1, { id: key, by: integer, stream: text }).from(counterEvents, {
      CounterRaised: (table, { by }, { id, stream }) => {
        if (broken && by === POISON) throw new Error('six hundred and sixty-six')
        table.insert({ id, by, stream })
        applied.push(by)
      },
    })
    const open = () =>
      projector({
        store,
        codec,
        database: kysely,
        models: [picky, fine],
        onError: (error) => told.push((error as Error).message),
      })
    const one = open()
    await one.prepare()
    const other = crypto.randomUUID()
    for (const [by, id] of [[1], [POISON], [10, other], [3], [11, other]] as const) await raise(by, id)
    const streams = { sick: `counter-${counterId}`, sound: `counter-${other}` }
    const at = async (stream: string) => ({
      types: ['CounterRaised'],
      streams: [stream],
      position: (await store.readStream(stream)).at(-1)!.position,
    })
    return { ...given, one, open, applied, told, other, streams, at, mend: () => (broken = false) }
  }
  const sums = async (rows: () => Promise<{ by: number }[]>) => (await rows()).map(({ by }) => by)

  test('parks its stream, in order, for that read model alone; everything else goes on', async () => {
    const { one, raise, rows, kysely, streams, told } = await poisoned()
    await one.catchUp()
    expect(await sums(rows)).toEqual([1, 10, 11])
    expect(await fine.queryIn(kysely).selectAll().execute()).toHaveLength(5)
    expect(await one.status()).toMatchObject([
      { name: 'raises', lag: 0, parked: 2 },
      { name: 'fine', lag: 0, parked: 0 },
    ])
    const parked = { projection: 'raises', stream: streams.sick, position: 2, error: 'six hundred and sixty-six' }
    expect(await one.parkedStreams()).toEqual([{ ...parked, events: 2 }])
    await raise(4)
    await one.catchUp()
    expect(await sums(rows), 'what comes later waits too').toEqual([1, 10, 11])
    expect(await one.parkedStreams()).toEqual([{ ...parked, events: 3 }])
    expect(told).toEqual([`Event 2 cannot be applied, and its stream ${streams.sick} is parked: ${parked.error}`])
  })

  test('is never answered as in effect, by no process; its neighbours are', async () => {
    const { one, open, streams, at } = await poisoned()
    await one.catchUp()
    for (const process of [one, open()]) {
      expect(await process.waitUntilCaughtUp(await at(streams.sound), 1_000)).toBe(true)
      expect(await process.waitUntilCaughtUp(await at(streams.sick), 1_000)).toBe(false)
      const { types, position } = await at(streams.sound)
      expect(await process.waitUntilCaughtUp({ types, position }, 1_000), 'of no stream in particular').toBe(false)
    }
  })

  test('is applied again, with those behind it and in their order, when it is asked for and can be', async () => {
    const { one, raise, rows, mend, applied, streams, at } = await poisoned()
    await one.catchUp()
    await raise(POISON)
    await raise(4)
    await one.catchUp()
    expect(await one.retryParked('raises')).toEqual({ applied: 0, parked: 1 })
    expect(await one.parkedStreams()).toMatchObject([{ events: 4, error: 'six hundred and sixty-six' }])
    mend()
    applied.length = 0
    expect(await one.retryParked()).toEqual({ applied: 4, parked: 0 })
    expect(applied).toEqual([POISON, 3, POISON, 4])
    expect(await sums(rows)).toEqual([1, 3, 4, 10, 11, POISON, POISON])
    expect(await one.parkedStreams()).toEqual([])
    expect(await one.waitUntilCaughtUp(await at(streams.sick), 1_000)).toBe(true)
    await raise(5)
    await one.catchUp()
    expect(await sums(rows), 'the stream is followed again').toContain(5)
    await expect(one.retryParked('unknown')).rejects.toThrow('no read model')
  })

  test('stays parked in parts, where only some of it can be applied', async () => {
    const { one, raise, mend, other, store, codec, kysely, rows } = await poisoned()
    await raise(POISON, other)
    await raise(12, other)
    await one.catchUp()
    mend()
    const half = readModel('raises', 1, { id: key, by: integer, stream: text }).from(counterEvents, {
      CounterRaised: (table, { by }, { id, stream }) => {
        if (stream.endsWith(other) && by === POISON) throw new Error('still')
        table.insert({ id, by, stream })
      },
    })
    const mended = projector({ store, codec, database: kysely, models: [half] })
    expect(await mended.retryParked()).toEqual({ applied: 2, parked: 1 })
    expect(await mended.parkedStreams()).toMatchObject([{ stream: `counter-${other}`, error: 'still', events: 2 }])
    expect(await sums(rows)).toEqual([1, 3, 10, 11, POISON])
    expect(await one.retryParked()).toEqual({ applied: 2, parked: 0 })
    expect(await sums(rows)).toEqual([1, 3, 10, 11, 12, POISON, POISON])
  })

  test('is parked once by rivals, and what they left out is left out once', async () => {
    const { one, open, raise, rows, kysely, mend, store } = await poisoned()
    const rivals = [one, open(), open()]
    for (const rival of rivals) rival.start()
    await Promise.all(Array.from({ length: 100 }, (_none, nth) => raise(1_000 + nth)))
    const change = { types: ['CounterRaised'], streams: [], position: await store.head() }
    for (const rival of rivals) expect(await rival.waitUntilCaughtUp(change, 10_000)).toBe(true)
    mend()
    const retries = await Promise.all(rivals.map((rival) => rival.retryParked()))
    for (const rival of rivals) await rival.stop()
    expect(retries.reduce((sum, { applied }) => sum + applied, 0)).toBe(102)
    expect(await kysely.selectFrom('read.parked').selectAll().execute()).toEqual([])
    expect(await one.status()).toMatchObject([{ parked: 0 }, { parked: 0 }])
    expect(await sums(rows)).toHaveLength(105)
  })

  test('ends no rebuild, which parks anew what it could not apply', async () => {
    const { one, rows, mend } = await poisoned()
    await one.catchUp()
    await one.rebuild('raises')
    expect(await sums(rows)).toEqual([1, 10, 11])
    expect(await one.status()).toMatchObject([{ parked: 2 }, { parked: 0 }])
    mend()
    await one.rebuild('raises')
    expect(await sums(rows)).toEqual([1, 3, 10, 11, POISON])
    expect(await one.parkedStreams()).toEqual([])
    expect(await one.status()).toMatchObject([{ parked: 0 }, { parked: 0 }])
  })
})

test('an outage makes no read model stand', async () => {
  const { store, codec, kysely, raise, rows, clear } = world()
  await clear()
  let away = true
  const lost = () => {
    if (away) throw Object.assign(new Error('terminating connection'), { code: '57P01' })
    return false
  }
  const one = projector({ store, codec, database: kysely, models: [raises(1, lost), fine] })
  await one.prepare()
  await raise(7)
  await expect(one.catchUp()).rejects.toThrow('terminating connection')
  expect((await one.status()).map(({ failing }) => failing)).toEqual([undefined, undefined])
  away = false
  await one.catchUp()
  expect(await rows()).toMatchObject([{ by: 7 }])
})
