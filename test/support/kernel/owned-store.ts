import pg from 'pg'
import { afterAll } from 'vitest'
import { postgresStore } from '#kernel/store/postgres/postgres-store'
import type { EventStore } from '#kernel/events/store-port'
import { testDatabase } from '#test/support/database'

/** A store in a database of the test file's own, and that database's owner beside it. Call at the top level: registers its own clean-up. */
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
