/**
 * Verifies passwords and codes, always with counters: an attempt is reserved before it is verified
 * (security.md 2.1). For every failure the response is the same.
 */
import { isQueueFullError } from '../credentials/argon2.ts'
import {
  ADDRESS_ATTEMPTS,
  AttemptCounter,
  DEVICE_ATTEMPTS,
  DEVICE_PASSWORD_ATTEMPTS,
  PASSWORD_ATTEMPTS,
  SECOND_FACTOR_ATTEMPTS,
  UNKNOWN_NAME_ATTEMPTS,
} from '../credentials/attempt-counter.ts'
import type { AttemptPolicy, ForgottenFailures, CountedAttempt } from '../credentials/attempt-counter.ts'
import { findBackupCode } from '../credentials/backup-codes.ts'
import { accountShare, addressShare } from '../credentials/fair-queue.ts'
import type { QueueShare } from '../credentials/fair-queue.ts'
import { verifyDummy, verifyPassword } from '../credentials/password.ts'
import { verifyTotp } from '../credentials/totp.ts'
import type { HandlerContext } from '../http/route.ts'
import { requireTotp } from './account-rules.ts'
import type { Account, UsedFactor, VerifiedPassword } from './account-rules.ts'
import { addressBlockAttempts } from './caller-limits.ts'
import type { AddressContext } from './caller-limits.ts'
import type { RealmAccount, Realm } from './realm.ts'
import { invalidCredentials, invalidSession } from './rejections.ts'
import { SESSION_SECONDS_MAX } from './session-rules.ts'

/** Guesses at 80 bits need no lock, which would block the owner's last way to sign in. A window limits them. */
const BACKUP_CODE_ATTEMPTS: AttemptPolicy = { name: 'backup-code', windowMax: 5, windowSeconds: 15 * 60 }

/**
 * Within one session since the last correct proof. The last one ends the session, so that a stolen
 * session allows few guesses.
 */
const WRONG_PROOFS = { windowMax: 5, windowSeconds: SESSION_SECONDS_MAX }
/** In addition to the account's counter. */
const SESSION_PASSWORDS: AttemptPolicy = { name: 'session-password', ...WRONG_PROOFS }
/**
 * In place of the account's counter: the holder of a stolen session must not block the account's
 * sign-in. With two valid codes at a time, five guesses succeed with a probability of 1e-5.
 */
const SESSION_CODES: AttemptPolicy = { name: 'session-code', ...WRONG_PROOFS }

const TOTP_CODE = /^[0-9]{6}$/

type VerificationContext = Pick<HandlerContext, 'telemetry' | 'now' | 'warn'>

/** The origin of an attempt: its counters besides the account's, and its share of the queue. */
export interface AttemptOrigin {
  readonly attempts: readonly CountedAttempt[]
  readonly queueShare: QueueShare
}

/** The origin of an unknown client: the blocks of its address. */
export const addressOrigin = async (call: AddressContext): Promise<AttemptOrigin> => ({
  attempts: await addressBlockAttempts(call, ADDRESS_ATTEMPTS),
  queueShare: addressShare(call.ip),
})

/**
 * The origin of a device that has signed in to this account, or of a session of it. Failures of other
 * clients behind the same address do not affect it. It can guess only at its own account, which has its
 * own counter.
 */
export const deviceOrigin = (accountId: string, deviceId: string): AttemptOrigin => ({
  attempts: [{ policy: DEVICE_ATTEMPTS, subject: `${accountId}/${deviceId}` }],
  queueShare: accountShare(accountId),
})

type CountedRealm = Pick<Realm, 'counterPrefix' | 'actorType'>

const accountLabel = ({ actorType }: CountedRealm, { id }: { id: string }): string => `${actorType} ${id}`

export const passwordAttempt = (realm: CountedRealm, member: { id: string; emailKey: string }): CountedAttempt => ({
  policy: PASSWORD_ATTEMPTS,
  subject: realm.counterPrefix + member.emailKey,
  account: accountLabel(realm, member),
})
/**
 * A device that has signed in to the account has its own counter, so that other clients cannot lock out
 * the owner.
 */
