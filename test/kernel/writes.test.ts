/** Rows that gather mean the same as rows that are written one by one. */
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { Writes } from '#kernel/writes'
import type { WrittenTable } from '#kernel/writes'
import { testDatabase } from '#test/database'

const { url, drop } = await testDatabase()
const statements: string[] = []
const db = new Kysely<any>({
  dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 2 }) }),
  log: ({ query }) => void statements.push(query.sql.split(' ')[0]!.toLowerCase()),
})
afterAll(async () => {
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

async function written(work: (writes: Writes) => Promise<void>) {
  await db.transaction().execute(async (transaction) => {
    const writes = new Writes(transaction)
    statements.length = 0
    await work(writes)
    await writes.end()
  })
  return { rows: await db.selectFrom('thing').selectAll().orderBy('id').execute(), sent: [...statements] }
}

const things: WrittenTable = { name: 'thing', primaries: ['id'], keyOf: ({ id }) => String(id) }
const thing = (id: number, kind = 'a', note: string | null = null) => ({ id, kind, note })

test('many rows are one statement', async () => {
  const { rows, sent } = await written(async (writes) => {
    for (let id = 1; id <= 100; id += 1) await writes.insert(things, thing(id))
  })
  expect(rows).toEqual(Array.from({ length: 100 }, (_none, nth) => thing(nth + 1)))
  expect(sent.filter((word) => word === 'insert')).toHaveLength(1)
})

test('more rows than a statement takes are some statements', async () => {
  const { rows } = await written(async (writes) => {
    for (let id = 1; id <= 4_200; id += 1) await writes.insert(things, thing(id))
  })
  expect(rows).toHaveLength(4_200)
})

test('a change to a row that waits goes along with it, whoever else waits', async () => {
  const { rows, sent } = await written(async (writes) => {
    for (const id of [1, 2, 3]) {
      await writes.insert(things, thing(id))
      await writes.update(things, { id }, { note: `of ${id}` })
    }
  })
  expect(rows).toEqual([thing(1, 'a', 'of 1'), thing(2, 'a', 'of 2'), thing(3, 'a', 'of 3')])
  expect(sent).not.toContain('update')
})

test('a change to many rows meets those before it and none after it', async () => {
  const { rows } = await written(async (writes) => {
    await writes.insert(things, thing(1))
    await writes.insert(things, thing(2, 'b'))
    await writes.update(things, { kind: 'a' }, { note: 'changed' })
    await writes.insert(things, thing(3))
  })
  expect(rows).toEqual([thing(1, 'a', 'changed'), thing(2, 'b'), thing(3)])
})

test('changes to many rows that are there are one statement for each set of columns, and later ones win', async () => {
  await written(async (writes) => {
    for (let id = 1; id <= 50; id += 1) await writes.insert(things, thing(id))
  })
  const { rows, sent } = await written(async (writes) => {
    for (let id = 1; id <= 50; id += 1) await writes.update(things, { id }, { note: 'first' })
    for (let id = 1; id <= 50; id += 1) await writes.update(things, { id }, { note: `of ${id}` })
    for (let id = 41; id <= 50; id += 1) await writes.update(things, { id }, { kind: 'late', note: undefined })
  })
  expect(rows).toEqual(
    Array.from({ length: 50 }, (_none, nth) => thing(nth + 1, nth < 40 ? 'a' : 'late', `of ${nth + 1}`)),
  )
  expect(sent.filter((word) => word === 'update')).toHaveLength(2)
})

test('a change of the key itself, and one to null, are made', async () => {
  await written((writes) => writes.insert(things, thing(1, 'a', 'old')))
  const { rows } = await written(async (writes) => {
    await writes.update(things, { id: 1 }, { id: 2 })
    await writes.update(things, { id: 2 }, { note: null })
    await writes.update(things, { note: null }, { kind: 'empty' })
  })
  expect(rows).toEqual([thing(2, 'empty', null)])
})

test('a row can be removed, made again and changed in one transaction', async () => {
  await written((writes) => writes.insert(things, thing(1, 'a', 'old')))
  const { rows } = await written(async (writes) => {
    await writes.update(things, { id: 1 }, { note: 'older' })
    await writes.remove(things, { id: 1 })
    await writes.insert(things, thing(1, 'b'))
    await writes.update(things, { id: 1 }, { note: 'new' })
  })
  expect(rows).toEqual([thing(1, 'b', 'new')])
})

test('what cannot be written fails before the transaction ends', async () => {
  const twice = written(async (writes) => {
    await writes.insert(things, thing(1))
    await writes.insert(things, thing(1))
  })
  await expect(twice).rejects.toThrow('duplicate key')
  expect(await db.selectFrom('thing').selectAll().execute()).toEqual([])
})
