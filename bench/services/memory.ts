/** Resident memory of each service: at rest, and after the same load three times. */
import { setTimeout as pause } from 'node:timers/promises'
import { resident } from '../../scripts/figures/child.ts'
import type { Goal } from '../goals.ts'
import type { Server } from '../server.ts'
import { fire } from './load.ts'
import { PATHS } from './paths.ts'
import { startLicensing, startPanel } from './stage.ts'
import { unsigned } from './targets.ts'

const REPEATS = 3
/** A load of each path lasts as many times longer than a round. */
const ROUNDS_EACH = 5
/** Long enough to collect the garbage of a start. */
const REST_MS = 10_000
const MIB_AT_REST = 180
const MIB_AFTER_LOAD = 350
/** What the last load may add to the first. */
const GROWTH = 1.1

export interface Memory {
  /** MiB. */
  readonly atRest: number
  /** MiB, after each load. */
  readonly afterLoad: readonly number[]
}

export type Memories = Readonly<Record<'licensing' | 'panel', Memory>>

export async function measureMemory(server: Server, seconds: number): Promise<Memories> {
  const { licensing } = await startLicensing(server)
  const { panel } = await startPanel(server)
  try {
    await pause(REST_MS)
    const now = () => ({ licensing: resident(licensing.pid), panel: resident(panel.pid) })
    const atRest = now()
    const after: (typeof atRest)[] = []
    for (let repeat = 0; repeat < REPEATS; repeat += 1) {
      for (const { name, inFlight } of PATHS.filter(({ signed }) => !signed)) {
        const ports = [name === 'keyRead' ? panel.port : licensing.port]
        await fire({ ports, inFlight, seconds: ROUNDS_EACH * seconds, next: unsigned(name, { licensing, panel }) })
      }
      after.push(now())
    }
    const of = (name: 'licensing' | 'panel') => ({ atRest: atRest[name], afterLoad: after.map((each) => each[name]) })
    return { licensing: of('licensing'), panel: of('panel') }
  } finally {
    await panel.stop()
    await licensing.stop()
  }
}

export const memoryRows = (memories: Memories): string[][] => [
  ['resident MiB', 'at rest', ...Array.from({ length: REPEATS }, (_each, nth) => `after load ${nth + 1}`)],
  ...Object.entries(memories).map(([name, { atRest, afterLoad }]) => [
    name,
    ...[atRest, ...afterLoad].map((mib) => mib.toFixed(0)),
  ]),
]

export const memoryGoals = (memories: Memories): Goal[] =>
  Object.entries(memories).flatMap(([name, { atRest, afterLoad }]) => [
    atMost(`${name} at rest ≤ ${MIB_AT_REST} MiB`, MIB_AT_REST, atRest),
    atMost(`${name} after the load ≤ ${MIB_AFTER_LOAD} MiB`, MIB_AFTER_LOAD, Math.max(...afterLoad)),
    atMost(`${name} after the last load ≤ ${GROWTH} × after the first`, GROWTH, afterLoad.at(-1)! / afterLoad[0]!),
  ])

export const atMost = (goal: string, wanted: number, found: number): Goal => ({
  goal,
  wanted,
  between: [],
  found,
  met: found <= wanted,
})
