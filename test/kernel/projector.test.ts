import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { eventCodec } from '#kernel/codec'
import { manualClock } from '#kernel/clock'
import { commandRunner } from '#kernel/command'
import { decider } from '#kernel/decider'
import { event, stream } from '#kernel/event'
import { memoryKeys } from '#kernel/key-store'
import { projector } from '#kernel/projector'
import { integer, key, queries, readModel, text } from '#kernel/read-model'
import { servicePool } from '#kernel/store/connection'
import { memoryStore } from '#kernel/store/memory'
import { openVault } from '#kernel/vault'
import { testDatabase } from '#test/database'
import type { TestDatabase } from '#test/database'

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
    CounterRaised: async (table, { by }, { id, stream }) => {
      if (fails()) throw new Error('cannot apply')
      await table.insert({ id, by, stream })
    },
  })

const fine = readModel('fine', 1, { id: key }).from(counterEvents, {
  CounterRaised: (table, _data, { id }) => table.insert({ id }),
})

/** A row each time that it is told of an event: no key keeps a second telling out. */
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
  const vault = openVault({ store: memoryKeys(), kek: Buffer.alloc(32, 7) })
  const store = memoryStore()
  const codec = eventCodec([counterEvents], vault)
  const commands = commandRunner(store, codec, manualClock(new Date()))
  const pool = servicePool(database.url, { role: 'daybook_projector' })
  ends.push(() => pool.end())
  const kysely = queries(pool)
  const counterId = crypto.randomUUID()
  const raise = (by: number) =>
    commands.run({ actor: { type: 'SYSTEM', id: 'test' }, requestId: 'test' }, (unit) =>
      unit.decide(counters, counterId, 'Raise', { counterId, by }),
    )
  const rows = () => kysely.selectFrom('read.raises').selectAll().orderBy('by').execute()
  const clear = () => kysely.deleteFrom('read.projection').execute()
  return { store, codec, kysely, raise, rows, clear, counterId }
}

test('rivals apply every event exactly once', async () => {
  const { store, codec, kysely, raise, rows, clear } = world()
  await clear()
  const models = [raises(1), tellings]
  const rivals = [1, 2, 3].map(() => projector({ store, codec, database: kysely, models }))
  await rivals[0]!.prepare()
  for (const rival of rivals) rival.start()
  await Promise.all(Array.from({ length: 300 }, (_, by) => raise(by)))
  for (const rival of rivals) expect(await rival.caughtUp(['CounterRaised'], await store.head(), 10_000)).toBe(true)
  for (const rival of rivals) await rival.stop()
  expect((await rows()).map(({ by }) => by)).toEqual(Array.from({ length: 300 }, (_, by) => by))
  expect(await kysely.selectFrom('read.tellings').selectAll().execute()).toHaveLength(300)
})

test('a raised version rebuilds the table, an unchanged one leaves it', async () => {
  const { store, codec, kysely, raise, rows, clear } = world()
  await clear()
  await raise(1)
  const first = projector({ store, codec, database: kysely, models: [raises(1)] })
  await first.prepare()
  expect(await rows()).toHaveLength(1)
  await kysely.updateTable('read.raises').set({ by: 99 }).execute()
  await projector({ store, codec, database: kysely, models: [raises(1)] }).prepare()
  expect(await rows()).toMatchObject([{ by: 99 }])
  await projector({ store, codec, database: kysely, models: [raises(2)] }).prepare()
  expect(await rows()).toMatchObject([{ by: 1 }])
  await first.catchUp()
  expect(await rows(), 'a process with the older version leaves the newer table alone').toHaveLength(1)
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
  let broken = true
  const errors: unknown[] = []
  const models = [fine, raises(1, () => broken)]
  const one = projector({ store, codec, database: kysely, models, onError: (error) => errors.push(error) })
  await one.prepare()
  one.start()
  await raise(5)
  const head = await store.head()
  expect(await one.caughtUp(['CounterRaised'], head, 300)).toBe(false)
  const status = await one.status()
  expect(status.find(({ name }) => name === 'fine')).toMatchObject({ lag: 0 })
  expect(status.find(({ name }) => name === 'raises')).toMatchObject({ lag: 1, failing: 'cannot apply' })
  expect(errors).not.toHaveLength(0)
  broken = false
  expect(await one.caughtUp(['CounterRaised'], head, 5_000)).toBe(true)
  await one.stop()
  expect(await rows()).toMatchObject([{ by: 5 }])
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
