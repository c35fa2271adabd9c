/** The result of a run: what is printed, written and drawn. */
import { CONTESTANTS } from './contestant.ts'
import type { ContestantName } from './contestant.ts'
import { goals } from './goals.ts'
import type { Goal } from './goals.ts'
import { ratios, results, spent } from './results.ts'
import type { Ratio, Result, Sample, Spent } from './results.ts'
import type { Plan } from './rounds.ts'
import { MORE, TESTS } from './tests.ts'

export interface Machine {
  /** RFC 3339. */
  readonly at: string
  readonly node: string
  readonly postgres: string
  readonly cores: number
  /**
   * The load average of the last minute before the run and at its end. Above the number of cores, other
   * processes were at work.
   */
  readonly load: readonly number[]
  readonly rounds: number
  readonly seconds: number
  readonly events: Plan['events']
  /** The number of rounds in which the whole log was rebuilt. */
  readonly rebuilds: number
}

export interface Outcome {
  readonly results: readonly Result[]
  /** The results of the tests beside the table. */
  readonly more: readonly Result[]
  readonly ratios: readonly Ratio[]
  /** Processor time of one operation. */
  readonly spent: readonly Spent[]
  readonly goals: readonly Goal[]
  readonly machine: Machine
}

export function outcomeOf(samples: readonly Sample[], machine: Machine): Outcome {
  const all = results(samples).toSorted((one, other) => rank(one) - rank(other))
  const within = (tests: readonly { name: string }[]) =>
    all.filter(({ test }) => tests.some(({ name }) => name === test))
  return {
    results: within(TESTS),
    more: within(MORE),
    ratios: ratios(samples).toSorted((one, other) => rank(one) - rank(other)),
    spent: spent(samples).toSorted((one, other) => rank(one) - rank(other)),
    goals: goals(samples),
    machine,
  }
}

interface Told {
  readonly test: string
  readonly contestant: ContestantName
  readonly beside?: ContestantName
}

/** In the order of the table, not in the random order of the rounds. */
const rank = ({ test, contestant, beside }: Told): number =>
  [...TESTS, ...MORE].findIndex(({ name }) => name === test) * CONTESTANTS.length +
  CONTESTANTS.indexOf(beside ?? contestant)

const count = (events: number): string => events.toLocaleString('en-US')

/** What was measured, and on which machine. */
export function captionsOf({ cores, node, postgres, rounds, seconds, load, events, rebuilds }: Machine): string[] {
  return [
    `${cores} cores, Node ${node.slice(1)}, Postgres ${postgres}, fsync on; medians of ${rounds} rounds of ${seconds} s; load ${load.join(' → ')}`,
    `logs of ${count(events.read)} events to catch up, ${count(events.live)} to project, ${count(events.rebuild)} to rebuild from (in ${rebuilds} of ${rounds} rounds)`,
  ]
}
