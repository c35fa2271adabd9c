/** A rebuild beside running processes: rival projectors, older processes, readers and long logs. */
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { eventCodec } from '#kernel/events/codec'
import { event, stream } from '#kernel/events/event'
import type { EventStore } from '#kernel/events/store-port'
import { projector } from '#kernel/projections/projector'
import { kyselyFor } from '#kernel/projections/read-database'
import { integer, key, readModel } from '#kernel/projections/read-model'
import { servicePool } from '#kernel/store/connection'
import { memoryStore } from '#kernel/store/memory/memory-store'
import { memoryKeyStore } from '#kernel/vault/key-store'
import { openVault } from '#kernel/vault/vault'
import { overrideStore } from '#test/support/override-store'
import { pooledDatabase } from '#test/support/pooled-database'

const Counted = event('CounterCounted', 'counterId', { counterId: z.uuid(), by: z.int() }, () => 'counted')
const counting = stream('counter', [Counted])
const codec = eventCodec([counting], openVault({ store: memoryKeyStore(), kek: Buffer.alloc(32, 7) }))

/** `factor` stands for the change of a new version. */
const counts = (version: number, factor = 1) =>
  readModel('counts', version, { id: key, by: integer }).from(counting, {
    CounterCounted: (table, { by }, { id }) => table.insert({ id, by: by * factor }),
  })
const others = readModel('others', 1, { id: key }).from(counting, {
  CounterCounted: (table, _counted, { id }) => table.insert({ id }),
})

const { database, pool } = await pooledDatabase('daybook_projector')
beforeEach(() => pool.query('TRUNCATE read.projection, read.parked'))

const count = (store: EventStore, by: number) =>
  store.append({
    parts: [
      {
        stream: 'counter',
        expected: 'any',
        events: [
          {
            id: crypto.randomUUID(),
            type: 'CounterCounted',
            schemaVersion: 1,
            data: { counterId: crypto.randomUUID(), by },
            metadata: { at: new Date().toISOString(), actor: { type: 'SYSTEM', id: 'test' }, requestId: 'test' },
          },
        ],
      },
    ],
  })

const rows = async () => {
  const { rows } = await pool.query<{ by: number }>('SELECT by FROM read.counts ORDER BY by')
  return rows.map(({ by }) => by)
}

/** The store of a process that is paused once, at its next read of the log, until `meanwhile` is done. */
function interrupted(store: EventStore, meanwhile: () => Promise<unknown>): EventStore {
  let done = false
  const once = async () => {
    if (done) return
    done = true
    await meanwhile()
  }
  return overrideStore(store, {
    readAll: async (after, limit) => {
      const events = await store.readAll(after, limit)
      await once()
      return events
    },
    async *readBatches(after, options) {
      for await (const events of store.readBatches(after, options)) {
        await once()
        yield events
      }
    },
  })
}

const onPool = (store: EventStore, models: Parameters<typeof projector>[0]['models']) =>
  projector({ store, codec, database: kyselyFor(pool), models })

test('while one read model is rebuilt, a rival follows with all of them, and what comes meanwhile is not lost', async () => {
  const store = memoryStore()
  const models = [counts(1), others]
  const rival = onPool(store, models)
  await rival.prepare()
  for (const by of [1, 2]) await count(store, by)
  await rival.catchUp()
  const rebuilding = onPool(
    interrupted(store, async () => {
      await count(store, 3)
      await rival.catchUp()
      expect(await rival.status()).toMatchObject([
        { name: 'counts', lag: 0 },
        { name: 'others', lag: 0 },
      ])
    }),
    models,
  )
  await rebuilding.rebuild('counts')
  expect(await rows()).toEqual([1, 2, 3])
  await count(store, 4)
  await rival.catchUp()
  expect(await rows()).toEqual([1, 2, 3, 4])
})

test('raising a version does not keep readers out', async () => {
  const store = memoryStore()
  await onPool(store, [counts(1)]).prepare()
  await count(store, 1)
  await onPool(store, [counts(1)]).catchUp()
  const seen: unknown[] = []
  await onPool(
    interrupted(store, async () => seen.push(await rows())),
    [counts(2, 10)],
  ).prepare()
  expect(seen).toEqual([[1]])
  expect(await rows()).toEqual([10])
})

/** A pool with short timeouts. */
function impatientPool(limits: string, queryMs?: number) {
  const options = `-c role=daybook_projector -c search_path=read ${limits}`
  const impatient = new pg.Pool({ connectionString: database.url, options, ...(queryMs && { query_timeout: queryMs }) })
  impatient.on('connect', (client) => client.on('error', () => {}))
  return impatient
}

test('a long reader of the old table ends no rebuild, and nobody waits behind the two', async () => {
  const impatient = impatientPool('-c lock_timeout=250ms')
  const store = memoryStore()
  await count(store, 1)
  await onPool(store, [counts(1)]).prepare()
  const reader = await pool.connect()
  await reader.query('BEGIN; SELECT * FROM read.counts')
  let isDone = false
  const rebuilding = projector({ store, codec, database: kyselyFor(impatient), models: [counts(2, 10)] })
    .prepare()
    .finally(() => (isDone = true))
  const older = onPool(store, [counts(1)])
  for (let by = 2; by <= 4; by += 1) {
    await pause(300)
    const startedMs = performance.now()
    await count(store, by)
    await older.catchUp()
    expect(await rows()).toHaveLength(by)
    expect(performance.now() - startedMs).toBeLessThan(10_000)
  }
  expect(isDone).toBe(false)
  await reader.query('COMMIT')
  reader.release()
  await rebuilding
  expect(await rows()).toEqual([10, 20, 30, 40])
  await impatient.end()
})

