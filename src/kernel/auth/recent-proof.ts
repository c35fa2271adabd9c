/** What a session must have shown before it does what cannot be undone: a proof of who the caller is, not older than five minutes. */
import { reject } from '../lib/rejection.ts'

const FRESH_PROOF_MS = 5 * 60_000

/**
 * @param provedAt when the session last proved it; undefined where it never did
 * @param authPath of the realm, where the session renews its proof
 * @throws Rejection 403 STEP_UP_REQUIRED
 */
export function requireFreshProof(provedAt: Date | undefined, now: Date, authPath: string): void {
  if (provedAt && now.getTime() - provedAt.getTime() <= FRESH_PROOF_MS) return
  reject(
    'forbidden',
    `A password or code of the last five minutes is needed: POST ${authPath}/step-up, then try again`,
    'STEP_UP_REQUIRED',
  )
}
