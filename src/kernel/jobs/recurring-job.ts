/** Periodic jobs without an event, such as clean-ups and refreshes. */
import type { JobContext } from './job-context.ts'
import type { JobOptions } from './job-options.ts'
import { timer } from './timer.ts'
import type { Timer } from './timer.ts'

/** The effect that `once` below records for a period. */
const effectOf = (name: string, atMs: number): string => `${name}-all-${atMs}/done`
const DONE = 'SELECT FROM telemetry.work_effect WHERE effect = $1'

/**
 * Runs once in each period of `periodMs`, by one of all workers. Missed periods are caught up by a
 * single run.
 */
export function recurringJob(
  name: string,
  periodMs: number,
  does: (work: JobContext) => Promise<void>,
  options: JobOptions = {},
): Timer {
  return timer(name, {
    ...options,
    async due({ telemetry, now, until }) {
      const slot = Math.floor(now.getTime() / periodMs) * periodMs
      const slots = [slot, slot + periodMs].filter((atMs) => atMs <= until.getTime())
      const done = await Promise.all(slots.map((atMs) => telemetry.query(DONE, [effectOf(name, atMs)])))
      return slots.filter((_atMs, nth) => done[nth]!.rowCount === 0).map((atMs) => ({ key: 'all', at: new Date(atMs) }))
    },
    run: (_due, work) => work.once('done', () => does(work)),
  })
}
