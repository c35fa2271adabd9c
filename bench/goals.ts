/** What the event store's design promises, as ratios of one run, and whether this run kept it. */
import type { ContestantName } from './contestant.ts'
import { pairedRatio, results } from './results.ts'
import type { Sample } from './results.ts'

export interface Goal {
  readonly goal: string
  readonly wanted: number
  /** Absent when this run did not measure it. */
  readonly found?: number
  readonly met?: boolean
}

type Measured = (samples: readonly Sample[]) => number | undefined

const beside =
  (test: string, other: ContestantName, otherTest = test): Measured =>
  (samples) =>
    pairedRatio(samples, { test, contestant: 'daybook' }, { test: otherTest, contestant: other })

const latency =
  (test: string, figure: 'p50Ms' | 'p99Ms'): Measured =>
  (samples) =>
    results(samples).find((each) => each.test === test && each.contestant === 'daybook')?.[figure]

const AT_LEAST: readonly (readonly [goal: string, wanted: number, measured: Measured])[] = [
  ['256 in flight ≥ 10 × emmett', 10, beside('append1x256', 'emmett')],
  ['256 in flight ≥ 4.5 × bare', 4.5, beside('append1x256', 'bare')],
  ['32 writers ≥ 8 × emmett', 8, beside('append1x32', 'emmett')],
  ['32 writers ≥ 3 × bare', 3, beside('append1x32', 'bare')],
  ['32 writers ≥ 1.8 × pgbench', 1.8, beside('append1x32', 'pgbench')],
  ['1 writer ≥ 0.85 × bare', 0.85, beside('append1x1', 'bare')],
  ['3 events, expected revision, 32 writers ≥ 5 × emmett', 5, beside('append3x32', 'emmett')],
  ['load 20 ≥ 2 × emmett', 2, beside('load20x8', 'emmett')],
  ['catch-up ≥ 0.85 × COPY', 0.85, beside('catchup', 'copy')],
  ['catch-up ≥ 20 × emmett', 20, beside('catchup', 'emmett')],
  ['projection per event ≥ 5 × bare', 5, beside('projection', 'bare')],
  ['projection by sets ≥ 10 × bare', 10, beside('projectionSet', 'bare', 'projection')],
  ['rebuild ≥ 0.7 × COPY', 0.7, beside('rebuild', 'copy')],
]

const AT_MOST: readonly (readonly [goal: string, wanted: number, measured: Measured])[] = [
  ['append → visible p50 ≤ 5 ms', 5, latency('visible', 'p50Ms')],
  ['append → visible p99 ≤ 25 ms', 25, latency('visible', 'p99Ms')],
]

export function goals(samples: readonly Sample[]): Goal[] {
  const judged =
    (keeps: (found: number, wanted: number) => boolean) =>
    ([goal, wanted, measured]: (typeof AT_LEAST)[number]): Goal => {
      const found = measured(samples)
      return found === undefined ? { goal, wanted } : { goal, wanted, found, met: keeps(found, wanted) }
    }
  return [
    ...AT_LEAST.map(judged((found, wanted) => found >= wanted)),
    ...AT_MOST.map(judged((found, wanted) => found <= wanted)),
  ]
}
