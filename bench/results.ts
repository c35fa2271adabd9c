/** From the samples of the rounds to the results: medians, and ratios of measurements at nearly the same time. */
import { median } from '../scripts/figures/spread.ts'
import type { ContestantName, Latencies } from './contestant.ts'
import type { ProcessorTime } from './processor.ts'

export interface Sample<Name extends string = ContestantName> extends Latencies {
  readonly round: number
  readonly test: string
  readonly contestant: Name
}

export interface Result<Name extends string = ContestantName> extends Omit<Latencies, 'spent'> {
  readonly test: string
  readonly contestant: Name
}

export interface Ratio {
  readonly test: string
  readonly contestant: ContestantName
  readonly beside: ContestantName
  readonly ratio: number
}

const of = <Name extends string>(samples: readonly Sample<Name>[], test: string, contestant: string) =>
  samples.filter((sample) => sample.test === test && sample.contestant === contestant)

/** Medians over the rounds, separately for each figure, in the order in which tests and contestants first appear. */
export function results<Name extends string>(samples: readonly Sample<Name>[]): Result<Name>[] {
  const pairs = new Map(samples.map(({ test, contestant }) => [`${test} ${contestant}`, { test, contestant }]))
  return [...pairs.values()].map(({ test, contestant }) => {
    const own = of(samples, test, contestant)
    return {
      test,
      contestant,
      opsPerSecond: median(own.map((each) => each.opsPerSecond)),
      p50Ms: median(own.map((each) => each.p50Ms)),
      p99Ms: median(own.map((each) => each.p99Ms)),
    }
  })
}

/**
 * The median of each round's own ratio: the machine's speed changes from minute to minute, but affects both
 * alike.
 * @param figure by default the rate
 * @returns undefined if no round measured both
 */
export function pairedRatio<Name extends string>(
  samples: readonly Sample<Name>[],
  one: { test: string; contestant: string },
  other: { test: string; contestant: string },
  figure: (latencies: Latencies) => number | undefined = ({ opsPerSecond }) => opsPerSecond,
): number | undefined {
  const others = new Map(of(samples, other.test, other.contestant).map((each) => [each.round, figure(each)]))
  const ratios = of(samples, one.test, one.contestant).flatMap((each) => {
    const [ours, beside] = [figure(each), others.get(each.round)]
    return ours === undefined || beside === undefined ? [] : [ours / beside]
  })
  return ratios.length === 0 ? undefined : median(ratios)
}

export interface Spent<Name extends string = ContestantName> extends ProcessorTime {
  readonly test: string
  readonly contestant: Name
  /**
   * The rest of the wall clock for each operation, which neither used: at least that long it waited for the
   * disk, or for other processes.
   */
  readonly waitingUs: number
}

/** Where the time of one operation goes, by the medians of its parts. */
export function spent<Name extends string>(samples: readonly Sample<Name>[]): Spent<Name>[] {
  return results(samples).flatMap(({ test, contestant }) => {
    const own = of(samples, test, contestant).flatMap(({ spent: both, opsPerSecond }) =>
      both ? { ...both, waitingUs: Math.max(0, 1_000_000 / opsPerSecond - both.nodeUs - both.postgresUs) } : [],
    )
    if (own.length === 0) return []
    const middle = (part: 'nodeUs' | 'postgresUs' | 'waitingUs') => median(own.map((each) => each[part]))
    return [
      {
        test,
        contestant,
        nodeUs: middle('nodeUs'),
        postgresUs: middle('postgresUs'),
        waitingUs: middle('waitingUs'),
      },
    ]
  })
}

/** Daybook compared with each of the others, test by test. */
export function ratios(samples: readonly Sample[]): Ratio[] {
  return results(samples).flatMap(({ test, contestant: beside }) => {
    if (beside === 'daybook') return []
    const ratio = pairedRatio(samples, { test, contestant: 'daybook' }, { test, contestant: beside })
    return ratio === undefined ? [] : [{ test, contestant: 'daybook' as const, beside, ratio }]
  })
}
