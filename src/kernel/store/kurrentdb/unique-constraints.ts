/** What an append does to the claims that it takes and releases, seen from how they stand. */
import { UniqueConstraintViolation } from '../../events/store-port.ts'
import type { Append, HeldConstraint } from '../../events/store-port.ts'
import type { ConstraintState } from './leader-reads.ts'
import { constraintStream } from './stream-names.ts'

/** Written only while the stream is still as it was seen. Without a record it is checked all the same: what is left alone rests on it too. */
export interface ConstraintChange extends ConstraintState {
  readonly stream: string
  readonly records: readonly ConstraintRecord[]
}

export interface ConstraintRecord {
  readonly type: 'ClaimTaken' | 'ClaimReleased'
  readonly scope: string
  /** Absent when the claim is free again. */
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
