/** The promises of the event store's design as ratios of one run, and whether this run kept them. */
import type { ContestantName } from './contestant.ts'
import { pairedRatio, results } from './results.ts'
import type { Sample } from './results.ts'

export interface Party {
  readonly test: string
  readonly contestant: string
}

export interface Goal {
  readonly goal: string
  readonly wanted: number
  /** Our contestant, and the one that it is compared with. */
  readonly between: readonly Party[]
  /** Absent if this run did not measure it. */
  readonly found?: number
  readonly met?: boolean
}

export interface Aim<Measured> extends Pick<Goal, 'goal' | 'wanted' | 'between'> {
  readonly measured: (from: Measured) => number | undefined
}

type StoreAim = Aim<readonly Sample[]>

function ratio(goal: string, wanted: number, test: string, contestant: ContestantName, otherTest = test): StoreAim {
  const [ours, theirs] = [
    { test, contestant: 'daybook' as const },
    { test: otherTest, contestant },
  ]
  return { goal, wanted, between: [ours, theirs], measured: (samples) => pairedRatio(samples, ours, theirs) }
}

function latency(goal: string, wanted: number, test: string, figure: 'p50Ms' | 'p99Ms'): StoreAim {
  const ours = { test, contestant: 'daybook' as const }
  const is = (each: Party) => each.test === test && each.contestant === 'daybook'
  return { goal, wanted, between: [ours], measured: (samples) => results(samples).find(is)?.[figure] }
}

const AT_LEAST: readonly StoreAim[] = [
  ratio('256 in flight ≥ 10 × emmett', 10, 'append1x256', 'emmett'),
  ratio('256 in flight ≥ 4.5 × bare', 4.5, 'append1x256', 'bare'),
  ratio('32 writers ≥ 8 × emmett', 8, 'append1x32', 'emmett'),
  ratio('32 writers ≥ 3 × bare', 3, 'append1x32', 'bare'),
  ratio('32 writers ≥ 1.8 × pgbench', 1.8, 'append1x32', 'pgbench'),
  ratio('1 writer ≥ 0.85 × bare', 0.85, 'append1x1', 'bare'),
  ratio('3 events, expected revision, 32 writers ≥ 5 × emmett', 5, 'append3x32', 'emmett'),
  ratio('load 20 ≥ 2 × emmett', 2, 'load20x8', 'emmett'),
  ratio('catch-up ≥ 0.85 × COPY', 0.85, 'catchup', 'copy'),
  ratio('catch-up ≥ 20 × emmett', 20, 'catchup', 'emmett'),
  ratio('projection per event ≥ 5 × bare', 5, 'projection', 'bare'),
  ratio('projection by sets ≥ 10 × bare', 10, 'projectionSet', 'bare', 'projection'),
  ratio('rebuild ≥ 0.7 × COPY', 0.7, 'rebuild', 'copy'),
]

const AT_MOST: readonly StoreAim[] = [
  latency('append → visible p50 ≤ 5 ms', 5, 'visible', 'p50Ms'),
  latency('append → visible p99 ≤ 25 ms', 25, 'visible', 'p99Ms'),
]

export const goals = (samples: readonly Sample[]): Goal[] => judged(samples, AT_LEAST, AT_MOST)

export function judged<Measured>(
  from: Measured,
  atLeast: readonly Aim<Measured>[],
  atMost: readonly Aim<Measured>[],
): Goal[] {
  const judge =
    (keeps: (found: number, wanted: number) => boolean) =>
    ({ measured, ...aim }: Aim<Measured>): Goal => {
      const found = measured(from)
      return found === undefined ? aim : { ...aim, found, met: keeps(found, aim.wanted) }
    }
  return [
    ...atLeast.map(judge((found, wanted) => found >= wanted)),
    ...atMost.map(judge((found, wanted) => found <= wanted)),
  ]
}
