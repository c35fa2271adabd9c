/**
 * A database belongs to one event store:
 * read models that are filled from another one would be wrong without any error.
 */
import type { Pool } from 'pg'

const FOUND = `SELECT EXISTS (SELECT FROM store.event) AS own,
  EXISTS (SELECT FROM store.chain) OR EXISTS (SELECT FROM store.checkpoint) AS chained,
  EXISTS (SELECT FROM read.projection WHERE position > 0) AS read`

interface HistoryTraces {
  readonly own: boolean
  /** True when this database has or had a log. */
  readonly chained: boolean
  readonly read: boolean
}

async function readHistoryTraces(pool: Pick<Pool, 'query'>): Promise<HistoryTraces> {
  const { rows } = await pool.query<HistoryTraces>(FOUND)
  return rows[0]!
}

/** Whether another store holds the events of this database's read models. Then the database has no chain. */
export async function isStoreElsewhere(pool: Pick<Pool, 'query'>): Promise<boolean> {
  const { own, chained, read } = await readHistoryTraces(pool)
  return !own && !chained && read
}

/**
 * For the start of a process. @param elsewhere whether another store than this database is configured for the events
 * @throws Error with a message for the operator
 */
export async function refuseOtherHistory(pool: Pick<Pool, 'query'>, elsewhere: boolean): Promise<void> {
  const { own, chained, read } = await readHistoryTraces(pool)
  if (chained && !own)
    throw new Error(
      'The events of this database are missing, but its hash chain proves that they were here: keep a copy of it and restore a backup',
    )
  if (elsewhere && own)
    throw new Error(
      'This database has events of its own, which would be ignored: unset EVENT_STORE_URL or use a new database',
    )
  if (!elsewhere && !own && read)
    throw new Error('This database was filled from another event store: set EVENT_STORE_URL to it')
}
