/** Lists by cursor over a table that other transactions change between pages. */
import fc from 'fast-check'
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import type { Pool } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { pagination } from '#kernel/http/pagination'
import { containsText } from '#kernel/lib/text-search'
import { kyselyFor } from '#kernel/projections/read-database'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { otherTable } from '#kernel/projections/read-model'
import { servicePool } from '#kernel/store/connection'
import { testDatabase } from '#test/support/database'
import type { TestDatabase } from '#test/support/database'

const RUNS = 60

let database: TestDatabase
let pool: Pool
let read: ReadDatabase
beforeAll(async () => {
  database = await testDatabase()
  pool = servicePool(database.url)
  read = kyselyFor(pool)
  await pool.query(
    'CREATE TABLE public.thing (id uuid PRIMARY KEY, created_at timestamptz NOT NULL, name text COLLATE "C" NOT NULL)',
  )
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})
beforeEach(() => pool.query('TRUNCATE public.thing'))

const things = pagination({ filters: {}, sort: ['createdAt', 'name'] })

interface Thing {
  readonly id: string
  readonly createdAt: string
  readonly name: string
}

const thing = otherTable<Thing>('public.thing').as('thing')

/** Few times and few names, so that many rows tie. */
const someRows = fc.array(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.constantFrom('a', 'b', 'ß', '%', "'")), {
  maxLength: 25,
})

async function insert(rows: readonly (readonly [number, string])[]): Promise<void> {
  for (const [second, name] of rows)
    await pool.query('INSERT INTO public.thing VALUES ($1, $2, $3)', [
      uuidv7(),
      `2026-01-01T00:00:0${second}.500Z`,
      name,
    ])
}

async function page(ask: object): Promise<{ items: readonly Thing[]; nextCursor: string | null }> {
  const query = things.query.parse(ask)
  return (await things.list(read.selectFrom(thing).selectAll(), query)) as never
}

async function all(sort: string): Promise<readonly string[]> {
  const ids: string[] = []
  for (let number = 1; ; number += 1) {
    const { items } = await page({ sort, page: number, pageSize: 100 })
    ids.push(...items.map(({ id }) => id))
    if (items.length < 100) return ids
  }
}

test('a walk shows every row that was there at its beginning once and in order, whatever is added meanwhile', async () => {
  await fc.assert(
    fc.asyncProperty(
      someRows,
      fc.array(someRows, { maxLength: 6 }),
      fc.integer({ min: 1, max: 7 }),
      fc.constantFrom('createdAt', '-createdAt', 'name', '-name'),
      async (before, meanwhile, limit, sort) => {
        await pool.query('TRUNCATE public.thing')
        await insert(before)
        const there = await all(sort)
        const walked: string[] = []
        let cursor: string | null = null
        for (let step = 0; step === 0 || cursor !== null; step += 1) {
          const next = await page({ sort, limit, ...(cursor === null ? {} : { cursor }) })
          expect(next.items.length).toBeLessThanOrEqual(limit)
          walked.push(...next.items.map(({ id }) => id))
          cursor = next.nextCursor
          await insert(meanwhile[step] ?? [])
        }
        expect(new Set(walked).size, 'no row twice').toBe(walked.length)
        expect(walked.filter((id) => there.includes(id))).toEqual(there)
        const now = await all(sort)
        expect(walked, 'in the order of the list').toEqual(now.filter((id) => walked.includes(id)))
      },
    ),
    { numRuns: RUNS },
  )
})

test('rows that go away while they are walked through hide no other', async () => {
  await insert(Array.from({ length: 20 }, (_, nth) => [nth % 3, 'a']))
  const there = await all('createdAt')
  const { items, nextCursor } = await page({ sort: 'createdAt', limit: 5 })
  await pool.query('DELETE FROM public.thing WHERE id = ANY ($1)', [items.map(({ id }) => id)])
  const rest = await page({ sort: 'createdAt', limit: 100, cursor: nextCursor })
  expect(rest.items.map(({ id }) => id)).toEqual(there.slice(5))
  expect(rest.nextCursor).toBeNull()
})

