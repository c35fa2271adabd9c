/** Applies migrations/*.sql in the order of their numbers, each once, with the login that owns the schemas. */
import { readdir, readFile } from 'node:fs/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Migration } from 'kysely/migration'
import pg from 'pg'
import { withErrorListeners, servicePool } from './connection.ts'
import type { DatabaseRole } from './connection.ts'

const FOLDER = new URL('../../../migrations/', import.meta.url)

/**
 * Applies all missing migrations or none, in one transaction, under a lock that a second process waits for.
 * @returns the names of the applied migrations; [] when none was missing
 * @param through the last one to apply; the default is the newest. @throws the error of the first failing migration
 */
export async function migrate(url: string, through?: string): Promise<string[]> {
  const own = await connected(url, async (to) => {
    const { error, results = [] } = await (through === undefined ? to.migrateToLatest() : to.migrateTo(through))
    if (error) throw error
    return results.map((result) => result.migrationName)
  })
  if (through !== undefined) return own
  // Imported only here: it loads all of BullMQ, which most processes that check migrations never need.
  const { migrateQueue } = await import('../jobs/queue-schema.ts')
  return [...own, ...(await migrateQueue(url))]
}

/** The names of the migrations of this version that are not applied yet. */
export async function pendingMigrations(url: string): Promise<string[]> {
  const { known, applied } = await migrationsOf(url)
  return known.filter((name) => !applied.includes(name))
}

/**
 * The names of the migrations of this version, in order, and of those that are applied.
 * @throws Error with a message for the operator when the login may not read them
 */
export async function migrationsOf(url: string): Promise<{ known: string[]; applied: string[] }> {
  const [known, applied] = await Promise.all([migrationFiles(), appliedMigrations(url)])
  return { known: known.map(migrationName), applied }
}

/** Since migration 0019 the service's role may read the names; before it, only the owner of the database. */
const READERS: readonly (DatabaseRole | undefined)[] = ['daybook_service', undefined]

async function appliedMigrations(url: string): Promise<string[]> {
  for (const role of READERS) {
    const applied = await appliedAs(url, role)
    if (applied) return applied
  }
  throw new Error(
    'The database was made by an older version, or its login may not act as the role daybook_service: run "daybook migrate", or for a panel "daybook panel migrate", with the login that owns the database',
  )
}

/** Undefined when the login may not act as the role, or the role may not read the names. */
async function appliedAs(url: string, role: DatabaseRole | undefined): Promise<string[] | undefined> {
  const pool = servicePool(url, role ? { role, max: 1 } : { max: 1 })
  try {
    const { rows } = await pool.query<{ name: string }>('SELECT name FROM migration.applied ORDER BY name')
    return rows.map(({ name }) => name)
  } catch (error) {
    const code = (error as { code?: string }).code ?? ''
    if (NOT_THERE.has(code)) return []
    if (code === NOT_ALLOWED || (role && code === NO_SUCH_ROLE)) return undefined
    throw error
  } finally {
    await pool.end()
  }
}

/** SQLSTATE: no such table, no such schema. */
const NOT_THERE = new Set(['42P01', '3F000'])
const NOT_ALLOWED = '42501'
/** SQLSTATE at the start of a connection for an unknown role: the first migration creates the roles. */
const NO_SUCH_ROLE = '22023'

async function connected<Result>(url: string, work: (to: Migrator) => Promise<Result>): Promise<Result> {
  const pool = withErrorListeners(new pg.Pool({ connectionString: url, max: 2, connectionTimeoutMillis: 5_000 }))
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    return await work(migrator(db))
  } finally {
    await db.destroy()
  }
}

function migrator(db: Kysely<unknown>): Migrator {
  return new Migrator({
    db,
    provider: { getMigrations: readMigrations },
    // A separate schema, because a login may lack the privilege to create tables in `public`.
    migrationTableSchema: 'migration',
    migrationTableName: 'applied',
    migrationLockTableName: 'lock',
  })
}

async function migrationFiles(): Promise<string[]> {
  return (await readdir(FOLDER)).filter((file) => file.endsWith('.sql')).toSorted()
}

const migrationName = (file: string): string => file.slice(0, -'.sql'.length)

async function readMigrations(): Promise<Record<string, Migration>> {
  return Object.fromEntries(await Promise.all((await migrationFiles()).map(readMigration)))
}

async function readMigration(file: string): Promise<[string, Migration]> {
  const text = await readFile(new URL(file, FOLDER), 'utf8')
  return [migrationName(file), { up: async (db) => void (await sql.raw(text).execute(db)) }]
}
