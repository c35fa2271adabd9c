/**
 * The database of the read models, through Kysely. Its type names the tables of the projector only: a read model is
 * read through its own declaration (`queryIn`, `as`), which knows its columns.
 */
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import type { Generated, PostgresPool, Transaction } from 'kysely'
import type { ClientBase, Pool, PoolClient } from 'pg'
import type { ProjectionCheckpoint } from './checkpoints.ts'
import type { ParkedEvent } from './parked-events.ts'
import { withWide } from './wide-reads.ts'

interface ProjectionTables {
  readonly 'read.projection': Omit<ProjectionCheckpoint, 'parked'> & { readonly parked: Generated<number> }
  readonly 'read.parked': ParkedEvent
}

export type ReadDatabase = Kysely<ProjectionTables>
export type ReadTransaction = Transaction<ProjectionTables>

/** The transaction to write in. COPY needs its connection; without `client`, rows are inserted by statements. */
export interface CopyTransaction {
  readonly transaction: ReadTransaction
  readonly client?: ClientBase | undefined
}

const pools = new WeakMap<ReadDatabase, Pool>()
const lookupDatabases = new WeakMap<ReadDatabase, ReadDatabase>()

/**
 * Kysely over a pool, with camelCase in TypeScript and snake_case in SQL.
 * @param wide the pool for queries in `wideRead`
 * @param lookups the pool for look-ups, which prepares its statements
 */
export function kyselyFor(pool: Pool, wide?: Pool, lookups?: Pool): ReadDatabase {
  const kysely = newKysely(wide ? withWide(pool, wide) : pool)
  pools.set(kysely, pool)
  if (lookups) lookupDatabases.set(kysely, newKysely(lookups))
  return kysely
}

/** Undefined if the database was not made by `kyselyFor`. */
export const poolOf = (database: ReadDatabase): Pool | undefined => pools.get(database)

/** Where look-ups are made: the pool that `kyselyFor` got for them, or the database itself. */
export const lookupDatabaseOf = (read: ReadDatabase): ReadDatabase => lookupDatabases.get(read) ?? read

/** A transaction together with its connection, because Kysely has no COPY. @param database made by `kyselyFor` */
export function inCopyTransaction<Result>(
  database: ReadDatabase,
  work: (place: CopyTransaction) => Promise<Result>,
): Promise<Result> {
  const pool = pools.get(database)
  if (!pool) return database.transaction().execute((transaction) => work({ transaction }))
  let client: PoolClient | undefined
  const lent: PostgresPool = {
    options: pool.options,
    connect: async () => (client = await pool.connect()),
    end: async () => {},
  }
  return newKysely(lent)
    .transaction()
    .execute((transaction) => work({ transaction, client }))
}

const newKysely = (pool: PostgresPool): ReadDatabase =>
  new Kysely({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
