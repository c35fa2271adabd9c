/**
 * Failed jobs. They are retried with increasing delays and without limit; operators see them until they
 * succeed.
 */
import type { Pool } from 'pg'
import { maskText } from '../logging/log.ts'
import { errorText } from '../projections/parked-events.ts'

/** The delay after the first failure; doubled with each further one, with jitter. */
const RETRY_AFTER_MS = 1_000
const RETRY_AFTER_MS_MAX = 15 * 60_000

const NOTE = `INSERT INTO telemetry.work_failure AS known (name, key, error) VALUES ($1, $2, $3)
  ON CONFLICT (name, key) DO UPDATE SET failures = known.failures + 1, error = excluded.error, last_at = clock_timestamp()`
const FORGET = 'DELETE FROM telemetry.work_failure WHERE name = $1 AND key = $2'
/**
 * A failing job is retried at least every 19 minutes. One that was not retried for an hour is no longer
 * due.
 */
const FORGET_STALE = `DELETE FROM telemetry.work_failure WHERE name = ANY ($1) AND last_at < clock_timestamp() - interval '1 hour'`
const ALL =
  'SELECT name, key, failures, error, since, last_at AS "lastAt" FROM telemetry.work_failure ORDER BY since LIMIT $1'

export interface JobFailure {
  readonly name: string
  readonly key: string
  readonly failures: number
  readonly error: string
  /** RFC 3339: the first failure, and the last. */
  readonly since: string
  readonly lastAt: string
}

/** Addresses and secrets in the error text are masked, so that no personal data is stored. */
export async function recordJobFailure(pool: Pool, name: string, key: string, error: unknown): Promise<void> {
  await pool.query(NOTE, [name, key, maskText(errorText(error))])
}

export async function forgetFailure(pool: Pool, name: string, key: string): Promise<void> {
  await pool.query(FORGET, [name, key])
}

export async function forgetStaleFailures(pool: Pool, names: readonly string[]): Promise<void> {
  await pool.query(FORGET_STALE, [names])
}

/** The longest-lasting failures first. */
export async function listFailures(pool: Pool, limit: number): Promise<JobFailure[]> {
  return (await pool.query<JobFailure>(ALL, [limit])).rows
}

/**
 * In whole ms, as BullMQ requires.
 * @param tries the number of failures, from 1
 */
export const retryAfterMs = (tries: number): number =>
  Math.round(Math.min(RETRY_AFTER_MS * 2 ** (tries - 1), RETRY_AFTER_MS_MAX) * (0.75 + Math.random() / 2))
