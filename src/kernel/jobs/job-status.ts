/** How the work is getting on, for figures, readiness and people; any process can ask. */
import type { Pool } from 'pg'
import type { EventStore, Position } from '../events/store-port.ts'
import { listFailures } from './job-failures.ts'
import type { JobFailure } from './job-failures.ts'
import type { Reaction } from './reaction.ts'
import type { Timer } from './timer.ts'

const FAILURES_SHOWN = 100
/** What fails once or twice mends itself: a mail server that was away, a race that was lost. */
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
  /** What was tried and failed, those that have failed longest first, at most 100. */
  readonly failures: readonly JobFailure[]
  /** Since a worker last looked for what is due; undefined when none ever has. */
  readonly lookedSecondsAgo: number | undefined
}

export interface JobBacklog {
  readonly name: string
  /** Events that a reaction has not dealt with; of a timer, what was due when a worker last looked. */
  readonly waiting: number
  /** How long the oldest of them has been waiting, of a timer at that look; 0 when there is none. */
  readonly oldestSeconds: number
  /** Events that a reaction has yet to be told of. */
  readonly lag: number
}

export interface JobsStatusDependencies {
  readonly store: Pick<EventStore, 'head'>
  /** With the service's role. */
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

/** A worker looks every quarter of a minute; who has seen none for so long should look for it. */
const NO_WORKER_SECONDS = 120

/** @param runsSeconds for how long the asking process has been there to see a worker. @returns what operators should know, or nothing */
export function jobsWarningOf(
  { works, failures, lookedSecondsAgo }: JobsStatus,
  runsSeconds: number,
): string | undefined {
  const unseenSeconds = Math.min(lookedSecondsAgo ?? Infinity, runsSeconds)
  if (unseenSeconds > NO_WORKER_SECONDS && works.length > 0)
    return `no worker for ${Math.round(unseenSeconds)} s: is "daybook worker" running?`
  const again = failures.filter((each) => each.failures >= FAILURES_TO_TELL)
  return again.length === 0 ? undefined : `failing again and again: ${again.length} (daybook work shows why)`
}
