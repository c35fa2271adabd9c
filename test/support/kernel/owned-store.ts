import pg from 'pg'
import { afterAll } from 'vitest'
import type { EventStore } from '#kernel/events/store-port'
import { postgresStore } from '#kernel/store/postgres/postgres-store'
import { testDatabase } from '#test/support/database'

/**
 * A store in a database of the test file, and the owner of that database. Call at the top level: it registers
 * its clean-up.
 */
export async function ownedStore(max: number): Promise<{ store: EventStore; owner: pg.Client }> {
  const database = await testDatabase()
  const store = postgresStore({ url: database.url, max })
  const owner = new pg.Client(database.url)
  await owner.connect()
  afterAll(async () => {
    await store.close()
    await owner.end()
    await database.drop()
  })
  return { store, owner }
}
