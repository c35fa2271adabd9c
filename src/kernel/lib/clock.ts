/** The database's time, so that a host's wrong or stepped clock neither revives what expired nor ends what lives. */
import type { Pool } from 'pg'

const SYNC_MS = 1_000
/** Nobody knows when in the round trip the database looked at its clock, so of a slow answer only the first is better than none. */
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
 * Asks the database once a second and counts on with the monotonic clock between, so a request pays no round trip.
 * While the database is away the count simply goes on.
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
