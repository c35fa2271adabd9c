import { migrate } from '../kernel/store/migrate.ts'
import { installation } from './installation.ts'
import type { Which } from './which.ts'

/** Applies what is missing and says what it was. Needs the database's URL and no secret: often another login runs it than the service. */
export async function migrateDatabase(_words: readonly string[], which: Which): Promise<void> {
  if (process.env[which.variable]?.trim()) return apply(which.databaseUrl(process.env))
  const { config, close } = await installation(process.env, which)
  try {
    await apply(config.databaseUrl)
  } finally {
    await close()
  }
}

async function apply(databaseUrl: string): Promise<void> {
  const applied = await migrate(databaseUrl)
  console.log(applied.length === 0 ? 'Nothing to do: the database is up to date.' : `Applied ${applied.join(', ')}.`)
}
