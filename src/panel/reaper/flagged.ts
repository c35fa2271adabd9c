/** Which of the objects on a host nothing expects. */
import { AGE_SECONDS_MIN } from '../../tasks/reaper.ts'
import type { LeftItem } from '../../tasks/reaper.ts'

export interface Expected {
  /** `<kind>/<id>`, stopped or not. */
  readonly workloads: ReadonlySet<string>
  /** Those with a workload on the server. */
  readonly projects: ReadonlySet<string>
  /** Those that have not ended. */
  readonly tasks: ReadonlySet<string>
}

const isIn = (all: ReadonlySet<string>, label: string | null): boolean => label !== null && all.has(label)

const isExpected = ({ kind, workload, task, project }: LeftItem, { workloads, projects, tasks }: Expected): boolean =>
  isIn(workloads, workload) || isIn(tasks, task) || (kind === 'NETWORK' && isIn(projects, project))

/** An object of unknown age may be in the making. */
const isOld = ({ ageSeconds }: LeftItem): boolean => ageSeconds !== null && ageSeconds >= AGE_SECONDS_MIN

export const flaggedOf = (items: readonly LeftItem[], expected: Expected): LeftItem[] =>
  items.filter((item) => isOld(item) && !isExpected(item, expected))
