import { databaseUrlFrom } from '../config.ts'
import { migrate } from '../kernel/store/migrate.ts'
import { installation } from './installation.ts'

/** Applies what is missing and says what it was. Needs DATABASE_URL and no secret: often another login runs it than the service. */
export async function migrateDatabase(): Promise<void> {
  if (process.env['DATABASE_URL']?.trim()) return apply(databaseUrlFrom(process.env))
  const { config, close } = await installation(process.env)
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
