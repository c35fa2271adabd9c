/** The time of the database. A wrong or stepped clock of a host then cannot change when something expires. */
import type { Pool } from 'pg'

const SYNC_MS = 1_000
/**
 * The database reads its clock at an unknown moment of the round trip, so slower answers are ignored after the first.
 */
const ROUND_TRIP_MS_MAX = 500

export interface Clock {
  now(): Date
}

/** A clock that a test moves by hand. */
export interface ManualClock extends Clock {
  set(at: Date): void
}

export function manualClock(start: Date): ManualClock {
  let at = start
  return { now: () => new Date(at), set: (to) => void (at = to) }
}

export interface DatabaseClock extends Clock {
  /** How far this host's wall clock is from the database's, in ms; positive when the host is ahead. */
  skewMs(): number
  stop(): void
}

/**
 * Asks the database once a second and advances by the monotonic clock in between, so a request costs no round trip.
 * The clock keeps advancing during an outage of the database.
 */
export async function databaseClock(pool: Pool): Promise<DatabaseClock> {
  let databaseMs = 0
  let monotonicMs = 0

  async function sync(roundTripMsMax: number): Promise<void> {
    const asked = performance.now()
    const { rows } = await pool.query<{ ms: string }>('SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms')
    const answered = performance.now()
    if (answered - asked > roundTripMsMax) return
    monotonicMs = (asked + answered) / 2
    databaseMs = Number(rows[0]!.ms)
  }

  await sync(Infinity)
  let syncing: Promise<void> | undefined
  const syncAgain = () => {
    syncing ??= sync(ROUND_TRIP_MS_MAX)
      .catch(() => {})
      .finally(() => (syncing = undefined))
  }
  const timer = setInterval(syncAgain, SYNC_MS).unref()
  const nowMs = () => databaseMs + performance.now() - monotonicMs
  return { now: () => new Date(nowMs()), skewMs: () => Date.now() - nowMs(), stop: () => clearInterval(timer) }
}