test('an index may take longer than an answer', async () => {
  const owner = servicePool(database.url)
  await owner.query(`CREATE FUNCTION public.slowly(n bigint) RETURNS bigint IMMUTABLE LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_sleep(0.6); RETURN n; END'`)
  await owner.end()
  const slow = readModel('counts', 7, { id: key, by: integer }, ['(public.slowly(by))']).from(counting, {
    CounterCounted: (table, { by }, { id }) => table.insert({ id, by }),
  })
  const impatient = impatientPool('-c statement_timeout=300ms', 300)
  const store = memoryStore()
  await count(store, 1)
  await projector({ store, codec, database: kyselyFor(impatient), models: [slow] }).prepare()
  expect(await rows()).toEqual([1])
  await impatient.end()
})

test('a process of the older version writes nothing into the newer table', async () => {
  const store = memoryStore()
  await onPool(store, [counts(1)]).prepare()
  const newer = onPool(store, [counts(2, 10)])
  await count(store, 1)
  const older = onPool(
    interrupted(store, () => pool.query('UPDATE read.projection SET version = 2')),
    [counts(1)],
  )
  await older.catchUp()
  await newer.catchUp()
  expect(await rows()).toEqual([10])
})

test('a process of the older version sees what the newer one has applied', async () => {
  const store = memoryStore()
  const older = onPool(store, [counts(1)])
  await older.prepare()
  older.start()
  const newer = onPool(store, [counts(2)])
  await newer.prepare()
  const { position } = await count(store, 1)
  await newer.catchUp()
  expect(await older.waitUntilCaughtUp({ types: ['CounterCounted'], position }, 5_000)).toBe(true)
  await older.stop()
})

test('neither a long look at the log nor a rival that takes its time ends a rebuild', async () => {
  // Long enough for a busy machine, and far shorter than the read takes.
  const limits = '-c idle_in_transaction_session_timeout=1s -c lock_timeout=1s'
  const options = `-c role=daybook_projector -c search_path=read ${limits}`
  const impatient = new pg.Pool({ connectionString: database.url, options })
  impatient.on('connect', (client) => client.on('error', () => {}))
  const store = memoryStore()
  await count(store, 1)
  const slow = interrupted(store, () => pause(3_000))
  const rivals = [slow, store, store].map((each) =>
    projector({ store: each, codec, database: kyselyFor(impatient), models: [counts(1)] }),
  )
  try {
    await Promise.all(rivals.map((rival) => rival.prepare()))
    await Promise.all(rivals.map((rival) => rival.rebuild()))
  } finally {
    await impatient.end()
  }
  expect(await rows()).toEqual([1])
})

test('what a rival was faster with is not applied again', async () => {
  const store = memoryStore()
  const models = [counts(1), others]
  await onPool(store, models).prepare()
  for (const by of [1, 2]) await count(store, by)
  const rival = onPool(store, models)
  const one = onPool(
    interrupted(store, () => rival.catchUp()),
    models,
  )
  await one.catchUp()
  expect(await rows()).toEqual([1, 2])
  expect(await one.status(), 'a second try would have failed at the keys').toMatchObject([
    { parked: 0, applied: 0 },
    { parked: 0, applied: 0 },
  ])
})

test('a rival that was faster with one read model takes nothing from another', async () => {
  const store = memoryStore()
  await onPool(store, [counts(1), others]).prepare()
  for (const by of [1, 2]) await count(store, by)
  const ofOne = onPool(store, [others])
  await onPool(
    interrupted(store, () => ofOne.catchUp()),
    [counts(1), others],
  ).catchUp()
  expect(await rows()).toEqual([1, 2])
  const { rows: told } = await pool.query('SELECT id FROM read.others')
  expect(told).toHaveLength(2)
})

test('what came before and after the event that cannot be applied is applied, and is told once', async () => {
  const store = memoryStore()
  const poisoned = readModel('counts', 1, { id: key, by: integer }).from(counting, {
    CounterCounted: (table, { by }, { id }) => {
      if (by === 6) throw new Error('six')
      table.insert({ id, by })
      table.remove({ by: 0 })
    },
  })
  const told: unknown[] = []
  const one = projector({
    store,
    codec,
    database: kyselyFor(pool),
    models: [poisoned],
    onError: (error) => told.push(error),
  })
  await one.prepare()
  for (const by of [1, 2, 3, 4, 5, 6, 7]) await count(store, by)
  await one.catchUp()
  await one.catchUp()
  expect(await rows()).toEqual([1, 2, 3, 4, 5])
  expect(await one.status()).toMatchObject([{ position: 7, lag: 0, parked: 2 }])
  expect(told).toHaveLength(1)
  expect(await onPool(store, [counts(1)]).retryParked()).toEqual({ applied: 2, parked: 0 })
  expect(await rows()).toEqual([1, 2, 3, 4, 5, 6, 7])
})
