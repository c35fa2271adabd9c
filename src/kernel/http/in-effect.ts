/**
 * Read your writes: an answer says what is already true. Ordinary changes wait a moment for the read models that they feed and
 * say so when these lag; what takes something away is only answered with success once it holds on the very next request.
 */
import type { Recorded } from '../command.ts'
import { reject } from '../rejection.ts'
import type { Position } from '../store/port.ts'

const ORDINARY_WAIT_MS = 1_000
const STRICT_WAIT_MS = 5_000

/** True once every read model that these event types feed has passed the position; false after `timeoutMs`. */
export type CaughtUp = (types: readonly string[], position: Position, timeoutMs: number) => Promise<boolean>

/** Where the answer's writes stand; {} when nothing was appended. */
export function positionHeader(recorded: readonly Recorded[]): Record<string, string> {
  if (recorded.length === 0) return {}
  return { 'Event-Position': String(lastOf(recorded)) }
}

/** @returns `Projection-Lag` for an ordinary change that is not visible yet. @throws Rejection 503 for a strict one. */
export async function inEffect(recorded: readonly Recorded[], caughtUp: CaughtUp): Promise<Record<string, string>> {
  if (recorded.length === 0) return {}
  const strict = recorded.some((each) => each.strict)
  const types = [...new Set(recorded.flatMap((each) => each.types))]
  const waitMs = strict ? STRICT_WAIT_MS : ORDINARY_WAIT_MS
  // Whoever cannot say is not caught up; what was appended stays appended.
  const visible = await caughtUp(types, lastOf(recorded), waitMs).catch(() => false)
  if (visible) return {}
  if (!strict) return { 'Projection-Lag': '1' }
  return reject(
    'unavailable',
    'The change is recorded but not yet in effect everywhere, try again',
    'NOT_YET_IN_EFFECT',
    {
      'Retry-After': '1',
    },
  )
}

const lastOf = (recorded: readonly Recorded[]): Position => Math.max(...recorded.map(({ position }) => position))
