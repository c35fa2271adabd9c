/**
 * Read-your-writes consistency. A response to an ordinary change waits up to 1 s for the read models
 * that it affects, and reports a lag by a header. A strict change (a revocation) succeeds only when the
 * read models of the gate show it, so that it holds for the next request. It waits up to 5 s for them
 * and not longer than 1 s for the others.
 */
import type { UnitOutcome } from '../commands/command-runner.ts'
import type { Position } from '../events/store-port.ts'
import { reject } from '../lib/rejection.ts'
import type { Rejection } from '../lib/rejection.ts'
import type { AwaitedChange, Projector } from '../projections/projector.ts'

const ORDINARY_WAIT_MS = 1_000
const STRICT_WAIT_MS = 5_000

export type WaitUntilCaughtUp = Projector['waitUntilCaughtUp']

/** The position of the last event appended; {} if there is none. */
export function positionHeader(recorded: readonly UnitOutcome[]): Record<string, string> {
  if (recorded.length === 0) return {}
  return { 'Event-Position': String(lastPosition(recorded)) }
}

/**
 * @returns `Projection-Lag` if lists do not show the change yet
 * @throws Rejection 503 if a strict change does not hold yet
 */
export async function readYourWrites(
  recorded: readonly UnitOutcome[],
  caughtUp: WaitUntilCaughtUp,
): Promise<Record<string, string>> {
  if (recorded.length === 0) return {}
  const change = combinedChange(recorded)
  // A failed check counts as not caught up; the events stay appended.
  const shown = caughtUp(change, ORDINARY_WAIT_MS, 'all').catch(() => false)
  const strict = recorded.some((each) => each.strict)
  const holds = !strict || (await caughtUp(change, STRICT_WAIT_MS, 'gate').catch(() => false))
  if (holds) return (await shown) ? {} : { 'Projection-Lag': '1' }
  return reject(
    'unavailable',
    'The change is recorded but not yet in effect everywhere: try again',
    'NOT_YET_IN_EFFECT',
    { 'Retry-After': '1' },
  )
}

/** Whether `readYourWrites` has waited in vain. */
export const isNotYetInEffect = ({ code }: Rejection): boolean => code === 'NOT_YET_IN_EFFECT'

const combinedChange = (recorded: readonly UnitOutcome[]): AwaitedChange => ({
  types: [...new Set(recorded.flatMap(({ types }) => types))],
  streams: [...new Set(recorded.flatMap(({ streams }) => streams))],
  position: lastPosition(recorded),
})

const lastPosition = (recorded: readonly UnitOutcome[]): Position =>
  Math.max(...recorded.map(({ position }) => position))
