/** The table of the request path, as text for a terminal and for docs/benchmarks.md. */
import { median } from '../../scripts/figures/spread.ts'
import { us, ms, times, whole } from '../report.ts'
import { pairedRatio, results, spent } from '../results.ts'
import { processorUs } from './goals.ts'
import { PATHS } from './paths.ts'
import type { Answerer, Path, PathSample } from './paths.ts'

const HEAD = [
  'processor time of a request, Node + Postgres, µs',
  'Daybook',
  'twin',
  'ratio',
  'Daybook /s',
  'twin /s',
  'Daybook p50 / p99 ms',
  'twin p50 / p99 ms',
] as const

/** The first row is the head. Nothing is shown of a path that was not measured. */
export function pathRows(samples: readonly PathSample[]): string[][] {
  const measured = PATHS.filter(({ name }) => samples.some(({ test }) => test === name))
  return [[...HEAD], ...measured.map((path) => rowOf(path, samples))]
}

function rowOf({ name: test, does }: Path, samples: readonly PathSample[]): string[] {
  const time = (contestant: Answerer) => {
    const found = spent(samples).find((each) => each.test === test && each.contestant === contestant)
    return found ? `${us(found.nodeUs)} + ${us(found.postgresUs)}` : NONE
  }
  const result = (contestant: Answerer) =>
    results(samples).find((each) => each.test === test && each.contestant === contestant)
  const rate = (contestant: Answerer) => {
    const found = result(contestant)
    return found ? whole(found.opsPerSecond) : NONE
  }
  const latency = (contestant: Answerer) => {
    const found = result(contestant)
    return found ? `${ms(found.p50Ms)} / ${ms(found.p99Ms)}` : NONE
  }
  const ratio = pairedRatio(samples, { test, contestant: 'daybook' }, { test, contestant: 'twin' }, processorUs)
  return [
    does,
    time('daybook'),
    time('twin'),
    ratio === undefined ? NONE : times(ratio),
    rate('daybook'),
    rate('twin'),
    latency('daybook'),
    latency('twin'),
  ]
}

const NONE = '–'

/** Undefined if it was not measured. */
export function cryptographyUs(samples: readonly PathSample[]): number | undefined {
  const own = samples.flatMap(({ contestant, spent }) => (contestant === 'cryptography' && spent ? spent.nodeUs : []))
  return own.length === 0 ? undefined : median(own)
}
