import { Client } from 'pg'
import { afterAll, expect, test } from 'vitest'
import { testDatabase, type TestDatabase } from '../support/database.ts'

const databases: TestDatabase[] = []
afterAll(() => Promise.all(databases.map((each) => each.drop())))

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return client
    .query(sql)
    .then(({ rows }) => rows)
    .finally(() => client.end())
}

test('every caller gets a migrated database of its own', async () => {
  databases.push(...(await Promise.all([testDatabase(), testDatabase()])))
  const [one, other] = databases.map(({ url }) => url) as [string, string]
  await query(one, 'CREATE TABLE only_here (x int)')
  expect(await query(other, `SELECT to_regclass('only_here') AS found, to_regclass('store.event') AS event`)).toEqual([
    { found: null, event: 'store.event' },
  ])
})

test('the run has a server on which durability is real', async () => {
  databases.push(await testDatabase())
  expect(await query(databases.at(-1)!.url, `SELECT current_setting('fsync') AS fsync`)).toEqual([{ fsync: 'on' }])
})
