/**
 * Sign-in by password and, if enabled, second factor. For every failure the response and its duration
 * are the same.
 */
import { z } from 'zod'
import { ANSWER_MS } from '../credentials/answer-time.ts'
import {
  ADDRESS_ATTEMPTS,
  AttemptCounter,
  DEVICE_ATTEMPTS,
  UNKNOWN_NAME_ATTEMPTS,
} from '../credentials/attempt-counter.ts'
import type { CountedAttempt } from '../credentials/attempt-counter.ts'
import { withConstantTimeRefusal } from '../credentials/constant-time.ts'
import { normalisedEmail } from '../credentials/email-address.ts'
import { accountShare } from '../credentials/fair-queue.ts'
import { hashPassword, needsRehash } from '../credentials/password.ts'
import { hashSecret, newSecret } from '../credentials/secret-token.ts'
import { answer } from '../http/route.ts'
import type { Answer, HandlerContext } from '../http/route.ts'
import { Rejection } from '../lib/rejection.ts'
import type { Vault } from '../vault/vault.ts'
import type { UsedFactor } from './account-rules.ts'
import { deviceCookie, knownDevice, refreshCookie } from './cookies.ts'
import { actorOf, ANONYMOUS_ACTOR, anonymousActorFor } from './realm.ts'
import type { RealmAccount, Realm } from './realm.ts'
import { invalidCredentials, secondFactorRequired } from './rejections.ts'
import type { FailureReason } from './session-events.ts'
import type { SessionIdentity, Session } from './session-rules.ts'
import { sessionTokens } from './session-tokens.ts'
import {
  addressOrigin,
  codeAttempt,
  devicePasswordAttempt,
  deviceOrigin,
  passwordAttempt,
  proveFactor,
  tryPassword,
  unknownNameAttempt,
  warnOfLock,
} from './verify-credentials.ts'
import type { AttemptOrigin } from './verify-credentials.ts'

const USER_AGENT_MAX = 256
/** Attackers can use any number of names and addresses. */
const IDLE_ATTEMPTS_KEPT_SECONDS = 86_400

/** The document says that it is a password: a page hides what is typed. */
export const passwordInput = z.string().min(1).max(1_024).meta({ format: 'password' })

export const Login = z.strictObject({
  email: z.string().min(1).max(320),
  password: passwordInput,
  totp: z.string().max(64).optional(),
})

type LoginContext = HandlerContext<unknown, unknown, z.output<typeof Login>>

/** The key of an account's unique constraint and of its counters: the same for every spelling of an address. */
export const emailKeyOf = (vault: Vault, email: string): Promise<string> => vault.hmac('pepper', normalisedEmail(email))

export interface SignInResult<Profile> {
  readonly accessToken: string
  readonly user: Profile
}

export interface StartedSession<M> {
  readonly member: M
  readonly session: Session
  readonly refreshToken: string
}

export async function sessionReply<M extends RealmAccount, Profile>(
  realm: Realm<M, Profile>,
  call: HandlerContext,
  { member, session, refreshToken }: StartedSession<M>,
  cookies: readonly string[] = [],
): Promise<Answer<SignInResult<Profile>>> {
  const { baseUrl, now } = call
  const accessToken = await (await sessionTokens(call, realm.tokens)).sign({ sub: member.id, sid: session.id, at: now })
  const seconds = Math.max(0, Math.floor((session.expiresAt.getTime() - now.getTime()) / 1_000))
  const body = { accessToken, user: await realm.profile(member, call.read) }
  return answer(body, 200, { 'Set-Cookie': [refreshCookie(realm, baseUrl, refreshToken, seconds), ...cookies] })
}

export const userAgentOf = ({ header }: Pick<HandlerContext, 'header'>): string | null =>
  header('user-agent')?.slice(0, USER_AGENT_MAX) ?? null

const recordFailedSignIn = (
  realm: Realm,
  call: HandlerContext,
  { id }: RealmAccount,
  reason: FailureReason,
): Promise<void> => call.run(async (unit) => realm.decide.failSignIn(unit, id, reason), anonymousActorFor(id))

/**
 * The account whose password was verified, and the origin of the attempt.
 * @throws Rejection 401 `Invalid credentials`
 */
