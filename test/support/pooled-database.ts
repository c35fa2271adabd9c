/** A database of the test file, and a pool on it as one of the roles of the processes. */
import type pg from 'pg'
import { afterAll } from 'vitest'
import { servicePool } from '#kernel/store/connection'
import type { DatabaseRole } from '#kernel/store/connection'
import { testDatabase } from './database.ts'
import type { TestDatabase } from './database.ts'

/** Call at the top level of a test file: both end with it. */
export async function pooledDatabase(
  role: DatabaseRole,
): Promise<{ readonly database: TestDatabase; readonly pool: pg.Pool }> {
  const database = await testDatabase()
  const pool = servicePool(database.url, { role })
  afterAll(async () => {
    await pool.end()
    await database.drop()
  })
  return { database, pool }
}
