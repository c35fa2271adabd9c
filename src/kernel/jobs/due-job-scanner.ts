/** Looks for what is due, in what the database holds, so that neither a lost queue nor a stopped worker nor a step of the clock loses any of it. */
import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import type { Clock } from '../lib/clock.ts'
import type { Position } from '../events/store-port.ts'
import { forgetStaleFailures } from './job-failures.ts'
import { laneOf, timerJob } from './job-runner.ts'
import type { QueuedJob } from './queue.ts'
import type { Reaction } from './reaction.ts'
import type { Timer } from './timer.ts'

/** At most this much later than it happened, somebody looks. */
export const SCAN_EVERY_MS = 15_000
/** What becomes due before the look after the next is put into the queue with its time, and so done on time. */
const AHEAD_MS = 2 * SCAN_EVERY_MS
/** Of one timer or reaction at a time. */
const BATCH = 1_000

/** The first to come after a while looks for all. */
const TURN = `INSERT INTO telemetry.work_look AS look (name, at) VALUES ('turn', clock_timestamp())
  ON CONFLICT (name) DO UPDATE SET at = excluded.at
  WHERE look.at < excluded.at - make_interval(secs => $1) OR look.at > excluded.at + interval '1 minute'
  RETURNING name`
const FOUND = `INSERT INTO telemetry.work_look (name, at, due, oldest_at) VALUES ($1, clock_timestamp(), $2, $3)
  ON CONFLICT (name) DO UPDATE SET at = excluded.at, due = excluded.due, oldest_at = excluded.oldest_at`
const FAILING = 'SELECT name, count(*) AS failing FROM telemetry.work_failure GROUP BY name'
const PENDING = 'SELECT position FROM telemetry.work_pending WHERE reaction = $1 ORDER BY position LIMIT $2'
/** Longer than any timer names an occurrence that was dealt with. */
const FORGET_EFFECTS = `DELETE FROM telemetry.work_effect WHERE at < clock_timestamp() - interval '400 days'`

export interface JobScannerDependencies {
  readonly reactions: readonly Reaction[]
  readonly timers: readonly Timer[]
  readonly read: Kysely<any>
  readonly pool: Pool
  readonly clock: Clock
  readonly enqueue: (wakeUps: readonly QueuedJob[]) => Promise<void>
  /** One timer's question that fails keeps no other from being asked. */
  readonly onError: (error: unknown, name: string) => void
}

/** Looks unless somebody has just done so. @returns whether more is waiting than was put into the queue */
export async function scanWhenDue(parts: JobScannerDependencies, everyMs = SCAN_EVERY_MS): Promise<boolean> {
  const { rowCount } = await parts.pool.query(TURN, [(everyMs * 0.9) / 1_000])
  if (!rowCount) return false
  await parts.pool.query(FORGET_EFFECTS)
  await forgetStaleFailures(
    parts.pool,
    parts.timers.map(({ name }) => name),
  )
  return scanDueJobs(parts)
}

/** @param aheadMs how far into the future what becomes due is wanted too */
export async function scanDueJobs(parts: JobScannerDependencies, aheadMs = AHEAD_MS): Promise<boolean> {
  const { rows } = await parts.pool.query<{ name: string; failing: number }>(FAILING)
  const failing = new Map(rows.map((row) => [row.name, row.failing]))
  let isMore = false
  for (const each of [...parts.reactions, ...parts.timers]) {
    // What fails again and again must not take the places of all others.
    const limit = BATCH + (failing.get(each.name) ?? 0)
    try {
      const found =
        'due' in each ? await dueJobsOf(parts, each, limit, aheadMs) : await pendingJobsOf(parts.pool, each, limit)
      await parts.enqueue(found)
      isMore ||= found.length === limit
    } catch (error) {
      parts.onError(error, each.name)
    }
  }
  return isMore
}

async function dueJobsOf(
  parts: JobScannerDependencies,
  timer: Timer,
  limit: number,
  aheadMs: number,
): Promise<QueuedJob[]> {
  const { read, pool, clock } = parts
  const now = clock.now()
  const until = new Date(now.getTime() + aheadMs)
  const all = await timer.due({ read, telemetry: pool, now, until, limit })
  const found = all.slice(0, limit).map((due) => timerJob(timer, due))
  const due = found.filter(({ atMs }) => atMs <= now.getTime())
  const oldestMs = Math.min(...due.map(({ atMs }) => atMs))
  await pool.query(FOUND, [timer.name, due.length, due.length > 0 ? new Date(oldestMs).toISOString() : null])
  return found
}

async function pendingJobsOf(pool: Pool, reaction: Reaction, limit: number): Promise<QueuedJob[]> {
  const { rows } = await pool.query<{ position: Position }>(PENDING, [reaction.name, limit])
  return rows.map(({ position }) => reactionJob(reaction, position))
}

export const reactionJob = (reaction: Reaction, position: Position): QueuedJob => ({
  lane: laneOf(reaction),
  name: reaction.name,
  key: String(position),
  atMs: 0,
})