async function passwordHolder<M extends RealmAccount>(
  realm: Realm<M>,
  call: LoginContext,
): Promise<{ member: M; device: string | undefined; origin: AttemptOrigin }> {
  const emailKey = await emailKeyOf(call.vault, call.body.email)
  const member = await call.run((unit) => realm.accountByEmailKey(unit, emailKey), ANONYMOUS_ACTOR)
  const device = member && (await knownDevice(realm, call, member))
  const origin = member && device !== undefined ? deviceOrigin(member.id, device) : await addressOrigin(call)
  const { isRight, isLookedAt } = await tryPassword(call, {
    member,
    password: call.body.password,
    account: passwordAttemptFor(realm, { emailKey, member, device }),
    origin,
  })
  if (member && isRight) return { member, device, origin }
  if (member && isLookedAt) await recordFailedSignIn(realm, call, member, 'WRONG_PASSWORD')
  return invalidCredentials()
}

function passwordAttemptFor(
  realm: Realm,
  { emailKey, member, device }: { emailKey: string; member: RealmAccount | undefined; device: string | undefined },
): CountedAttempt {
  if (!member) return unknownNameAttempt(realm, emailKey)
  return device === undefined ? passwordAttempt(realm, member) : devicePasswordAttempt(realm, member, device)
}

/**
 * @param origin its attempts are released if the password is correct and only the code is missing
 * @throws Rejection 401 `Second factor required` | `Invalid credentials`
 */
export async function secondFactor(
  realm: Realm,
  call: HandlerContext,
  member: RealmAccount,
  { totp, origin }: { totp: string | undefined; origin?: AttemptOrigin },
): Promise<UsedFactor | undefined> {
  if (!member.totp) return undefined
  if (totp === undefined) return rejectMissingCode(realm, call, { member, origin })
  try {
    return await proveFactor(realm, call, member, totp)
  } catch (error) {
    if (error instanceof Rejection && error.statusCode === 401)
      await recordFailedSignIn(realm, call, member, 'WRONG_CODE')
    throw error
  }
}

/**
 * This response confirms the password, so it counts as a wrong code. The origin's attempts are
 * released, because it made no wrong guess.
 */
async function rejectMissingCode(
  realm: Realm,
  call: HandlerContext,
  { member, origin }: { member: RealmAccount; origin: AttemptOrigin | undefined },
): Promise<never> {
  const attempts = new AttemptCounter(call.telemetry)
  const counted = codeAttempt(realm, member)
  const reserved = await attempts.reserve(counted)
  if (!reserved.allowed) return invalidCredentials()
  if (reserved.locked) warnOfLock(call, counted)
  if (origin) await attempts.succeed(...origin.attempts)
  await recordFailedSignIn(realm, call, member, 'CODE_MISSING')
  return secondFactorRequired()
}

/** @throws Rejection 401 `Invalid credentials` for every failure | `Second factor required` */
export const login = <M extends RealmAccount, Profile>(realm: Realm<M, Profile>, call: LoginContext) =>
  withConstantTimeRefusal(ANSWER_MS, () => signInWithPassword(realm, call))

async function signInWithPassword<M extends RealmAccount, Profile>(realm: Realm<M, Profile>, call: LoginContext) {
  const { member: known, device, origin } = await passwordHolder(realm, call)
  const factor = await secondFactor(realm, call, known, { totp: call.body.totp, origin })
  const verified = known.passwordHash
  const rehashed = needsRehash(verified) ? await hashPassword(call.body.password, accountShare(known.id)) : undefined
  const refreshToken = newSecret('r')
  const userAgent = userAgentOf(call)
  const refreshHash = hashSecret(refreshToken)
  const started = await call.run(
    async (unit) => {
      const held: SessionIdentity = { accountId: known.id, sessionId: unit.newId() }
      await realm.decide.signIn(unit, held, { verified, rehashed, factor, refreshHash, userAgent })
      const session = (await realm.sessions(unit, known.id)).find(({ id }) => id === held.sessionId)!
      return { member: (await realm.account(unit, known.id)) ?? invalidCredentials(), session }
    },
    actorOf(realm, known.id),
  )
  await giveAttemptsBack(realm, call, { member: known, origin })
  const remembered = await deviceCookie(realm, call, started.member, device ?? started.session.id)
  return sessionReply(realm, call, { ...started, refreshToken }, [remembered])
}

async function giveAttemptsBack(
  realm: Realm,
  call: LoginContext,
  { member, origin }: { member: RealmAccount; origin: AttemptOrigin },
): Promise<void> {
  const attempts = new AttemptCounter(call.telemetry)
  // The attempt of the code itself is released already. This one belongs to the earlier request that
  // was answered with `Second factor required`.
  await attempts.succeed(...origin.attempts, ...(member.totp ? [codeAttempt(realm, member)] : []))
  for (const policy of [UNKNOWN_NAME_ATTEMPTS, ADDRESS_ATTEMPTS, DEVICE_ATTEMPTS])
    await attempts.sweep(policy, IDLE_ATTEMPTS_KEPT_SECONDS)
}
