/** A database belongs to one history: read models of one filled from another would be wrong without looking wrong. */
import type { Pool } from 'pg'

const FOUND = `SELECT EXISTS (SELECT FROM store.event) AS own,
  EXISTS (SELECT FROM read.projection WHERE position > 0) AS read`

/** Whether another store keeps the events of what this database remembers; then it has no chain either. */
export async function isKeptElsewhere(pool: Pick<Pool, 'query'>): Promise<boolean> {
  const { rows } = await pool.query<{ own: boolean; read: boolean }>(FOUND)
  return !rows[0]!.own && rows[0]!.read
}

/**
 * For the start of a process. `elsewhere`: another store than this database keeps the events.
 * @throws a plain Error for people
 */
export async function refuseOtherHistory(pool: Pick<Pool, 'query'>, elsewhere: boolean): Promise<void> {
  const { rows } = await pool.query<{ own: boolean; read: boolean }>(FOUND)
  const { own, read } = rows[0]!
  if (elsewhere && own)
    throw new Error(
      'This database holds events of its own, which EVENT_STORE_URL would hide: unset it, or use a new database',
    )
  if (!elsewhere && !own && read)
    throw new Error('This database was filled from another event store: set EVENT_STORE_URL to it')
}
