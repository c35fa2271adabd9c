/** Look-ups by key: gathered into few statements, and never answered by a statement that was sent before they were asked. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { findRow, lookup } from '#kernel/projections/lookup'
import { kyselyFor } from '#kernel/projections/read-database'
import type { ReadDatabase } from '#kernel/projections/read-database'
import {
  id,
  indexDdl,
  integer,
  key,
  nullable,
  primaryKeyDdl,
  readModel,
  tableDdl,
  text,
  timestamptz,
} from '#kernel/projections/read-model'
import { servicePool } from '#kernel/store/connection'
import { preparedStatementPool } from '#kernel/store/postgres/lookup-pool'
import { testDatabase } from '#test/support/database'
import type { TestDatabase } from '#test/support/database'

const authors = readModel('authors', 1, { id: key, name: text, homeId: nullable(id) })
const bookPages = readModel('bookPages', 1, { id: key, authorId: id, pages: integer, hash: text }, ['(hash)'])

const findAuthor = lookup(authors, ['id'], (rows) => rows.select('name'))
const findPage = lookup(
  bookPages,
  ['hash'],
  (rows, { readerId }) =>
    rows
      .innerJoin(authors.as('author'), 'author.id', 'bookPages.authorId')
      .leftJoin(authors.as('reader'), (join) => join.on('reader.id', '=', readerId))
      .where('author.name', '<>', 'Nobody')
      .select(['bookPages.id', 'pages', 'author.name', 'reader.name as readerName']),
  { readerId: nullable(id) },
)

const [ADA, BOB, EVE] = [1, 2, 3].map((nth) => `0198c000-0000-7000-8000-00000000000${nth}`) as [string, string, string]

const LOOK_UPS = 100
const REPORTED_AFTER_MS = 1_200

let database: TestDatabase
let [owner, service, prepared]: Pool[] = []
let read: ReadDatabase
/** The values of each statement that was sent. */
let sent: unknown[][]
/** How many of them Postgres has answered. */
let answered: number
/** Its answers reach the process when this is resolved. */
let arrival: Promise<unknown>

/** A pool that notes what is sent, and delays the answers. */
const watched = (pool: Pool): Pool =>
  ({
    options: pool.options,
    connect: async () => watchedClient(await pool.connect()),
  }) as unknown as Pool

const watchedClient = (client: PoolClient) => ({
  release: () => client.release(),
  async query(statement: string, values: unknown[]) {
    sent.push(values)
    const answer = await client.query(statement, values).catch((error: unknown) => error)
    answered += 1
    await arrival
    if (answer instanceof Error) throw answer
    return answer
  },
})

let release = (): void => {}
afterEach(() => release())

/** Holds back all answers until `release` is called. */
function holdAnswers(): void {
  const { promise, resolve } = Promise.withResolvers<void>()
  arrival = promise
  release = resolve
}

/** Starts one statement after the other, because look-ups that are asked for together share one. */
async function underWay(...ids: readonly string[]) {
  const asked: ReturnType<typeof findAuthor>[] = []
  for (const id of ids) {
    asked.push(findAuthor(read, { id }))
    await expect.poll(() => sent.length, { timeout: 10_000 }).toBe(asked.length)
  }
  return { first: asked }
}
const twoAnswered = () => expect.poll(() => answered, { timeout: 10_000 }).toBe(2)

beforeAll(async () => {
  database = await testDatabase()
  owner = servicePool(database.url)
  service = servicePool(database.url, { role: 'daybook_service' })
  prepared = preparedStatementPool(service, 2)
  read = kyselyFor(service, undefined, watched(prepared))
})
beforeEach(async () => {
  sent = []
  answered = 0
  arrival = Promise.resolve()
  await owner!.query('DROP TABLE IF EXISTS read.authors, read.book_pages')
  for (const model of [authors, bookPages]) await owner!.query(tableDdl(model, model.name))
  await owner!.query('GRANT SELECT ON read.authors, read.book_pages TO daybook_service')
  await owner!.query(`INSERT INTO read.authors VALUES ('${ADA}', 'Ada', NULL), ('${BOB}', 'Bob', '${EVE}')`)
  await owner!.query(`INSERT INTO read.book_pages VALUES ('${EVE}', '${ADA}', 7, 'h1'), ('${BOB}', '${BOB}', 9, 'h2')`)
})
afterAll(async () => {
  for (const each of [prepared, service, owner]) await each!.end()
  await database.drop()
})

