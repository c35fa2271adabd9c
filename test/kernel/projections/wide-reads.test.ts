/** Wide reads, and their effect on all other requests. */
import type { Pool } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { pagination } from '#kernel/http/pagination'
import { kyselyFor } from '#kernel/projections/read-database'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { otherTable, sql } from '#kernel/projections/read-model'
import { patientRead } from '#kernel/projections/wide-reads'
import { arrayList } from '#kernel/resource/array-lists'
import { servicePool, widePool } from '#kernel/store/connection'
import { testDatabase } from '#test/support/database'
import type { TestDatabase } from '#test/support/database'

/** More than the connections for wide reads and the connections of the service together. */
const AT_ONCE = 20
const HANGS_MS_MAX = 10_000

let database: TestDatabase
let [pool, wide, owner]: Pool[] = []
let read: ReadDatabase
beforeAll(async () => {
  database = await testDatabase()
  owner = servicePool(database.url, { max: 2 })
  pool = servicePool(database.url)
  wide = widePool(pool)
  read = kyselyFor(pool, wide)
  await owner.query('CREATE TABLE public.thing (id int PRIMARY KEY, created_at timestamptz NOT NULL DEFAULT now())')
  await owner.query('INSERT INTO public.thing SELECT generate_series(1, 60)')
})
afterAll(async () => {
  for (const each of [wide, pool, owner]) await each!.end()
  await database.drop()
})

let unlock = async (): Promise<void> => {}
afterEach(() => unlock())

/** Locks the table, so that a read takes as long as with any number of rows. */
async function lock(): Promise<void> {
  const client = await owner!.connect()
  await client.query('BEGIN; LOCK TABLE public.thing')
  unlock = async () => {
    unlock = async () => {}
    await client.query('COMMIT')
    client.release()
  }
}

const things = pagination({ filters: {}, sort: ['createdAt'] })
const thing = otherTable<{ id: number; createdAt: string }>('public.thing').as('thing')
const rows = (from: ReadDatabase) => from.selectFrom(thing).selectAll()
const aPage = (from: ReadDatabase) => things.list(rows(from), things.query.parse({ page: 1 }))
const WAYS: Readonly<Record<string, (from: ReadDatabase) => Promise<unknown>>> = {
  'a page': aPage,
  'a stretch by cursor': (from) => things.list(rows(from), things.query.parse({ limit: 10 })),
  'a list of the panel': (from) => arrayList(rows(from), {}, (found) => found),
}

describe('what reads too much, in each way', () => {
  /** Each way has connections of its own for wide reads, so that all of them wait for the time limit at once. */
  const inEachWay = (prove: (list: () => Promise<unknown>, from: ReadDatabase, way: string) => Promise<void>) =>
    Promise.all(
      Object.entries(WAYS).map(async ([way, list]) => {
        const apart = widePool(pool!)
        const from = kyselyFor(pool!, apart)
        onTestFinished(() => apart.end())
        await prove(() => list(from), from, way)
      }),
    )

  test('is refused, and Postgres is done with it', async () => {
    await lock()
    const startedMs = performance.now()
    await inEachWay(async (list, _from, way) => {
      await expect(list(), way).rejects.toMatchObject({ statusCode: 503, code: 'READ_TOO_LONG' })
      expect(performance.now() - startedMs, way).toBeLessThan(HANGS_MS_MAX)
    })
    const left = () =>
      owner!.query(
        `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query LIKE '%thing%'
          AND pid <> pg_backend_pid()`,
      )
    // Postgres shows the state shortly after it has answered. While the table is locked, a statement that goes on would stay.
    await expect.poll(async () => (await left()).rows).toEqual([])
  })

  test('costs what is asked beside it nothing, however many ask', async () => {
    await lock()
    await inEachWay(async (list, from, way) => {
      const lists = Array.from({ length: AT_ONCE }, () => list().catch((error: unknown) => error))
      await Promise.all(Array.from({ length: 50 }, () => from.selectNoFrom(sql`1`.as('one')).execute()))
      const codes = (await Promise.all(lists)).map((error) => (error as { code: string }).code)
      expect(new Set(codes), way).toEqual(new Set(['READ_TOO_LONG', 'READS_BUSY']))
    })
  })
})

test('a read that has begun to answer waits for its turn', async () => {
  const list = () => aPage(read)
  const held = await Promise.all([wide!.connect(), wide!.connect()])
  const patient = patientRead(list)
  // It waits as long as one try of the patient read.
  await expect(list()).rejects.toMatchObject({ statusCode: 503, code: 'READS_BUSY' })
  for (const each of held) each.release()
  expect(await patient).toMatchObject({ total: 60 })
})

test('a database that is away is told apart from a crowd', async () => {
  const nowhere = servicePool('postgresql://127.0.0.1:1/nowhere')
  const apart = widePool(nowhere)
  const away = things.list(rows(kyselyFor(nowhere, apart)), things.query.parse({}))
  await expect(away).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  await Promise.all([nowhere.end(), apart.end()])
})

test('a wide read keeps no more than one core busy', async () => {
  const { rows: settings } = await wide!.query(`SELECT current_setting('max_parallel_workers_per_gather') AS workers`)
  expect(settings).toEqual([{ workers: '0' }])
})
