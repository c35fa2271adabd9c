import type { Core } from '../composition/licensing.ts'
import { readJobsStatus } from '../kernel/jobs/job-status.ts'
import { withCore } from './installation.ts'
import type { ServiceProfile } from './service-profile.ts'

/** @returns 0 if no job fails, else 1 */
export const work = (_words: readonly string[], which: ServiceProfile): Promise<number> =>
  withCore((core) => listJobs(core, which), which)

async function listJobs({ store, pool }: Core, { reactions, timers }: ServiceProfile): Promise<number> {
  const { works, failures, lookedSecondsAgo } = await readJobsStatus({ store, pool, reactions, timers })
  const width = Math.max(...works.map(({ name }) => name.length), 'work'.length)
  const row = (name: string, ...figures: (string | number)[]) =>
    console.log([name.padEnd(width), ...figures.map((figure) => String(figure).padStart(9))].join(' '))
  row('work', 'waiting', 'oldest s', 'lag')
  for (const { name, waiting, oldestSeconds, lag } of works) row(name, waiting, Math.round(oldestSeconds), lag)
  const looked = lookedSecondsAgo === undefined ? 'never yet' : `${Math.round(lookedSecondsAgo)} s ago`
  console.log(`\nLast scan for due jobs: ${looked}.`)
  for (const { name, key, failures: times, since, error } of failures)
    console.log(`${name} ${key} has failed ${times} time${times === 1 ? '' : 's'} since ${since}: ${error}`)
  return failures.length === 0 ? 0 : 1
}
