/** Requires a recent proof of identity, at most five minutes old, before changes that cannot be undone. */
import { reject } from '../lib/rejection.ts'

const FRESH_PROOF_MS = 5 * 60_000

/**
 * @param provedAt when the session last proved its identity; undefined if it never did
 * @param authPath the path of the realm, where the session renews its proof
 * @throws Rejection 403 STEP_UP_REQUIRED
 */
export function requireFreshProof(provedAt: Date | undefined, now: Date, authPath: string): void {
  if (provedAt && now.getTime() - provedAt.getTime() <= FRESH_PROOF_MS) return
  reject(
    'forbidden',
    `Prove your password or a code again with POST ${authPath}/step-up; the proof is valid for five minutes`,
    'STEP_UP_REQUIRED',
  )
}