describe('a cursor', () => {
  test('is good in its own order only', async () => {
    await insert([
      [1, 'a'],
      [2, 'b'],
    ])
    const { nextCursor: cursor } = await page({ sort: 'name', limit: 1 })
    for (const sort of ['-name', 'createdAt'])
      await expect(page({ sort, cursor })).rejects.toMatchObject({ statusCode: 400, code: 'BAD_CURSOR' })
    await expect(page({ sort: 'name', cursor, page: 1 })).rejects.toMatchObject({ statusCode: 400 })
  })

  test('of any text is refused or leads somewhere, and is never an error of ours', async () => {
    await insert([[1, 'a']])
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json().map((json) => Buffer.from(json).toString('base64url')),
      fc
        .tuple(fc.constantFrom('createdAt', '-createdAt', 'x'), fc.jsonValue(), fc.jsonValue())
        .map((place) => Buffer.from(JSON.stringify(place)).toString('base64url')),
    )
    await fc.assert(
      fc.asyncProperty(text, async (cursor) => {
        if (cursor.length > 512) return
        const outcome = await page({ sort: 'createdAt', cursor }).catch(
          (error: { statusCode?: number }) => error.statusCode,
        )
        expect(typeof outcome === 'object' || outcome === 400, JSON.stringify(outcome)).toBe(true)
      }),
      { numRuns: RUNS * 3 },
    )
  })
})

describe('a page', () => {
  /** A table that does not exist: a query of it fails. */
  const nowhere = () => read.selectFrom(otherTable<Thing>('public.nowhere').as('thing')).selectAll()
  const deep = (ask: object) => things.list(nowhere(), things.query.parse(ask))

  test.each([{ page: 1_000_000, pageSize: 100 }, { page: 4_002 }, { page: 1_002, pageSize: 100 }])(
    'beyond 100,000 rows is refused before the database is asked: %o',
    async (ask) => {
      await expect(deep(ask)).rejects.toMatchObject({ statusCode: 400, code: 'PAGE_TOO_DEEP' })
    },
  )

  test.each([{ page: 4_001 }, { page: 1_001, pageSize: 100 }])('up to there it is asked for: %o', async (ask) => {
    await expect(deep(ask)).rejects.toMatchObject({ code: '42P01' })
    expect(await page(ask)).toMatchObject({ items: [], page: ask.page })
  })
})

test('a walk by cursor reads the rows of its page, however far it has come', async () => {
  await pool.query(`INSERT INTO public.thing
    SELECT gen_random_uuid(), '2026-01-01'::timestamptz + n * interval '1 s', 'n' FROM generate_series(1, 20000) n`)
  await pool.query('CREATE INDEX IF NOT EXISTS thing_list ON public.thing (created_at, id); ANALYZE public.thing')
  const asked: { sql: string; parameters: readonly unknown[] }[] = []
  const heard = new Kysely<object>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin()],
    log: ({ query: { sql, parameters } }) => void asked.push({ sql, parameters }),
  })
  const walk = async (ask: object) =>
    (await things.list(heard.selectFrom(thing).selectAll(), things.query.parse(ask))) as {
      items: readonly Thing[]
      nextCursor: string
    }
  const far = Buffer.from(
    JSON.stringify(['-createdAt', '2026-01-01T01:00:00Z', '00000000-0000-0000-0000-000000000000']),
  ).toString('base64url')
  expect((await walk({ cursor: far, limit: 25 })).items).toHaveLength(25)
  expect(asked).toHaveLength(1)
  const [{ sql, parameters }] = asked as [(typeof asked)[number]]
  const { rows } = await pool.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, [...parameters])
  const read = [...JSON.stringify(rows).matchAll(/"Actual Rows":([\d.]+)/g)].map(([, number]) => Number(number))
  expect(Math.max(...read)).toBeLessThanOrEqual(26)
  expect(JSON.stringify(rows)).toContain('Index Cond')
})

test('a search takes its text as it is', async () => {
  await insert([
    [1, 'a'],
    [1, 'A%b'],
    [1, 'a_c'],
    [1, String.raw`a\d`],
  ])
  const found = async (text: string) => {
    const rows = await read
      .selectFrom(thing)
      .selectAll()
      .where(containsText(['name'], text))
      .execute()
    return rows.map(({ name }) => name).toSorted()
  }
  expect(await found('a')).toEqual(['A%b', 'a', String.raw`a\d`, 'a_c'].toSorted())
  expect(await found('%')).toEqual(['A%b'])
  expect(await found('_')).toEqual(['a_c'])
  expect(await found('\\')).toEqual([String.raw`a\d`])
})
