/**
 * Passwords and codes, always behind their counters: a try is reserved before it is verified (security.md 2.1).
 * Whatever is wrong, the answer is the same.
 */
import type { Call } from '../http/route.ts'
import { ADDRESS_ATTEMPTS, Attempts, PASSWORD_ATTEMPTS, SECOND_FACTOR_ATTEMPTS } from '../identity/attempts.ts'
import type { AttemptPolicy, Try } from '../identity/attempts.ts'
import { findBackupCode } from '../identity/backup-codes.ts'
import { verifyDummy, verifyPassword } from '../identity/password.ts'
import { verifyTotp } from '../identity/totp.ts'
import { withTotp } from './account-rules.ts'
import type { Account, Factor, Verified } from './account-rules.ts'
import { blockOf } from './limits.ts'
import type { Member, Realm } from './realm.ts'
import { invalidCredentials, invalidSession } from './refusals.ts'
import { SESSION_SECONDS_MAX } from './session-rules.ts'

/** Guesses at 80 bits need no lock, which would take the last way in from the owner; a window keeps them few. */
const BACKUP_CODE_ATTEMPTS: AttemptPolicy = { name: 'backup-code', windowMax: 5, windowSeconds: 15 * 60 }

/** Within one session since the last right one. The last of them ends the session, so that a stolen one is good for few guesses. */
const WRONG_PROOFS = { windowMax: 5, windowSeconds: SESSION_SECONDS_MAX }
/** Besides those of the account. */
const SESSION_PASSWORDS: AttemptPolicy = { name: 'session-password', ...WRONG_PROOFS }
/**
 * Instead of those of the account: the holder of a stolen session must not block the account's sign-in. At two live codes per guess,
 * five guesses succeed with a chance of 1e-5.
 */
const SESSION_CODES: AttemptPolicy = { name: 'session-code', ...WRONG_PROOFS }

const TOTP_CODE = /^[0-9]{6}$/

type Asking = Pick<Call, 'telemetry' | 'ip' | 'now' | 'vault'>

export const addressTry = async (call: Pick<Call, 'ip' | 'vault'>): Promise<Try> => ({
  policy: ADDRESS_ATTEMPTS,
  subject: await blockOf(call),
})

export const passwordTry = ({ counted }: Pick<Realm, 'counted'>, subject: string): Try => ({
  policy: PASSWORD_ATTEMPTS,
  subject: counted + subject,
})
export const codeTry = ({ id }: { id: string }): Try => ({ policy: SECOND_FACTOR_ATTEMPTS, subject: id })
const backupTry = ({ id }: { id: string }): Try => ({ policy: BACKUP_CODE_ATTEMPTS, subject: id })

/**
 * Whether the password is right, and whether it was looked at. Unknown, delayed and locked accounts cost a hash all the same;
 * a blocked address costs none, or it alone could keep every other sign-in waiting: what it learns is about itself.
 * The address's try stays reserved: what follows decides whether it was a failure.
 */
export async function tryPassword(
  call: Asking,
  { member, password, account }: { member: Member | undefined; password: string; account: Try },
): Promise<{ isRight: boolean; isLookedAt: boolean }> {
  const attempts = new Attempts(call.telemetry)
  const here = await attempts.reserve(await addressTry(call))
  if (!here.allowed) return { isRight: false, isLookedAt: false }
  const { allowed } = await attempts.reserve(account)
  if (!allowed || !member) return { isRight: await verifyDummy(password), isLookedAt: false }
  const isRight = await verifyPassword(member.passwordHash, password)
  if (isRight) await attempts.succeed(account)
  return { isRight, isLookedAt: true }
}

/** What a look at a proof found: `wrong` is a failure of whoever gave it, `unseen` is none, since other counters were in the way. */
type Look<Proof> = { readonly right: Proof } | 'wrong' | 'unseen'

/** @throws Rejection 401 `Invalid credentials`; the last wrong proof that the policy allows ends the session, of which the owner is told */
async function provenInSession<Proof>(
  realm: Realm,
  call: Call,
  policy: AttemptPolicy,
  look: () => Promise<Look<Proof>>,
): Promise<Proof> {
  const held = realm.held(call.caller)
  const attempts = new Attempts(call.telemetry)
  const counted: Try = { policy, subject: held.sessionId }
  const end = () => call.run((unit) => realm.decide.endSession(unit, held, 'WRONG_PROOFS'))
  const reserved = await attempts.reserve(counted)
  if (!reserved.allowed) {
    // The process that counted the last one was stopped before it ended the session.
    await end()
    return invalidSession()
  }
  const seen = await look().catch(async (error: unknown) => {
    await attempts.succeed(counted)
    throw error
  })
  if (seen === 'unseen') await attempts.succeed(counted)
  if (seen === 'wrong') await attempts.sweep(policy, SESSION_SECONDS_MAX)
  if (seen === 'wrong' && reserved.isLast) await end()
  if (seen === 'wrong' || seen === 'unseen') return invalidCredentials()
  await attempts.reset(counted)
  return seen.right
}

/** For a caller with a session who gives the password once more. @throws Rejection 401 as `provenInSession` */
export const provePassword = (realm: Realm, call: Call, member: Member, password: string): Promise<Verified> =>
  provenInSession(realm, call, SESSION_PASSWORDS, async () => {
    const account = passwordTry(realm, member.emailKey)
    const { isRight, isLookedAt } = await tryPassword(call, { member, password, account })
    if (!isRight) return isLookedAt ? 'wrong' : 'unseen'
    await new Attempts(call.telemetry).succeed(await addressTry(call))
    return { right: { verified: member.passwordHash } }
  })

/**
 * For a caller with a session who gives a code and no password: the step of a right code, which the caller then uses up.
 * @throws Rejection 401 as `provenInSession` | 409 TOTP_NOT_ENABLED
 */
export function proveCodeInSession(realm: Realm, call: Call, member: Member, code: string): Promise<number> {
  const { totp, lastStep } = withTotp(member)
  return provenInSession(realm, call, SESSION_CODES, async () => {
    const step = verifyTotp(totp.secret, code, { at: call.now, lastStep })
    return step === undefined ? 'wrong' : { right: step }
  })
}

/**
 * For a caller who has just proved the password: the step of a right code, which the caller then uses up. Wrong ones are counted for
 * the account. @throws Rejection 401 `Invalid credentials` | 409 TOTP_NOT_ENABLED
 */
export async function proveCode(call: Asking, account: Account, code: string): Promise<number> {
  const { totp, lastStep } = withTotp(account)
  const attempts = new Attempts(call.telemetry)
  const { allowed } = await attempts.reserve(codeTry(account))
  const step = allowed ? verifyTotp(totp.secret, code, { at: call.now, lastStep }) : undefined
  if (step === undefined) return invalidCredentials()
  await attempts.succeed(codeTry(account))
  return step
}

/** At sign-in: six digits or a backup code. @throws Rejection 401 `Invalid credentials` */
export async function proveFactor(call: Asking, account: Account, code: string): Promise<Factor> {
  if (TOTP_CODE.test(code)) return { step: await proveCode(call, account, code) }
  const { backupCodes } = withTotp(account).totp
  const attempts = new Attempts(call.telemetry)
  const { allowed } = await attempts.reserve(backupTry(account))
  const backupCode = allowed ? backupCodes[await findBackupCode(backupCodes, code)] : undefined
  if (backupCode === undefined) return invalidCredentials()
  // A right backup code also lets the owner out of a second factor that somebody else has blocked.
  await attempts.succeed(backupTry(account))
  await attempts.reset(codeTry(account))
  return { backupCode }
}
