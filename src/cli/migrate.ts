import { migrate } from '../kernel/store/migrate.ts'
import { installation } from './installation.ts'

/** Applies what is missing and says what it was. */
export async function migrateDatabase(): Promise<void> {
  const { config, close } = await installation(process.env)
  try {
    const applied = await migrate(config.databaseUrl)
    console.log(applied.length === 0 ? 'Nothing to do: the database is up to date.' : `Applied ${applied.join(', ')}.`)
  } finally {
    await close()
  }
}
