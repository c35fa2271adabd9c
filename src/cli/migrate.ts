import { installation } from './installation.ts'
import { loginsIn, migrateAs } from './logins.ts'
import type { DatabaseLogins } from './logins.ts'
import type { ServiceProfile } from './service-profile.ts'

/**
 * Applies pending migrations and lists them. It needs no secret key. It uses the owner's login,
 * DATABASE_OWNER_URL, and creates the login of the service if it is missing.
 */
export async function migrateDatabase(_words: readonly string[], which: ServiceProfile): Promise<void> {
  const named = loginsIn(process.env, which)
  if (named) return apply(named)
  const { logins, close } = await installation(process.env, which)
  try {
    await apply(logins)
  } finally {
    await close()
  }
}

async function apply(logins: DatabaseLogins): Promise<void> {
  const applied = await migrateAs(logins)
  console.log(applied.length === 0 ? 'Nothing to do: the database is up to date.' : `Applied ${applied.join(', ')}.`)
}
