/** The queries that the gate makes before every request are prepared once in each connection. */
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { kyselyFor } from '#kernel/projections/read-database'
import { sql } from '#kernel/projections/read-model'
import { servicePool } from '#kernel/store/connection'
import { preparedStatementPool } from '#kernel/store/postgres/lookup-pool'
import { testDatabase } from '#test/support/database'
import type { TestDatabase } from '#test/support/database'

let database: TestDatabase
let service: Pool
let gate: Pool
beforeAll(async () => {
  database = await testDatabase()
  service = servicePool(database.url, { role: 'daybook_service' })
  gate = preparedStatementPool(service, 1)
})
afterAll(async () => {
  await gate.end()
  await service.end()
  await database.drop()
})

test('a query builder’s statement is prepared once, and answered for each of its values', async () => {
  const read = kyselyFor(gate)
  const doubled = async (number: number) => {
    const { rows } = await sql<{ twice: number }>`SELECT ${number}::int * 2 AS twice`.execute(read)
    return rows[0]?.twice
  }
  expect([await doubled(1), await doubled(21), await doubled(4)]).toEqual([2, 42, 8])
  const { rows } = await gate.query(
    `SELECT statement, generic_plans FROM pg_prepared_statements WHERE statement LIKE '%twice'`,
  )
  expect(rows).toEqual([{ statement: 'SELECT $1::int * 2 AS twice', generic_plans: 3 }])
})

test('it acts in the role of the pool that it was made from', async () => {
  const { rows } = await gate.query('SELECT current_user AS role')
  expect(rows).toEqual([{ role: 'daybook_service' }])
})
