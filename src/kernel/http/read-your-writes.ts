/**
 * Read your writes: an answer says what is already true. Ordinary changes wait a moment for the read models that they feed and
 * say so when these lag; what takes something away is only answered with success once the read models that the gate asks show
 * it, so that it holds on the very next request. Nobody waits longer than a moment for the others.
 */
import type { UnitOutcome } from '../commands/command-runner.ts'
import type { AwaitedChange, Projector } from '../projections/projector.ts'
import { reject } from '../lib/rejection.ts'
import type { Position } from '../events/store-port.ts'

const ORDINARY_WAIT_MS = 1_000
const STRICT_WAIT_MS = 5_000

export type WaitUntilCaughtUp = Projector['waitUntilCaughtUp']

/** Where the answer's writes stand; {} when nothing was appended. */
export function positionHeader(recorded: readonly UnitOutcome[]): Record<string, string> {
  if (recorded.length === 0) return {}
  return { 'Event-Position': String(lastPosition(recorded)) }
}

/** @returns `Projection-Lag` for what lists do not show yet. @throws Rejection 503 for a strict change that does not hold yet */
export async function readYourWrites(
  recorded: readonly UnitOutcome[],
  caughtUp: WaitUntilCaughtUp,
): Promise<Record<string, string>> {
  if (recorded.length === 0) return {}
  const change = combinedChange(recorded)
  // Whoever cannot say is not caught up; what was appended stays appended.
  const shown = caughtUp(change, ORDINARY_WAIT_MS, 'all').catch(() => false)
  const strict = recorded.some((each) => each.strict)
  const holds = !strict || (await caughtUp(change, STRICT_WAIT_MS, 'gate').catch(() => false))
  if (holds) return (await shown) ? {} : { 'Projection-Lag': '1' }
  return reject(
    'unavailable',
    'The change is recorded but not yet in effect everywhere, try again',
    'NOT_YET_IN_EFFECT',
    { 'Retry-After': '1' },
  )
}

const combinedChange = (recorded: readonly UnitOutcome[]): AwaitedChange => ({
  types: [...new Set(recorded.flatMap(({ types }) => types))],
  streams: [...new Set(recorded.flatMap(({ streams }) => streams))],
  position: lastPosition(recorded),
})

const lastPosition = (recorded: readonly UnitOutcome[]): Position =>
  Math.max(...recorded.map(({ position }) => position))
