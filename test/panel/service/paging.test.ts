/** The form of the panel's lists: pages on request, the newest rows otherwise, and always the total number. */
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { Answer } from '#kernel/http/route'
import { kyselyFor } from '#kernel/projections/read-database'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { otherTable } from '#kernel/projections/read-model'
import { arrayList, arrayListReply, arrayListQuery } from '#kernel/resource/array-lists'
import { servicePool } from '#kernel/store/connection'
import { testDatabase } from '#test/support/database'
import type { TestDatabase } from '#test/support/database'

let database: TestDatabase
let pool: Pool
let read: ReadDatabase
beforeAll(async () => {
  database = await testDatabase()
  pool = servicePool(database.url)
  read = kyselyFor(pool)
  await pool.query(
    'CREATE TABLE public.thing (id int PRIMARY KEY, created_at timestamptz NOT NULL, kind text NOT NULL)',
  )
  await pool.query(
    `INSERT INTO public.thing SELECT n, '2026-01-01T00:00:00Z'::timestamptz + n / 7 * interval '1 s',
      CASE WHEN n <= 3 THEN 'few' WHEN n <= 1003 THEN 'thousand' ELSE 'many' END FROM generate_series(1, 2103) n`,
  )
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const query = arrayListQuery({ kind: z.string().optional() })
const Reply = arrayListReply(z.object({ id: z.int() }))

const thingsIn = (table: string) => otherTable<{ id: number; createdAt: string; kind: string }>(table).as('thing')

async function list(asked: Record<string, string>) {
  const ask = query.parse(asked)
  const rows = read.selectFrom(thingsIn('public.thing')).selectAll()
  const chosen = ask.kind === undefined ? rows : rows.where('kind', '=', ask.kind)
  const reply = await arrayList(chosen, ask, (things) => things)
  expect(reply).toBeInstanceOf(Answer)
  const body = Reply.parse(reply.body)
  const items = Array.isArray(body) ? body : body.items
  return { body, ids: items.map(({ id }) => id), headers: reply.headers }
}

const from = (first: number, count: number): number[] => Array.from({ length: count }, (_each, index) => first - index)

test('without pages a list is an array of all, the newest first, with their number', async () => {
  const { body, headers } = await list({ kind: 'few' })
  expect(body).toEqual([{ id: 3 }, { id: 2 }, { id: 1 }])
  expect(headers).toEqual({ 'Total-Count': '3' })
})

test('an array is cut after a thousand, and says where the others are', async () => {
  const { ids, headers } = await list({ kind: 'many' })
  expect(ids).toEqual(from(2103, 1000))
  expect(headers).toEqual({ 'Total-Count': '1100', Link: '<?kind=many&page=11&pageSize=100>; rel="next"' })
  const next = await list({ kind: 'many', page: '11', pageSize: '100' })
  expect(next.ids).toEqual(from(1103, 100))
  expect(next.headers).toEqual({ 'Total-Count': '1100' })
})

test('an array of exactly a thousand is not cut', async () => {
  const { ids, headers } = await list({ kind: 'thousand' })
  expect(ids).toHaveLength(1000)
  expect(headers).toEqual({ 'Total-Count': '1000' })
})

test('pages follow one another without a gap and say how many there are', async () => {
  const seen: number[] = []
  for (const page of ['1', '2', '3']) {
    const { body, ids, headers } = await list({ kind: 'many', page, pageSize: '40' })
    expect(body).toMatchObject({ total: 1100, page: Number(page), pageSize: 40 })
    expect(headers).toMatchObject({ Link: `<?kind=many&page=${Number(page) + 1}&pageSize=40>; rel="next"` })
    seen.push(...ids)
  }
  expect(seen).toEqual(from(2103, 120))
})

test.each([
  { page: '1', pageSize: '3', items: 3 },
  { page: '1', pageSize: '4', items: 3 },
  { page: '2', pageSize: '3', items: 0 },
  { page: '9', pageSize: '100', items: 0 },
])('page $page of $pageSize at the end has $items items of 3', async ({ page, pageSize, items }) => {
  const { body, ids, headers } = await list({ kind: 'few', page, pageSize })
  expect(ids).toHaveLength(items)
  expect(body).toMatchObject({ total: 3 })
  expect(headers).toEqual({ 'Total-Count': '3' })
})

test('a page beyond 100,000 rows is refused before the database is asked', async () => {
  const nowhere = read.selectFrom(thingsIn('public.nowhere')).selectAll()
  const asked = query.parse({ page: '1002', pageSize: '100' })
  await expect(arrayList(nowhere, asked, (all) => all)).rejects.toMatchObject({
    statusCode: 400,
    code: 'PAGE_TOO_DEEP',
  })
  expect(await list({ kind: 'few', page: '1001', pageSize: '100' })).toMatchObject({ ids: [] })
})

test('a list of nothing has none', async () => {
  expect(await list({ kind: 'none' })).toMatchObject({ body: [], headers: { 'Total-Count': '0' } })
})

test.each([
  { page: '1' },
  { pageSize: '10' },
  { page: '0', pageSize: '10' },
  { page: '1', pageSize: '101' },
  { page: '1', pageSize: '0' },
  { page: 'x', pageSize: '10' },
  { page: '1.5', pageSize: '10' },
  { limit: '10' },
])('%o is no page', (asked) => {
  expect(query.safeParse(asked).success).toBe(false)
})
