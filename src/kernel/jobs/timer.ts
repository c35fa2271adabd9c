/** What is to be done when a time has come: what has expired, is to be tried again, has been silent for too long. */
import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import { validateJobName } from './job-options.ts'
import type { JobOptions } from './job-options.ts'
import type { JobContext } from './job-context.ts'

export interface TimerOccurrence {
  /** What it is to be done for: an id, or ids joined by `/`. At most 200 characters. */
  readonly key: string
  /** When; RFC 3339 or a Date. Together with the key it names the occurrence. */
  readonly at: string | Date
}

export interface TimerQuery {
  /** The read models. */
  readonly read: Kysely<any>
  /** For what is due by what is not history. */
  readonly telemetry: Pool
  /** The database's time. */
  readonly now: Date
  /** Whatever becomes due until then is wanted, so that it is done on time: a little later than `now`. */
  readonly until: Date
  /** No more than so many, those that have been due longest. */
  readonly limit: number
}

export interface Timer {
  readonly name: string
  readonly outside: boolean
  due(asking: TimerQuery): Promise<readonly TimerOccurrence[]>
  run(due: { readonly key: string; readonly at: Date }, work: JobContext): Promise<void>
}

/**
 * `due` asks the read models (or telemetry) and so is never wrong after a flush of the queue, an outage or a step of the clock.
 * `run` may be called twice for one occurrence, and before a read model shows that it is done: the command that it gives looks
 * again, by its stream, whether the time has come (`unit.at`), and decides nothing otherwise.
 */
export function timer(name: string, { due, run, outside = false }: JobOptions & Pick<Timer, 'due' | 'run'>): Timer {
  return { name: validateJobName(name), outside, due, run }
}
