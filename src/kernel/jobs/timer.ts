/** Work at a certain time: something expires, is retried, or has been silent for too long. */
import type { Pool } from 'pg'
import type { ReadDatabase } from '../projections/read-database.ts'
import type { JobContext } from './job-context.ts'
import { validateJobName } from './job-options.ts'
import type { JobOptions } from './job-options.ts'

export interface TimerOccurrence {
  /** The subject of the occurrence: an id, or ids joined by `/`. At most 200 characters. */
  readonly key: string
  /** The due time, RFC 3339 or a Date. Together with the key it identifies the occurrence. */
  readonly at: string | Date
}

export interface TimerQuery {
  /** The read models. */
  readonly read: ReadDatabase
  /** For occurrences that depend on data that is not history. */
  readonly telemetry: Pool
  /** The database's time. */
  readonly now: Date
  /** Occurrences up to this time are wanted, a little later than `now`, so that they run on time. */
  readonly until: Date
  /** The maximum number; the ones that are due longest come first. */
  readonly limit: number
}

export interface Timer {
  readonly name: string
  readonly outside: boolean
  due(asking: TimerQuery): Promise<readonly TimerOccurrence[]>
  run(due: { readonly key: string; readonly at: Date }, work: JobContext): Promise<void>
}

/**
 * `due` queries the read models (or telemetry), so its result is correct after a flush of the queue, an
 * outage or a clock step. `run` may be called twice for one occurrence, and before a read model shows
 * the result of the first. Therefore the command that it runs must check in its stream whether the time
 * has come (`unit.at`), and otherwise decide nothing.
 */
export function timer(name: string, { due, run, outside = false }: JobOptions & Pick<Timer, 'due' | 'run'>): Timer {
  return { name: validateJobName(name), outside, due, run }
}
