/** Buffered rows have the same result as rows that are written one by one. */
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { inCopyTransaction, kyselyFor } from '#kernel/projections/read-database'
import { RowBuffer } from '#kernel/projections/row-buffer'
import type { TableSchema } from '#kernel/projections/row-buffer'
import { testDatabase } from '#test/support/database'

const { url, drop } = await testDatabase()
const statements: string[] = []
const db = new Kysely<any>({
  dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 2 }) }),
  log: ({ query }) => void statements.push(query.sql.split(' ')[0]!.toLowerCase()),
})
const pool = new pg.Pool({ connectionString: url, max: 2 })
const copied = kyselyFor(pool)
afterAll(async () => {
  await pool.end()
  await db.destroy()
  await drop()
})

beforeEach(async () => {
  await db.schema.dropTable('thing').ifExists().execute()
  await db.schema
    .createTable('thing')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('kind', 'text')
    .addColumn('note', 'text')
    .execute()
})

async function written(work: (writes: RowBuffer) => void) {
  const writes = new RowBuffer()
  work(writes)
  await db.transaction().execute((transaction) => {
    statements.length = 0
    return writes.flush({ transaction })
  })
  return { rows: await db.selectFrom('thing').selectAll().orderBy('id').execute(), sent: [...statements] }
}

const things: TableSchema = {
  name: 'thing',
  primaries: ['id'],
  columns: ['id', 'kind', 'note'].map((field) => ({ field, kind: 'plain' })),
  keyOf: ({ id }) => String(id),
}
const thing = (id: number, kind = 'a', note: string | null = null) => ({ id, kind, note })

test('many rows are one statement', async () => {
  const { rows, sent } = await written((writes) => {
    for (let id = 1; id <= 100; id += 1) writes.insert(things, thing(id))
  })
  expect(rows).toEqual(Array.from({ length: 100 }, (_none, nth) => thing(nth + 1)))
  expect(sent.filter((word) => word === 'insert')).toHaveLength(1)
})

test('more rows than a statement takes are some statements', async () => {
  const { rows } = await written((writes) => {
    for (let id = 1; id <= 4_200; id += 1) writes.insert(things, thing(id))
  })
  expect(rows).toHaveLength(4_200)
})

test('a change to a row that waits goes along with it, whoever else waits', async () => {
  const { rows, sent } = await written((writes) => {
    for (const id of [1, 2, 3]) {
      writes.insert(things, thing(id))
      writes.update(things, { id }, { note: `of ${id}` })
    }
  })
  expect(rows).toEqual([thing(1, 'a', 'of 1'), thing(2, 'a', 'of 2'), thing(3, 'a', 'of 3')])
  expect(sent).not.toContain('update')
})

test('a change to many rows meets those before it and none after it', async () => {
  const { rows } = await written((writes) => {
    writes.insert(things, thing(1))
    writes.insert(things, thing(2, 'b'))
    writes.update(things, { kind: 'a' }, { note: 'changed' })
    writes.insert(things, thing(3))
  })
  expect(rows).toEqual([thing(1, 'a', 'changed'), thing(2, 'b'), thing(3)])
})

test('changes to many rows that are there are one statement for each set of columns, and later ones win', async () => {
  await written((writes) => {
    for (let id = 1; id <= 50; id += 1) writes.insert(things, thing(id))
  })
  const { rows, sent } = await written((writes) => {
    for (let id = 1; id <= 50; id += 1) writes.update(things, { id }, { note: 'first' })
    for (let id = 1; id <= 50; id += 1) writes.update(things, { id }, { note: `of ${id}` })
    for (let id = 41; id <= 50; id += 1) writes.update(things, { id }, { kind: 'late', note: undefined })
  })
  expect(rows).toEqual(
    Array.from({ length: 50 }, (_none, nth) => thing(nth + 1, nth < 40 ? 'a' : 'late', `of ${nth + 1}`)),
  )
  expect(sent.filter((word) => word === 'update')).toHaveLength(2)
})

test('a change of the key itself, and one to null, are made', async () => {
  await written((writes) => writes.insert(things, thing(1, 'a', 'old')))
  const { rows } = await written((writes) => {
    writes.update(things, { id: 1 }, { id: 2 })
    writes.update(things, { id: 2 }, { note: null })
    writes.update(things, { note: null }, { kind: 'empty' })
  })
  expect(rows).toEqual([thing(2, 'empty', null)])
})

test('a row can be removed, made again and changed in one transaction', async () => {
  await written((writes) => writes.insert(things, thing(1, 'a', 'old')))
  const { rows } = await written((writes) => {
    writes.update(things, { id: 1 }, { note: 'older' })
    writes.remove(things, { id: 1 })
    writes.insert(things, thing(1, 'b'))
    writes.update(things, { id: 1 }, { note: 'new' })
  })
  expect(rows).toEqual([thing(1, 'b', 'new')])
})

test('what cannot be written fails before the transaction ends', async () => {
  const twice = written((writes) => {
    writes.insert(things, thing(1))
    writes.insert(things, thing(1))
  })
  await expect(twice).rejects.toThrow('duplicate key')
  expect(await db.selectFrom('thing').selectAll().execute()).toEqual([])
})

