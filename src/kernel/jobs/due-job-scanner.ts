/**
 * Finds due jobs in the database, so that a lost queue, a stopped worker or a clock step loses none of
 * them.
 */
import type { Pool } from 'pg'
import type { Position } from '../events/store-port.ts'
import type { Clock } from '../lib/clock.ts'
import type { ReadDatabase } from '../projections/read-database.ts'
import { forgetStaleFailures } from './job-failures.ts'
import { laneOf, timerJob } from './job-runner.ts'
import type { QueuedJob } from './queue.ts'
import type { Reaction } from './reaction.ts'
import type { Timer } from './timer.ts'

/** The interval of the scans, and so the longest delay of a lost job. */
export const SCAN_EVERY_MS = 15_000
/**
 * Jobs that become due before the scan after the next are enqueued with their time, so that they run on
 * time.
 */
const AHEAD_MS = 2 * SCAN_EVERY_MS
/** Jobs per timer or reaction and scan. */
const BATCH = 1_000

/** Of all workers, the first to ask after the interval scans for all. */
const TURN = `INSERT INTO telemetry.work_look AS look (name, at) VALUES ('turn', clock_timestamp())
  ON CONFLICT (name) DO UPDATE SET at = excluded.at
  WHERE look.at < excluded.at - make_interval(secs => $1) OR look.at > excluded.at + interval '1 minute'
  RETURNING name`
const SCANNED = `INSERT INTO telemetry.work_look (name, at, due, oldest_at)
  SELECT name, clock_timestamp(), due, oldest_at FROM unnest($1::text[], $2::int[], $3::timestamptz[]) AS scanned (name, due, oldest_at)
  ON CONFLICT (name) DO UPDATE SET at = excluded.at, due = excluded.due, oldest_at = excluded.oldest_at`
const FAILING = 'SELECT name, count(*) AS failing FROM telemetry.work_failure GROUP BY name'
const PENDING = `SELECT wanted.name, pending.position FROM unnest($1::text[], $2::int[]) AS wanted (name, most)
  CROSS JOIN LATERAL (
    SELECT position FROM telemetry.work_pending WHERE reaction = wanted.name ORDER BY position LIMIT wanted.most
  ) AS pending`
/** Longer than any timer reports an occurrence that was processed. */
const FORGET_EFFECTS = `DELETE FROM telemetry.work_effect WHERE at < clock_timestamp() - interval '400 days'`

export interface JobScannerDependencies {
  readonly reactions: readonly Reaction[]
  readonly timers: readonly Timer[]
  readonly read: ReadDatabase
  readonly pool: Pool
  readonly clock: Clock
  readonly enqueue: (wakeUps: readonly QueuedJob[]) => Promise<void>
  /** Called with the error of one timer, of all reactions or of the figures; the other jobs are still scanned. */
  readonly onError: (error: unknown, name: string) => void
}

/**
 * Scans unless another worker has just done so.
 * @returns whether there are more due jobs than were enqueued
 */
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

/** @param aheadMs how far into the future jobs are enqueued */
export async function scanDueJobs(parts: JobScannerDependencies, aheadMs = AHEAD_MS): Promise<boolean> {
  const { rows } = await parts.pool.query<{ name: string; failing: number }>(FAILING)
  const failing = new Map(rows.map((row) => [row.name, row.failing]))
  // Failing jobs must not fill the batch, so their number is added to the limit.
  const limitOf = ({ name }: { readonly name: string }) => BATCH + (failing.get(name) ?? 0)
  const pending = await pendingJobs(parts.pool, parts.reactions, limitOf).catch((error: unknown) => {
    parts.onError(error, 'reactions')
    return new Map<string, QueuedJob[]>()
  })
  const looks: Look[] = []
  let isMore = false
  for (const each of [...parts.reactions, ...parts.timers]) {
    try {
      const found = 'due' in each ? await dueJobsOf(parts, each, limitOf(each), aheadMs, looks) : pending.get(each.name)
      if (!found) continue
      await parts.enqueue(found)
      isMore ||= found.length === limitOf(each)
    } catch (error) {
      parts.onError(error, each.name)
    }
  }
  await recordLooks(parts.pool, looks).catch((error: unknown) => parts.onError(error, 'the figures'))
  return isMore
}

/** What a scan found due of one timer. */
interface Look {
  readonly name: string
  readonly due: number
  readonly oldestAt: Date | null
}

async function dueJobsOf(
  { read, pool, clock }: JobScannerDependencies,
  timer: Timer,
  limit: number,
  aheadMs: number,
  looks: Look[],
): Promise<QueuedJob[]> {
  const now = clock.now()
  const until = new Date(now.getTime() + aheadMs)
  const all = await timer.due({ read, telemetry: pool, now, until, limit })
  const found = all.slice(0, limit).map((due) => timerJob(timer, due))
  const due = found.map(({ atMs }) => atMs).filter((atMs) => atMs <= now.getTime())
  looks.push({ name: timer.name, due: due.length, oldestAt: due.length > 0 ? new Date(Math.min(...due)) : null })
  return found
}

/** In the order of the names, so that two scans at once lock the rows in one order. */
async function recordLooks(pool: Pool, found: readonly Look[]): Promise<void> {
  const looks = found.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  if (looks.length === 0) return
  await pool.query(SCANNED, [
    looks.map(({ name }) => name),
    looks.map(({ due }) => due),
    looks.map(({ oldestAt }) => oldestAt),
  ])
}

/** The pending jobs of each reaction that has any, by its name. */
async function pendingJobs(
  pool: Pool,
  reactions: readonly Reaction[],
  limitOf: (reaction: Reaction) => number,
): Promise<ReadonlyMap<string, QueuedJob[]>> {
  const { rows } = await pool.query<{ name: string; position: Position }>(PENDING, [
    reactions.map(({ name }) => name),
    reactions.map(limitOf),
  ])
  const positions = Map.groupBy(rows, ({ name }) => name)
  return new Map(
    reactions
      .filter(({ name }) => positions.has(name))
      .map((reaction) => [
        reaction.name,
        positions.get(reaction.name)!.map(({ position }) => reactionJob(reaction, position)),
      ]),
  )
}

export const reactionJob = (reaction: Reaction, position: Position): QueuedJob => ({
  lane: laneOf(reaction),
  name: reaction.name,
  key: String(position),
  atMs: 0,
})
