/** A database belongs to one history: read models of one filled from another would be wrong without looking wrong. */
import type { Pool } from 'pg'

const FOUND = `SELECT EXISTS (SELECT FROM store.event) AS own,
  EXISTS (SELECT FROM store.chain) OR EXISTS (SELECT FROM store.checkpoint) AS chained,
  EXISTS (SELECT FROM read.projection WHERE position > 0) AS read`

interface HistoryTraces {
  readonly own: boolean
  /** Only a log that is here, or was, leaves a chain. */
  readonly chained: boolean
  readonly read: boolean
}

async function readHistoryTraces(pool: Pick<Pool, 'query'>): Promise<HistoryTraces> {
  const { rows } = await pool.query<HistoryTraces>(FOUND)
  return rows[0]!
}

/** Whether another store keeps the events of what this database remembers; then it has no chain either. */
export async function isStoreElsewhere(pool: Pick<Pool, 'query'>): Promise<boolean> {
  const { own, chained, read } = await readHistoryTraces(pool)
  return !own && !chained && read
}

/**
 * For the start of a process. `elsewhere`: another store than this database keeps the events.
 * @throws a plain Error for people
 */
export async function refuseOtherHistory(pool: Pick<Pool, 'query'>, elsewhere: boolean): Promise<void> {
  const { own, chained, read } = await readHistoryTraces(pool)
  if (chained && !own)
    throw new Error(
      'The events of this database are gone, and its chain says that they were here: keep a copy, and restore a backup',
    )
  if (elsewhere && own)
    throw new Error(
      'This database holds events of its own, which EVENT_STORE_URL would hide: unset it, or use a new database',
    )
  if (!elsewhere && !own && read)
    throw new Error('This database was filled from another event store: set EVENT_STORE_URL to it')
}