export const devicePasswordAttempt = (
  realm: CountedRealm,
  member: { id: string; emailKey: string },
  deviceId: string,
): CountedAttempt => ({
  policy: DEVICE_PASSWORD_ATTEMPTS,
  subject: `${realm.counterPrefix}${member.emailKey}/${deviceId}`,
  account: accountLabel(realm, member),
})
/** Counted like the name of an existing account. */
export const unknownNameAttempt = (realm: CountedRealm, emailKey: string): CountedAttempt => ({
  policy: UNKNOWN_NAME_ATTEMPTS,
  subject: realm.counterPrefix + emailKey,
})
export const codeAttempt = (realm: CountedRealm, member: { id: string }): CountedAttempt => ({
  policy: SECOND_FACTOR_ATTEMPTS,
  subject: member.id,
  account: accountLabel(realm, member),
})
const backupCodeAttempt = ({ id }: { id: string }): CountedAttempt => ({ policy: BACKUP_CODE_ATTEMPTS, subject: id })

/** The deleted failures of an account, by kind of secret. */
export interface LiftedLocks {
  readonly password: ForgottenFailures
  readonly secondFactor: ForgottenFailures
}

/** Deletes all failures of an account that other clients may have caused: it is no longer delayed or locked. */
export async function liftLocks(
  telemetry: HandlerContext['telemetry'],
  realm: CountedRealm,
  member: { id: string; emailKey: string },
): Promise<LiftedLocks> {
  const attempts = new AttemptCounter(telemetry)
  const password = await attempts.reset(passwordAttempt(realm, member))
  const secondFactor = await attempts.reset(codeAttempt(realm, member))
  await attempts.reset(backupCodeAttempt(member))
  return { password, secondFactor }
}

/** An attempt that was rejected before its verification is released: the caller has learnt nothing. */
async function verifyOrGiveBack<Result>(
  attempts: AttemptCounter,
  tries: readonly CountedAttempt[],
  verify: () => Promise<Result>,
) {
  try {
    return await verify()
  } catch (error) {
    if (isQueueFullError(error)) await attempts.giveBack(...tries)
    throw error
  }
}

/**
 * For operators: only a new password, a backup code or an operator unlocks the account. The caller is
 * not told.
 */
export function warnOfLock(
  { warn }: Pick<HandlerContext, 'warn'>,
  { policy: { name, consecutiveMax }, account }: CountedAttempt,
): void {
  warn({ lock: name, account, failures: consecutiveMax }, 'account locked')
}

/**
 * Whether the password is correct, and whether it was checked. Unknown, delayed and locked accounts
 * still cost a hash, so that the duration is the same. A blocked origin costs none, because it could
 * otherwise delay every other sign-in; what it learns concerns only itself. The origin's attempts stay
 * reserved: the caller of this function decides whether they were failures.
 */
export async function tryPassword(
  call: VerificationContext,
  {
    member,
    password,
    account,
    origin,
  }: { member: RealmAccount | undefined; password: string; account: CountedAttempt; origin: AttemptOrigin },
): Promise<{ isRight: boolean; isLookedAt: boolean }> {
  const attempts = new AttemptCounter(call.telemetry)
  const { attempts: tries, queueShare } = origin
  const here = await attempts.reserveAll(...tries)
  if (!here.allowed) return { isRight: false, isLookedAt: false }
  const reserved = await attempts.reserve(account)
  if (!reserved.allowed || !member)
    return {
      isRight: await verifyOrGiveBack(attempts, tries, () => verifyDummy(password, queueShare)),
      isLookedAt: false,
    }
  const isRight = await verifyOrGiveBack(attempts, [...tries, account], () =>
    verifyPassword(member.passwordHash, password, queueShare),
  )
  if (isRight) await attempts.succeed(account)
  else if (reserved.locked) warnOfLock(call, account)
  return { isRight, isLookedAt: true }
}

/**
 * The result of a check: `wrong` counts as a failure, `unseen` does not, because another counter
 * prevented the check.
 */
type ProofResult<Proof> = { readonly right: Proof } | 'wrong' | 'unseen'

/**
 * The last wrong proof that the policy allows ends the session; the owner is notified.
 * @throws Rejection 401 `Invalid credentials`
 */
