/** The promises of the request path, and whether this run kept them. */
import type { Latencies } from '../contestant.ts'
import { judged } from '../goals.ts'
import type { Aim, Goal } from '../goals.ts'
import { pairedRatio, results } from '../results.ts'
import { VISIBLE } from './paths.ts'
import type { Answerer, PathSample } from './paths.ts'

type PathAim = Aim<readonly PathSample[]>

/** Of one request, in µs. */
export const processorUs = ({ spent }: Latencies): number | undefined => spent && spent.nodeUs + spent.postgresUs
const nodeUs = ({ spent }: Latencies): number | undefined => spent?.nodeUs

const ours = (test: string) => ({ test, contestant: 'daybook' }) as const

function ratio(
  goal: string,
  wanted: number,
  test: string,
  contestant: Answerer = 'twin',
  figure = processorUs,
): PathAim {
  const between = [ours(test), { test, contestant }] as const
  return { goal, wanted, between, measured: (samples) => pairedRatio(samples, ...between, figure) }
}

function figure(goal: string, wanted: number, test: string, of: 'opsPerSecond' | 'p50Ms' | 'p99Ms'): PathAim {
  const is = (each: { test: string; contestant: string }) => each.test === test && each.contestant === 'daybook'
  return { goal, wanted, between: [ours(test)], measured: (samples) => results(samples).find(is)?.[of] }
}

const AT_LEAST = [figure('heartbeats over two processes ≥ 3,000 /s', 3_000, 'heartbeatX2', 'opsPerSecond')]

const AT_MOST = [
  ratio('token read ≤ 0.85 × twin', 0.85, 'tokenRead'),
  ratio('key read ≤ 0.7 × twin', 0.7, 'keyRead'),
  ratio('provisioning, 32 in flight ≤ 1.5 × twin', 1.5, 'provisioning32'),
  figure('provisioning, one at a time, p50 ≤ 8 ms', 8, 'provisioning1', 'p50Ms'),
  ratio('heartbeat ≤ 3.3 × its cryptography (Node)', 3.3, 'heartbeat', 'cryptography', nodeUs),
  figure('append → visible p50 ≤ 5 ms', 5, VISIBLE, 'p50Ms'),
  figure('append → visible p99 ≤ 25 ms', 25, VISIBLE, 'p99Ms'),
]

export const pathGoals = (samples: readonly PathSample[]): Goal[] => judged(samples, AT_LEAST, AT_MOST)