test('a row that is made and removed in one stretch is gone, and can be made again', async () => {
  const { rows } = await written((writes) => {
    writes.insert(things, thing(1, 'a'))
    writes.remove(things, { id: 1 })
    writes.update(things, { id: 1 }, { note: 'of nothing' })
    writes.insert(things, thing(2, 'b'))
    writes.remove(things, { id: 2 })
    writes.insert(things, thing(2, 'c'))
  })
  expect(rows).toEqual([thing(2, 'c')])
})

test('a row that is there is not replaced by one that is made and removed', async () => {
  await written((writes) => writes.insert(things, thing(1)))
  const again = written((writes) => {
    writes.insert(things, thing(1))
    writes.remove(things, { id: 1 })
  })
  await expect(again).rejects.toThrow('duplicate key')
})

test('a change to one row that must also look a certain way is made when it does', async () => {
  await written((writes) => {
    for (const id of [1, 2, 3, 4]) writes.insert(things, thing(id, 'a', 'old'))
  })
  const { rows, sent } = await written((writes) => {
    writes.update(things, { id: 1, note: 'old' }, { note: 'new' })
    writes.update(things, { id: 2, note: 'other' }, { note: 'new' })
    writes.update(things, { id: 3 }, { note: null })
    writes.update(things, { id: 3, note: null }, { kind: 'b' })
    writes.update(things, { id: 3, note: 'old' }, { kind: 'c' })
    writes.insert(things, thing(5, 'a', 'old'))
    writes.update(things, { id: 5, note: 'old' }, { note: null })
    writes.update(things, { id: 4, note: 'old' }, { note: null })
    writes.remove(things, { id: 4, note: null })
  })
  expect(rows).toEqual([thing(1, 'a', 'new'), thing(2, 'a', 'old'), thing(3, 'b'), thing(5)])
  expect(sent.filter((word) => word === 'update').length).toBeLessThan(4)
})

test('rows that are copied are what rows that are inserted are', async () => {
  await db.schema.dropTable('thing').execute()
  await sql`CREATE TABLE thing (id int PRIMARY KEY, kind text, tags text[], detail jsonb, at timestamptz, is_on boolean)`.execute(
    db,
  )
  const kinds = { id: 'plain', kind: 'plain', tags: 'array', detail: 'json', at: 'plain', isOn: 'plain' } as const
  const columns = Object.entries(kinds).map(([field, kind]) => ({ field, kind }))
  const strange = ['', '\\N', '\t\n\r\\"', 'ä€𝄞', '{a,"b"}', 'NULL']
  const all = Array.from({ length: 120 }, (_none, id) => ({
    id,
    kind: id % 7 === 0 ? null : strange[id % 6],
    tags: id % 5 === 0 ? [] : strange,
    detail: [{ [strange[id % 6]!]: strange }, 'text', 1.5, null, [true]][id % 5],
    at: '2026-11-20T07:00:00.123Z',
    ...(id % 2 === 0 ? { isOn: id % 4 === 0 } : {}),
  }))
  const content = () => sql`SELECT thing::text FROM thing ORDER BY id`.execute(db).then(({ rows }) => rows)
  const write = async (rows: readonly object[]) => {
    const writes = new RowBuffer()
    for (const row of rows) writes.insert({ ...things, columns }, row as { id: number })
    await inCopyTransaction(copied, (place) => writes.flush(place))
  }
  for (const row of all) await write([row])
  const inserted = await content()
  await sql`TRUNCATE thing`.execute(db)
  await write(all)
  expect(await content()).toEqual(inserted)
})

test('rows whose story has many turns cost as many statements as one of them', async () => {
  const { rows, sent } = await written((writes) => {
    for (let id = 1; id <= 50; id += 1) {
      writes.insert(things, thing(id))
      writes.remove(things, { id })
      writes.insert(things, thing(id, 'b'))
      writes.remove(things, { id })
      writes.insert(things, thing(id, 'c'))
    }
  })
  expect(rows).toEqual(Array.from({ length: 50 }, (_none, nth) => thing(nth + 1, 'c')))
  expect(sent.slice(0, 6)).toEqual(['insert', 'delete', 'insert', 'delete', 'insert', 'commit'])
})

test('a few rows for several tables are one statement, and none of them is kept when one is refused', async () => {
  await db.schema.dropTable('other').ifExists().execute()
  await sql`CREATE TABLE other (LIKE thing INCLUDING ALL)`.execute(db)
  const others = { ...things, name: 'other' }
  const { rows, sent } = await written((writes) => {
    writes.insert(things, thing(1))
    writes.insert(others, thing(7, 'b'))
    writes.update(others, { id: 7 }, { note: 'of seven' })
  })
  expect(rows).toEqual([thing(1)])
  expect(sent.slice(0, 2)).toEqual(['with', 'commit'])
  const other = () => db.selectFrom('other').selectAll().execute()
  expect(await other()).toEqual([thing(7, 'b', 'of seven')])
  const refused = written((writes) => {
    writes.insert(others, thing(8))
    writes.insert(things, thing(1))
  })
  await expect(refused).rejects.toThrow('duplicate key')
  expect(await other()).toHaveLength(1)
})