test('what is asked while two statements are under way is one statement, without duplicates, each answered its own', async () => {
  holdAnswers()
  const { first } = await underWay(ADA, BOB)
  const others = [EVE, BOB, ADA, BOB, EVE, ADA].map((id) => findAuthor(read, { id }))
  await twoAnswered()
  expect(sent).toEqual(expect.arrayContaining([[[ADA]], [[BOB]]]))
  release()
  expect(await Promise.all(first)).toEqual([{ name: 'Ada' }, { name: 'Bob' }])
  const [ada, bob] = [{ name: 'Ada' }, { name: 'Bob' }]
  expect(await Promise.all(others)).toEqual([undefined, bob, ada, bob, undefined, ada])
  expect(sent.slice(2)).toEqual([[[EVE, BOB, ADA]]])
})

test('a look-up never joins a statement under way: it sees what was changed before it was asked', async () => {
  holdAnswers()
  const { first } = await underWay(ADA, ADA)
  await twoAnswered()
  await owner!.query(`DELETE FROM read.authors WHERE id = '${ADA}'`)
  const late = findAuthor(read, { id: ADA })
  release()
  expect(await Promise.all(first)).toEqual([{ name: 'Ada' }, { name: 'Ada' }])
  expect(await late).toBeUndefined()
})

test('a thousand look-ups beside each other are answered rightly, in few statements', async () => {
  const asked = Array.from({ length: 1_000 }, (_none, nth) => [ADA, BOB, EVE, crypto.randomUUID()][nth % 4]!)
  const found = await Promise.all(asked.map((id) => findAuthor(read, { id })))
  const nameOf = new Map([
    [ADA, 'Ada'],
    [BOB, 'Bob'],
  ])
  expect(found.map((row) => row?.name)).toEqual(asked.map((id) => nameOf.get(id)))
  expect(sent.length).toBeLessThan(20)
})

test('joins, conditions and other parameters belong to each key', async () => {
  const asked = [
    { hash: 'h1', readerId: BOB },
    { hash: 'h1', readerId: null },
    { hash: 'h2', readerId: EVE },
    { hash: 'h3', readerId: ADA },
  ]
  const h1 = { id: EVE, pages: 7, name: 'Ada' }
  const h2 = { id: BOB, pages: 9, name: 'Bob' }
  expect(await Promise.all(asked.map((key) => findPage(read, key)))).toEqual([
    { ...h1, readerName: 'Bob' },
    { ...h1, readerName: null },
    { ...h2, readerName: null },
    undefined,
  ])
  await owner!.query(`UPDATE read.authors SET name = 'Nobody' WHERE id = '${ADA}'`)
  expect(await findPage(read, asked[0]!)).toBeUndefined()
})

test('a value that no column can hold finds nothing, and fails no other look-up', async () => {
  holdAnswers()
  const { first } = await underWay(ADA, BOB)
  const bad = ['x', `${ADA}x`, `{${ADA}}`, '', 7 as never, undefined as never].map((id) => findAuthor(read, { id }))
  const good = findAuthor(read, { id: ADA.toUpperCase() })
  const bothBad = [
    findPage(read, { hash: 'h1\0', readerId: null }),
    findPage(read, { hash: 'h1', readerId: 'nobody' }),
    findPage(read, { hash: null as never, readerId: null }),
  ]
  const odd = findPage(read, { hash: `{"h1",NULL}\\\uD800`, readerId: null })
  release()
  expect(new Set(await Promise.all([...bad, ...bothBad, odd]))).toEqual(new Set([undefined]))
  expect(await good).toEqual({ name: 'Ada' })
  await Promise.all(first)
})

test('a statement that fails fails for those who share it, and the next one is answered', async () => {
  holdAnswers()
  const { first } = await underWay(ADA, BOB)
  await twoAnswered()
  await owner!.query('ALTER TABLE read.authors RENAME TO gone')
  const failing = Promise.allSettled([findAuthor(read, { id: ADA }), findAuthor(read, { id: BOB })])
  release()
  await Promise.all(first)
  const [one, other] = (await failing) as PromiseRejectedResult[]
  expect([one!.status, one!.reason.code]).toEqual(['rejected', '42P01'])
  expect(other).toEqual(one)
  await owner!.query('ALTER TABLE read.gone RENAME TO authors')
  expect(await findAuthor(read, { id: ADA })).toEqual({ name: 'Ada' })
})

