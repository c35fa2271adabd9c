/** The state of reactions and timers, for metrics, readiness and operators. Any process can query it. */
import type { Pool } from 'pg'
import type { EventStore, Position } from '../events/store-port.ts'
import { listFailures } from './job-failures.ts'
import type { JobFailure } from './job-failures.ts'
import type { Reaction } from './reaction.ts'
import type { Timer } from './timer.ts'

const FAILURES_SHOWN = 100
/** The first failures often resolve on their own: an unavailable mail server, a lost race. */
const FAILURES_TO_TELL = 5

const OF_REACTIONS = `SELECT reaction.name, reaction.position, count(pending.position) AS waiting,
    coalesce(extract(epoch FROM clock_timestamp() - min(pending.since)), 0)::float8 AS "oldestSeconds"
  FROM telemetry.work_reaction AS reaction LEFT JOIN telemetry.work_pending AS pending ON pending.reaction = reaction.name
  WHERE reaction.name = ANY ($1) GROUP BY reaction.name`
const OF_LOOKS = `SELECT name, due AS waiting, extract(epoch FROM clock_timestamp() - at)::float8 AS "agoSeconds",
    greatest(coalesce(extract(epoch FROM at - oldest_at), 0), 0)::float8 AS "oldestSeconds"
  FROM telemetry.work_look`

export interface JobsStatus {
  readonly works: readonly JobBacklog[]
  /** Failed jobs, the longest-lasting failures first, at most 100. */
  readonly failures: readonly JobFailure[]
  /** Seconds since a worker last scanned for due jobs; undefined if none ever has. */
  readonly lookedSecondsAgo: number | undefined
}

export interface JobBacklog {
  readonly name: string
  /** Events that a reaction has not processed; for a timer, what was due at the last scan. */
  readonly waiting: number
  /** The age of the oldest of them, for a timer at the last scan; 0 if there is none. */
  readonly oldestSeconds: number
  /** Events that a reaction has not received yet. */
  readonly lag: number
}

export interface JobsStatusDependencies {
  readonly store: Pick<EventStore, 'head'>
  /** With the database role of the service. */
  readonly pool: Pool
  readonly reactions: readonly Reaction[]
  readonly timers: readonly Timer[]
}

export async function readJobsStatus({ store, pool, reactions, timers }: JobsStatusDependencies): Promise<JobsStatus> {
  const head = await store.head()
  const told = await pool.query<Omit<JobBacklog, 'lag'> & { position: Position }>(OF_REACTIONS, [
    reactions.map(({ name }) => name),
  ])
  const looks = await pool.query<Omit<JobBacklog, 'lag'> & { agoSeconds: number }>(OF_LOOKS)
  const isTimer = (name: string) => timers.some((timer) => timer.name === name)
  return {
    works: [
      ...told.rows.map(({ position, ...row }) => ({ ...row, lag: Math.max(0, head - position) })),
      ...looks.rows
        .filter(({ name }) => isTimer(name))
        .map(({ name, waiting, oldestSeconds }) => ({ name, waiting, oldestSeconds, lag: 0 })),
    ].toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    failures: await listFailures(pool, FAILURES_SHOWN),
    lookedSecondsAgo: looks.rows.find(({ name }) => name === 'turn')?.agoSeconds,
  }
}

/** Workers scan every 15 s. After this time without a scan, operators are warned. */
const NO_WORKER_SECONDS = 120

/**
 * @param runsSeconds how long this process has been running, and could have seen a scan
 * @returns a warning for operators, or undefined
 */
export function jobsWarningOf(
  { works, failures, lookedSecondsAgo }: JobsStatus,
  runsSeconds: number,
): string | undefined {
  const unseenSeconds = Math.min(lookedSecondsAgo ?? Infinity, runsSeconds)
  if (unseenSeconds > NO_WORKER_SECONDS && works.length > 0)
    return `no worker for ${Math.round(unseenSeconds)} s: is "daybook worker" running?`
  const again = failures.filter((each) => each.failures >= FAILURES_TO_TELL)
  return again.length === 0 ? undefined : `jobs that keep failing: ${again.length} ("daybook work" shows why)`
}