async function proveInSession<Proof>(
  realm: Realm,
  call: HandlerContext,
  policy: AttemptPolicy,
  look: () => Promise<ProofResult<Proof>>,
): Promise<Proof> {
  const held = realm.sessionIdentityOf(call.caller)
  const attempts = new AttemptCounter(call.telemetry)
  const counted: CountedAttempt = { policy, subject: held.sessionId }
  const end = () => call.run((unit) => realm.decide.endSession(unit, held, 'WRONG_PROOFS'))
  const reserved = await attempts.reserve(counted)
  if (!reserved.allowed) {
    // The process that counted the last attempt stopped before it ended the session.
    await end()
    return invalidSession()
  }
  const seen = await look().catch(async (error: unknown) => {
    await attempts.giveBack(counted)
    throw error
  })
  if (seen === 'unseen') await attempts.giveBack(counted)
  if (seen === 'wrong') await attempts.sweep(policy, SESSION_SECONDS_MAX)
  if (seen === 'wrong' && reserved.isLast) await end()
  if (seen === 'wrong' || seen === 'unseen') return invalidCredentials()
  await attempts.reset(counted)
  return seen.right
}

/**
 * For a session that proves the password again. A wrong one also counts for the account. The password
 * is checked even if the account is locked, because other clients can cause that; the session's counter
 * limits the guesses.
 * @throws Rejection 401 as `proveInSession`
 */
export const provePassword = (
  realm: Realm,
  call: HandlerContext,
  member: RealmAccount,
  password: string,
): Promise<VerifiedPassword> =>
  proveInSession(realm, call, SESSION_PASSWORDS, async () => {
    const attempts = new AttemptCounter(call.telemetry)
    const { attempts: tries, queueShare } = deviceOrigin(member.id, realm.sessionIdentityOf(call.caller).sessionId)
    const { allowed } = await attempts.reserve(...tries)
    if (!allowed) return 'unseen'
    const account = passwordAttempt(realm, member)
    const ofAccount = await attempts.reserve(account)
    const counted = ofAccount.allowed ? [...tries, account] : tries
    const isRight = await verifyOrGiveBack(attempts, counted, () =>
      verifyPassword(member.passwordHash, password, queueShare),
    )
    if (isRight) await attempts.succeed(...counted)
    else if (ofAccount.allowed && ofAccount.locked) warnOfLock(call, account)
    return isRight ? { right: { verified: member.passwordHash } } : 'wrong'
  })

/**
 * For a session that sends a code without a password. The caller must use up the returned step.
 * @throws Rejection 401 as `proveInSession` | 409 TOTP_NOT_ENABLED
 */
export function proveCodeInSession(
  realm: Realm,
  call: HandlerContext,
  member: RealmAccount,
  code: string,
): Promise<number> {
  const { totp, lastStep } = requireTotp(member)
  return proveInSession(realm, call, SESSION_CODES, async () => {
    const step = verifyTotp(totp.secret, code, { at: call.now, lastStep })
    return step === undefined ? 'wrong' : { right: step }
  })
}

/**
 * For a caller that has just proved the password. The caller must use up the returned step. Wrong codes
 * count for the account.
 * @throws Rejection 401 `Invalid credentials` | 409 TOTP_NOT_ENABLED
 */
export async function proveCode(
  realm: CountedRealm,
  call: VerificationContext,
  account: Account,
  code: string,
): Promise<number> {
  const { totp, lastStep } = requireTotp(account)
  const attempts = new AttemptCounter(call.telemetry)
  const counted = codeAttempt(realm, account)
  const reserved = await attempts.reserve(counted)
  const step = reserved.allowed ? verifyTotp(totp.secret, code, { at: call.now, lastStep }) : undefined
  if (step !== undefined) {
    await attempts.succeed(counted)
    return step
  }
  if (reserved.allowed && reserved.locked) warnOfLock(call, counted)
  return invalidCredentials()
}

/**
 * At sign-in: six digits or a backup code.
 * @throws Rejection 401 `Invalid credentials`
 */
export async function proveFactor(
  realm: CountedRealm,
  call: VerificationContext,
  account: Account,
  code: string,
): Promise<UsedFactor> {
  if (TOTP_CODE.test(code)) return { step: await proveCode(realm, call, account, code) }
  const { backupCodes } = requireTotp(account).totp
  const attempts = new AttemptCounter(call.telemetry)
  const counted = backupCodeAttempt(account)
  const { allowed } = await attempts.reserve(counted)
  const find = () => findBackupCode(backupCodes, code, accountShare(account.id))
  const backupCode = allowed ? backupCodes[await verifyOrGiveBack(attempts, [counted], find)] : undefined
  if (backupCode === undefined) return invalidCredentials()
  // A correct backup code also unlocks a second factor that an attacker has blocked.
  await attempts.succeed(counted)
  await attempts.reset(codeAttempt(realm, account))
  return { backupCode }
}
