/** Plans the changes of an append to unique constraints, from their present states. */
import { UniqueConstraintViolation } from '../../events/store-port.ts'
import type { Append, HeldConstraint } from '../../events/store-port.ts'
import type { ConstraintState } from './leader-reads.ts'
import { constraintStream } from './stream-names.ts'

/**
 * Applied only if the stream is unchanged.
 * A stream without new records is also checked, because the plan depends on it.
 */
export interface ConstraintChange extends ConstraintState {
  readonly stream: string
  readonly records: readonly ConstraintRecord[]
}

export interface ConstraintRecord {
  readonly type: 'ClaimTaken' | 'ClaimReleased'
  readonly scope: string
  /** Absent when the constraint is released. */
  readonly holder?: string
}

export interface ConstraintPlan {
  readonly changes: readonly ConstraintChange[]
  readonly refused?: UniqueConstraintViolation
}

export function planConstraints(
  { take = [], release = [] }: Append,
  seen: ReadonlyMap<string, ConstraintState>,
): ConstraintPlan {
  const records = new Map<string, ConstraintRecord[]>([...seen.keys()].map((stream) => [stream, []]))
  const holders = new Map([...seen].map(([stream, { holder }]) => [stream, holder]))
  for (const claim of release) {
    const stream = constraintStream(claim)
    if (holders.get(stream) !== claim.holder) continue
    holders.set(stream, undefined)
    records.get(stream)?.push({ type: 'ClaimReleased', scope: claim.scope })
  }
  for (const claim of take) {
    const stream = constraintStream(claim)
    const holder = holders.get(stream)
    if (holder !== undefined) return { changes: [], refused: violationOf(claim, holder) }
    holders.set(stream, claim.holder)
    records.get(stream)?.push({ type: 'ClaimTaken', scope: claim.scope, holder: claim.holder })
  }
  return { changes: [...seen].map(([stream, state]) => ({ ...state, stream, records: records.get(stream) ?? [] })) }
}

function violationOf({ scope, key }: HeldConstraint, holder: string): UniqueConstraintViolation {
  return new UniqueConstraintViolation({ scope, key }, holder)
}
