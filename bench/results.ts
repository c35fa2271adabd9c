/** From the samples of the rounds to the results: medians, and ratios of measurements at nearly the same time. */
import { median } from '../scripts/figures/spread.ts'
import type { ContestantName, Latencies } from './contestant.ts'
import type { ProcessorTime } from './processor.ts'

export interface Sample extends Latencies {
  readonly round: number
  readonly test: string
  readonly contestant: ContestantName
}

export interface Result extends Omit<Latencies, 'spent'> {
  readonly test: string
  readonly contestant: ContestantName
}

export interface Ratio {
  readonly test: string
  readonly contestant: ContestantName
  readonly beside: ContestantName
  readonly ratio: number
}

const of = (samples: readonly Sample[], test: string, contestant: ContestantName): Sample[] =>
  samples.filter((sample) => sample.test === test && sample.contestant === contestant)

/** Medians over the rounds, separately for each figure, in the order in which tests and contestants first appear. */
export function results(samples: readonly Sample[]): Result[] {
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
 * @returns undefined if no round measured both
 */
export function pairedRatio(
  samples: readonly Sample[],
  one: { test: string; contestant: ContestantName },
  other: { test: string; contestant: ContestantName },
): number | undefined {
  const others = new Map(of(samples, other.test, other.contestant).map((each) => [each.round, each.opsPerSecond]))
  const ratios = of(samples, one.test, one.contestant).flatMap(({ round, opsPerSecond }) => {
    const beside = others.get(round)
    return beside === undefined ? [] : [opsPerSecond / beside]
  })
  return ratios.length === 0 ? undefined : median(ratios)
}

export interface Spent extends ProcessorTime {
  readonly test: string
  readonly contestant: ContestantName
  /**
   * The rest of the wall clock for each operation, which neither used: at least that long it waited for the
   * disk, or for other processes.
   */
  readonly waitingUs: number
}

/** Where the time of one operation goes, by the medians of its parts. */
export function spent(samples: readonly Sample[]): Spent[] {
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
