import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { createTestDatabase, databaseUrl, dropDatabase } from './admin.ts'

export interface TestDatabase {
  readonly url: string
  drop(): Promise<void>
}

/** A migrated database of the caller's own, copied from the run's template in about 0.1 s. The login is a superuser. */
export async function testDatabase(): Promise<TestDatabase> {
  const serverUrl = inject('serverUrl')
  const name = `daybook_test_${randomBytes(6).toString('hex')}`
  await createTestDatabase(serverUrl, name, inject('template'))
  return { url: databaseUrl(serverUrl, name), drop: () => dropDatabase(serverUrl, name) }
}
