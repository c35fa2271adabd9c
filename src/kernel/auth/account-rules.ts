/**
 * Rules for proofs of identity (passwords, second factors) and their single use, shared by the streams
 * of every realm (security.md 2.1, 2.2). Pure functions.
 */
import { found, reject } from '../lib/rejection.ts'
import { invalidCredentials } from './rejections.ts'

export interface Account {
  readonly id: string
  /** A PHC string; undefined if no password is set yet. */
  readonly passwordHash: string | undefined
  readonly totp:
    | { readonly secret: string; readonly backupCodes: readonly string[]; readonly enabledAt: Date }
    | undefined
  readonly pendingTotp: PendingTotp | undefined
  /** The newest time step ever used. It outlives the secret, so that no code counts twice. */
  readonly lastStep: number | undefined
}

interface PendingTotp {
  readonly secret: string
  readonly at: Date
  /**
   * Only the session that set the secret up may enable it. Null in events of 0.1.0, which did not
   * record it.
   */
  readonly sessionId: string | null
}

/** A verified TOTP step, or the stored hash of a verified backup code. */
export type UsedFactor = { readonly step: number } | { readonly backupCode: string }

/**
 * The password hash that was verified. Verification takes time, so the rule checks that the hash is
 * still the account's.
 */
export interface VerifiedPassword {
  readonly verified: string
}

const SETUP_MS = 10 * 60_000

/**
 * The secret that this session set up within the last ten minutes.
 * @throws Rejection 409 TOTP_NOT_SET_UP
 */
export function pendingSecret({ pendingTotp }: Account, sessionId: string, now: Date): string {
  if (pendingTotp?.sessionId !== sessionId) return rejectTotpNotSetUp()
  return now.getTime() - pendingTotp.at.getTime() > SETUP_MS ? rejectTotpNotSetUp() : pendingTotp.secret
}

/** @throws Rejection 409 TOTP_NOT_ENABLED */
export function requireTotp<A extends Account>(account: A | undefined): A & { totp: NonNullable<Account['totp']> } {
  const { totp } = found(account)
  if (!totp) return reject('conflict', 'The second factor is not enabled', 'TOTP_NOT_ENABLED')
  return { ...account!, totp }
}

/**
 * For a session that renews its proof by a code. A factor that was enabled after the session last
 * proved the password proves nothing: the holder of a stolen session may have enabled it.
 * @throws Rejection 409 TOTP_NOT_ENABLED · 403 SIGN_IN_AGAIN for such a factor
 */
export function requireOlderTotp<A extends Account>(account: A | undefined, provedPasswordAt: Date) {
  const known = requireTotp(account)
  if (known.totp.enabledAt.getTime() <= provedPasswordAt.getTime()) return known
  return reject(
    'forbidden',
    'The second factor was enabled after this session last proved the password: sign in again',
    'SIGN_IN_AGAIN',
  )
}

/** @throws Rejection 409 TOTP_ENABLED */
export function requireNoTotp<A extends Account>(account: A | undefined): A {
  if (found(account).totp) reject('conflict', 'The second factor is already enabled', 'TOTP_ENABLED')
  return account!
}

export function rejectTotpNotSetUp(): never {
  reject('conflict', 'Set up the second factor first; a set-up is valid for ten minutes', 'TOTP_NOT_SET_UP')
}

/** @throws Rejection 401 if the password has changed since it was verified */
export function requireUnchangedPassword<A extends Account>(account: A | undefined, { verified }: VerifiedPassword): A {
  return account && account.passwordHash === verified ? account : invalidCredentials()
}

/** @throws Rejection 401 for a step that this account has used, or an older one */
export const requireFreshStep = ({ lastStep = -1 }: Pick<Account, 'lastStep'>, step: number): number =>
  step > lastStep ? step : invalidCredentials()

const backupCodesWithout = ({ totp }: Pick<Account, 'totp'>, backupCode: string): readonly string[] =>
  totp!.backupCodes.filter((each) => each !== backupCode)

/**
 * The codes that remain after one is used.
 * @throws Rejection 401 if it was used before
 */
export function remainingBackupCodes(account: Pick<Account, 'totp'>, backupCode: string): readonly string[] {
  const left = backupCodesWithout(account, backupCode)
  return left.length < account.totp!.backupCodes.length ? left : invalidCredentials()
}

/**
 * How each event of `credential-events.ts` changes an account. TotpEnabled makes the pending secret
 * valid and uses up the step of its first code.
 */
export const applyTotpEnabled = <A extends Account>(
  account: A | undefined,
  { step, backupCodes }: { readonly step: number; readonly backupCodes: readonly string[] },
  enabledAt: Date,
): A => ({
  ...account!,
  totp: { secret: account!.pendingTotp!.secret, backupCodes, enabledAt },
  pendingTotp: undefined,
  lastStep: step,
})

export const applyTotpSetUp = <A extends Account>(account: A | undefined, pendingTotp: PendingTotp): A => ({
  ...account!,
  pendingTotp,
})

export const applyTotpDisabled = <A extends Account>(account: A | undefined, { step }: { step: number }): A => ({
  ...account!,
  totp: undefined,
  lastStep: step,
})

export const applyTotpUsed = <A extends Account>(account: A | undefined, { step }: { step: number }): A => ({
  ...account!,
  lastStep: step,
})

export const applyBackupCodeUsed = <A extends Account>(
  account: A | undefined,
  { backupCode }: { backupCode: string },
): A => ({
  ...account!,
  totp: { ...account!.totp!, backupCodes: backupCodesWithout(account!, backupCode) },
})

export const applyPasswordRehashed = <A extends Account>(
  account: A | undefined,
  { passwordHash }: { passwordHash: string },
): A => ({ ...account!, passwordHash })
