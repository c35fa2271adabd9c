/** What an append does to the claims that it takes and releases, seen from how they stand. */
import { ClaimRefused } from '../../events/store-port.ts'
import type { Append, HeldClaim } from '../../events/store-port.ts'
import type { ClaimState } from './leader-reads.ts'
import { claimStream } from './stream-names.ts'

/** Written only while the stream is still as it was seen. Without a record it is checked all the same: what is left alone rests on it too. */
export interface ClaimChange extends ClaimState {
  readonly stream: string
  readonly records: readonly ClaimRecord[]
}

export interface ClaimRecord {
  readonly type: 'ClaimTaken' | 'ClaimReleased'
  readonly scope: string
  /** Absent when the claim is free again. */
  readonly holder?: string
}

export interface ClaimPlan {
  readonly changes: readonly ClaimChange[]
  readonly refused?: ClaimRefused
}

export function planClaims({ take = [], release = [] }: Append, seen: ReadonlyMap<string, ClaimState>): ClaimPlan {
  const records = new Map<string, ClaimRecord[]>([...seen.keys()].map((stream) => [stream, []]))
  const holders = new Map([...seen].map(([stream, { holder }]) => [stream, holder]))
  for (const claim of release) {
    const stream = claimStream(claim)
    if (holders.get(stream) !== claim.holder) continue
    holders.set(stream, undefined)
    records.get(stream)?.push({ type: 'ClaimReleased', scope: claim.scope })
  }
  for (const claim of take) {
    const stream = claimStream(claim)
    const holder = holders.get(stream)
    if (holder !== undefined) return { changes: [], refused: refusal(claim, holder) }
    holders.set(stream, claim.holder)
    records.get(stream)?.push({ type: 'ClaimTaken', scope: claim.scope, holder: claim.holder })
  }
  return { changes: [...seen].map(([stream, state]) => ({ ...state, stream, records: records.get(stream) ?? [] })) }
}

function refusal({ scope, key }: HeldClaim, holder: string): ClaimRefused {
  return new ClaimRefused({ scope, key }, holder)
}
