/**
 * Passwords and codes, always behind their counters: a try is reserved before it is verified (security.md 2.1).
 * Whatever is wrong, the answer is the same.
 */
import type { Call } from '../http/route.ts'
import { isTurnedAway } from '../credentials/argon2.ts'
import {
  ADDRESS_ATTEMPTS,
  Attempts,
  DEVICE_ATTEMPTS,
  DEVICE_PASSWORD_ATTEMPTS,
  PASSWORD_ATTEMPTS,
  SECOND_FACTOR_ATTEMPTS,
  UNKNOWN_NAME_ATTEMPTS,
} from '../credentials/attempt-counter.ts'
import type { AttemptPolicy, Forgotten, Try } from '../credentials/attempt-counter.ts'
import { findBackupCode } from '../credentials/backup-codes.ts'
import { accountPlace, addressPlace } from '../credentials/fair-queue.ts'
import type { Place } from '../credentials/fair-queue.ts'
import { verifyDummy, verifyPassword } from '../credentials/password.ts'
import { verifyTotp } from '../credentials/totp.ts'
import { withTotp } from './account-rules.ts'
import type { Account, Factor, Verified } from './account-rules.ts'
import { blockTries } from './caller-limits.ts'
import type { FromAddress } from './caller-limits.ts'
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

type Asking = Pick<Call, 'telemetry' | 'now' | 'warn'>

/** From where a try comes: by what it is counted besides the account that it is at, and in which share of the queue it waits. */
export interface Origin {
  readonly tries: readonly Try[]
  readonly place: Place
}

/** A stranger's: the blocks of the address. */
export const addressOrigin = async (call: FromAddress): Promise<Origin> => ({
  tries: await blockTries(call, ADDRESS_ATTEMPTS),
  place: addressPlace(call.ip),
})

/**
 * Of a device that has signed in to this account, or a session of it: failures of others behind the same address cost it nothing. It
 * guesses at its own account alone, whose counter stands behind this one.
 */
export const knownOrigin = (accountId: string, deviceId: string): Origin => ({
  tries: [{ policy: DEVICE_ATTEMPTS, subject: `${accountId}/${deviceId}` }],
  place: accountPlace(accountId),
})

type InRealm = Pick<Realm, 'counted' | 'actorType'>

const accountIn = ({ actorType }: InRealm, { id }: { id: string }): string => `${actorType} ${id}`

export const passwordTry = (realm: InRealm, member: { id: string; emailKey: string }): Try => ({
  policy: PASSWORD_ATTEMPTS,
  subject: realm.counted + member.emailKey,
  account: accountIn(realm, member),
})
/** A device that has signed in to the account counts for itself, so that strangers do not lock its owner out. */
export const devicePasswordTry = (realm: InRealm, member: { id: string; emailKey: string }, deviceId: string): Try => ({
  policy: DEVICE_PASSWORD_ATTEMPTS,
  subject: `${realm.counted}${member.emailKey}/${deviceId}`,
  account: accountIn(realm, member),
})
/** As if some account had it. */
export const unknownNameTry = (realm: InRealm, emailKey: string): Try => ({
  policy: UNKNOWN_NAME_ATTEMPTS,
  subject: realm.counted + emailKey,
})
export const codeTry = (realm: InRealm, member: { id: string }): Try => ({
  policy: SECOND_FACTOR_ATTEMPTS,
  subject: member.id,
  account: accountIn(realm, member),
})
const backupTry = ({ id }: { id: string }): Try => ({ policy: BACKUP_CODE_ATTEMPTS, subject: id })

/** Failures that were counted against an account, by what was wrong. */
export interface LiftedLocks {
  readonly password: Forgotten
  readonly secondFactor: Forgotten
}

/** Forgets every failure at an account that strangers may have caused: nothing delays or locks it any more. */
export async function liftLocks(
  telemetry: Call['telemetry'],
  realm: InRealm,
  member: { id: string; emailKey: string },
): Promise<LiftedLocks> {
  const attempts = new Attempts(telemetry)
  const password = await attempts.reset(passwordTry(realm, member))
  const secondFactor = await attempts.reset(codeTry(realm, member))
  await attempts.reset(backupTry(member))
  return { password, secondFactor }
}

