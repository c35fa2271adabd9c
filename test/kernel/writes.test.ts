/** Rows that gather mean the same as rows that are written one by one. */
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { Writes } from '#kernel/writes'
import { testDatabase } from '#test/database'

const { url, drop } = await testDatabase()
const statements: string[] = []
const db = new Kysely<any>({
  dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 2 }) }),
  log: ({ query }) => void statements.push(query.sql.split(' ')[0]!),
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

const thing = (id: number, kind = 'a', note: string | null = null) => ({ id, kind, note })

test('many rows are one statement', async () => {
  const { rows, sent } = await written(async (writes) => {
    for (let id = 1; id <= 100; id += 1) await writes.insert('thing', thing(id))
  })
  expect(rows).toEqual(Array.from({ length: 100 }, (_none, nth) => thing(nth + 1)))
  expect(sent.filter((word) => word === 'insert')).toHaveLength(1)
})

test('more rows than a statement takes are some statements', async () => {
  const { rows } = await written(async (writes) => {
    for (let id = 1; id <= 1_200; id += 1) await writes.insert('thing', thing(id))
  })
  expect(rows).toHaveLength(1_200)
})

test('a change to a row that waits goes along with it, whoever else waits', async () => {
  const { rows, sent } = await written(async (writes) => {
    for (const id of [1, 2, 3]) {
      await writes.insert('thing', thing(id))
      await writes.update('thing', { id }, { note: `of ${id}` }, true)
    }
  })
  expect(rows).toEqual([thing(1, 'a', 'of 1'), thing(2, 'a', 'of 2'), thing(3, 'a', 'of 3')])
  expect(sent).not.toContain('update')
})

test('a change to many rows meets those before it and none after it', async () => {
  const { rows } = await written(async (writes) => {
    await writes.insert('thing', thing(1))
    await writes.insert('thing', thing(2, 'b'))
    await writes.update('thing', { kind: 'a' }, { note: 'changed' }, false)
    await writes.insert('thing', thing(3))
  })
  expect(rows).toEqual([thing(1, 'a', 'changed'), thing(2, 'b'), thing(3)])
})

test('a row can be removed, made again and changed in one transaction', async () => {
  await written((writes) => writes.insert('thing', thing(1, 'a', 'old')))
  const { rows } = await written(async (writes) => {
    await writes.update('thing', { id: 1 }, { note: 'older' }, true)
    await writes.remove('thing', { id: 1 })
    await writes.insert('thing', thing(1, 'b'))
    await writes.update('thing', { id: 1 }, { note: 'new' }, true)
  })
  expect(rows).toEqual([thing(1, 'b', 'new')])
})

test('what cannot be written fails before the transaction ends', async () => {
  const twice = written(async (writes) => {
    await writes.insert('thing', thing(1))
    await writes.insert('thing', thing(1))
  })
  await expect(twice).rejects.toThrow('duplicate key')
  expect(await db.selectFrom('thing').selectAll().execute()).toEqual([])
})