/** As `rebuild` swaps tables. @param ddl changes the new one */
async function rebuildAuthors(ddl: string): Promise<void> {
  await owner!.query(`BEGIN; CREATE TABLE read.authors_rebuilt AS SELECT * FROM read.authors;
    ALTER TABLE read.authors_rebuilt ${ddl}; DROP TABLE read.authors;
    ALTER TABLE read.authors_rebuilt RENAME TO authors; GRANT SELECT ON read.authors TO daybook_service; COMMIT`)
}

test.each([
  ['a column more', 'ADD COLUMN age int', { name: 'Ada' }],
  ['another order and no index', 'DROP COLUMN home_id', { name: 'Ada' }],
  ['a column of another type', "ALTER COLUMN name TYPE jsonb USING '7'::jsonb", { name: 7 }],
])('a table that is rebuilt with %s is read on the same connections', async (_what, ddl, shown) => {
  const all = () => Promise.all([ADA, BOB].map((id) => findAuthor(read, { id })))
  expect(await all()).toEqual([{ name: 'Ada' }, { name: 'Bob' }])
  const connections = prepared!.totalCount
  await rebuildAuthors(ddl)
  expect((await all())[0]).toEqual(shown)
  expect((await all())[0]).toEqual(shown)
  expect(prepared!.totalCount).toBe(connections)
})

test('a whole row is read by any of its columns, and still when the table has more of them', async () => {
  const bob = { id: BOB, name: 'Bob', homeId: EVE }
  expect(await findRow(read, authors, { id: BOB })).toEqual(bob)
  await rebuildAuthors('ADD COLUMN age int')
  expect(await findRow(read, authors, { homeId: EVE, name: 'Bob' })).toEqual(bob)
  expect(await findRow(read, authors, { homeId: EVE, name: 'Ada' })).toBeUndefined()
  await expect(findRow(read, authors, {})).rejects.toThrow('at least one value')
})

/** Backends report at most once a second, and when they are idle. */
async function rowsRead(): Promise<number> {
  await pause(REPORTED_AFTER_MS)
  await lookUpBoth()
  await pause(REPORTED_AFTER_MS)
  const { rows } = await owner!.query(
    `SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) AS read FROM pg_stat_user_tables WHERE relname = 'book_pages'`,
  )
  return Number(rows[0].read)
}

const lookUpBoth = () => Promise.all(['h1', 'h2'].map((hash) => findRow(read, bookPages, { hash })))

test('a look-up reads what it answers, with a plan made for a table of two rows', async () => {
  for (const ddl of [primaryKeyDdl(bookPages, 'bookPages'), ...indexDdl(bookPages, 'bookPages')])
    await owner!.query(ddl)
  // Postgres does not notice that the table grows.
  await owner!.query('ALTER TABLE read.book_pages SET (autovacuum_enabled = false)')
  await owner!.query('VACUUM ANALYZE read.book_pages')
  for (let nth = 0; nth < 10; nth += 1) await lookUpBoth()
  await owner!.query(
    `INSERT INTO read.book_pages SELECT gen_random_uuid(), gen_random_uuid(), 1, md5(n::text) FROM generate_series(1, 2000) AS n`,
  )
  const before = await rowsRead()
  for (let nth = 0; nth < LOOK_UPS; nth += 1) await lookUpBoth()
  // Two rows each time, and a few that a backend reports late.
  expect(((await rowsRead()) - before) / LOOK_UPS).toBeLessThan(3)
})

test('without a pool for look-ups, the database itself is asked', async () => {
  expect(await findAuthor(kyselyFor(service!), { id: ADA })).toEqual({ name: 'Ada' })
  expect(sent).toEqual([])
})

test('a key of a type that was not considered is refused where it is declared', () => {
  const days = readModel('days', 1, { at: timestamptz })
  expect(() => lookup(days, ['at'], (rows) => rows.select('at'))).toThrow('at, which is timestamptz')
})