/** A try that was turned away before anything was verified is given back: it has told its caller nothing. */
async function verifying<Result>(attempts: Attempts, tries: readonly Try[], verify: () => Promise<Result>) {
  try {
    return await verify()
  } catch (error) {
    if (isTurnedAway(error)) await attempts.giveBack(...tries)
    throw error
  }
}

/** For operators: only a new password, a backup code or they themselves let the account in again. The caller is not told. */
export function warnOfLock({ warn }: Pick<Call, 'warn'>, { policy: { name, consecutiveMax }, account }: Try): void {
  warn({ lock: name, account, failures: consecutiveMax }, 'account locked')
}

/**
 * Whether the password is right, and whether it was looked at. Unknown, delayed and locked accounts cost a hash all the same;
 * a blocked origin costs none, or it alone could keep every other sign-in waiting: what it learns is about itself.
 * The origin's tries stay reserved: what follows decides whether they were failures.
 */
export async function tryPassword(
  call: Asking,
  { member, password, account, origin }: { member: Member | undefined; password: string; account: Try; origin: Origin },
): Promise<{ isRight: boolean; isLookedAt: boolean }> {
  const attempts = new Attempts(call.telemetry)
  const { tries, place } = origin
  const here = await attempts.reserveAll(...tries)
  if (!here.allowed) return { isRight: false, isLookedAt: false }
  const reserved = await attempts.reserve(account)
  if (!reserved.allowed || !member)
    return { isRight: await verifying(attempts, tries, () => verifyDummy(password, place)), isLookedAt: false }
  const isRight = await verifying(attempts, [...tries, account], () =>
    verifyPassword(member.passwordHash, password, place),
  )
  if (isRight) await attempts.succeed(account)
  else if (reserved.locked) warnOfLock(call, account)
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
 * For a caller with a session who gives the password once more. A wrong one is counted for the account too.
 * The password is looked at also where the account allows no try, since strangers can see to that: the counter of the
 * session keeps the guesses few.
 * @throws Rejection 401 as `provenInSession`
 */
export const provePassword = (realm: Realm, call: Call, member: Member, password: string): Promise<Verified> =>
  provenInSession(realm, call, SESSION_PASSWORDS, async () => {
    const attempts = new Attempts(call.telemetry)
    const { tries, place } = knownOrigin(member.id, realm.held(call.caller).sessionId)
    const { allowed } = await attempts.reserve(...tries)
    if (!allowed) return 'unseen'
    const account = passwordTry(realm, member)
    const ofAccount = await attempts.reserve(account)
    const counted = ofAccount.allowed ? [...tries, account] : tries
    const isRight = await verifying(attempts, counted, () => verifyPassword(member.passwordHash, password, place))
    if (isRight) await attempts.succeed(...counted)
    else if (ofAccount.allowed && ofAccount.locked) warnOfLock(call, account)
    return isRight ? { right: { verified: member.passwordHash } } : 'wrong'
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
export async function proveCode(realm: InRealm, call: Asking, account: Account, code: string): Promise<number> {
  const { totp, lastStep } = withTotp(account)
  const attempts = new Attempts(call.telemetry)
  const counted = codeTry(realm, account)
  const reserved = await attempts.reserve(counted)
  const step = reserved.allowed ? verifyTotp(totp.secret, code, { at: call.now, lastStep }) : undefined
  if (step !== undefined) {
    await attempts.succeed(counted)
    return step
  }
  if (reserved.allowed && reserved.locked) warnOfLock(call, counted)
  return invalidCredentials()
}

/** At sign-in: six digits or a backup code. @throws Rejection 401 `Invalid credentials` */
export async function proveFactor(realm: InRealm, call: Asking, account: Account, code: string): Promise<Factor> {
  if (TOTP_CODE.test(code)) return { step: await proveCode(realm, call, account, code) }
  const { backupCodes } = withTotp(account).totp
  const attempts = new Attempts(call.telemetry)
  const counted = backupTry(account)
  const { allowed } = await attempts.reserve(counted)
  const find = () => findBackupCode(backupCodes, code, accountPlace(account.id))
  const backupCode = allowed ? backupCodes[await verifying(attempts, [counted], find)] : undefined
  if (backupCode === undefined) return invalidCredentials()
  // A right backup code also lets the owner out of a second factor that somebody else has blocked.
  await attempts.succeed(counted)
  await attempts.reset(codeTry(realm, account))
  return { backupCode }
}
