/** Applies migrations/*.sql, in the order of their numbers, each once: as the login itself, which owns the schemas. */
import { readdir, readFile } from 'node:fs/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Migration } from 'kysely/migration'
import pg from 'pg'
import { heard } from './connection.ts'

const FOLDER = new URL('../../../migrations/', import.meta.url)

/**
 * All of what is missing or nothing of it: one transaction, under a lock that a second process waits for.
 * Returns the names that were applied now, [] when there was nothing to do.
 * @param through the last one to apply, by default the newest. @throws the first failing migration's own error
 */
export async function migrate(url: string, through?: string): Promise<string[]> {
  const own = await connected(url, async (db) => {
    const to = migrator(db)
    const { error, results = [] } = await (through === undefined ? to.migrateToLatest() : to.migrateTo(through))
    if (error) throw error
    return results.map((result) => result.migrationName)
  })
  if (through !== undefined) return own
  // Loaded only here: it brings all of BullMQ along, which most processes that know of migrations never need.
  const { migrateQueue } = await import('../work/queue-schema.ts')
  return [...own, ...(await migrateQueue(url))]
}

/** The names of the migrations that this version knows and the database has not seen. Changes nothing. */
export async function pendingMigrations(url: string): Promise<string[]> {
  const { known, applied } = await migrationsOf(url)
  return known.filter((name) => !applied.includes(name))
}

/** The names of all that this version knows, in order, and of those that the database has seen. Changes nothing. */
export function migrationsOf(url: string): Promise<{ known: string[]; applied: string[] }> {
  return connected(url, async (db) => {
    const all = await migrator(db).getMigrations()
    const applied = all.filter((each) => each.executedAt !== undefined)
    return { known: all.map(({ name }) => name), applied: applied.map(({ name }) => name) }
  })
}

async function connected<Result>(url: string, work: (db: Kysely<unknown>) => Promise<Result>): Promise<Result> {
  const pool = heard(new pg.Pool({ connectionString: url, max: 2, connectionTimeoutMillis: 5_000 }))
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

function migrator(db: Kysely<unknown>): Migrator {
  return new Migrator({
    db,
    provider: { getMigrations: readMigrations },
    // A schema of its own: logins may not be allowed to create tables in `public`.
    migrationTableSchema: 'migration',
    migrationTableName: 'applied',
    migrationLockTableName: 'lock',
  })
}

async function readMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.sql')).toSorted()
  return Object.fromEntries(await Promise.all(files.map(readMigration)))
}

async function readMigration(file: string): Promise<[string, Migration]> {
  const text = await readFile(new URL(file, FOLDER), 'utf8')
  return [file.slice(0, -'.sql'.length), { up: async (db) => void (await sql.raw(text).execute(db)) }]
}
