/** The way in: a password, a second factor where there is one, a session. Whatever is wrong, the answer and its time are the same. */
import { z } from 'zod'
import { answer } from '../http/route.ts'
import type { Answer, Call } from '../http/route.ts'
import { ADDRESS_ATTEMPTS, Attempts, DEVICE_ATTEMPTS, UNKNOWN_NAME_ATTEMPTS } from '../credentials/attempt-counter.ts'
import type { Try } from '../credentials/attempt-counter.ts'
import { normalisedEmail } from '../credentials/email-address.ts'
import { refusedEvenly } from '../credentials/constant-time.ts'
import { accountPlace } from '../credentials/fair-queue.ts'
import { hashPassword, needsRehash } from '../credentials/password.ts'
import { hashSecret, newSecret } from '../credentials/secret-token.ts'
import { Rejection } from '../lib/rejection.ts'
import type { Vault } from '../vault/vault.ts'
import type { Factor } from './account-rules.ts'
import { deviceCookie, knownDevice, refreshCookie } from './cookies.ts'
import {
  addressOrigin,
  codeTry,
  devicePasswordTry,
  knownOrigin,
  passwordTry,
  proveFactor,
  tryPassword,
  unknownNameTry,
  warnOfLock,
} from './verify-credentials.ts'
import type { Origin } from './verify-credentials.ts'
import { actorOf, STRANGER, strangerTo } from './realm.ts'
import type { Member, Realm } from './realm.ts'
import { invalidCredentials, secondFactorRequired } from './refusals.ts'
import type { FailureReason } from './session-events.ts'
import type { Held, Session } from './session-rules.ts'
import { sessionTokens } from './session-tokens.ts'

/** Longer than a refusal takes on a machine at rest, so that it tells nothing by its time (security.md A4). */
const REFUSAL_MS = 250
const USER_AGENT_MAX = 256
/** Strangers can invent names and have addresses without number. */
const STRANGERS_KEPT_SECONDS = 86_400

export const givenPassword = z.string().min(1).max(1_024)

export const Login = z.strictObject({
  email: z.string().min(1).max(320),
  password: givenPassword,
  totp: z.string().max(64).optional(),
})

type LoginCall = Call<unknown, unknown, z.output<typeof Login>>

/** Under which an account is claimed and its guesses are counted: every spelling of an address has the same one. */
export const emailKeyOf = (vault: Vault, email: string): Promise<string> => vault.hmac('pepper', normalisedEmail(email))

export interface Grant<Profile> {
  readonly accessToken: string
  readonly user: Profile
}

export interface Granted<M> {
  readonly member: M
  readonly session: Session
  readonly refreshToken: string
}

export async function granted<M extends Member, Profile>(
  realm: Realm<M, Profile>,
  call: Call,
  { member, session, refreshToken }: Granted<M>,
  cookies: readonly string[] = [],
): Promise<Answer<Grant<Profile>>> {
  const { baseUrl, now } = call
  const accessToken = await (await sessionTokens(call, realm.tokens)).sign({ sub: member.id, sid: session.id, at: now })
  const seconds = Math.max(0, Math.floor((session.expiresAt.getTime() - now.getTime()) / 1_000))
  const body = { accessToken, user: realm.profile(member) }
  return answer(body, 200, { 'Set-Cookie': [refreshCookie(realm, baseUrl, refreshToken, seconds), ...cookies] })
}

export const userAgentOf = ({ header }: Pick<Call, 'header'>): string | null =>
  header('user-agent')?.slice(0, USER_AGENT_MAX) ?? null

const failed = (realm: Realm, call: Call, { id }: Member, reason: FailureReason): Promise<void> =>
  call.run(async (unit) => realm.decide.failSignIn(unit, id, reason), strangerTo(id))

/** The member whose password it is, and where the attempt came from. @throws Rejection 401 `Invalid credentials` */
async function passwordHolder<M extends Member>(
  realm: Realm<M>,
  call: LoginCall,
): Promise<{ member: M; device: string | undefined; origin: Origin }> {
  const emailKey = await emailKeyOf(call.vault, call.body.email)
  const member = await call.run((unit) => realm.memberBy(unit, emailKey), STRANGER)
  const device = member && (await knownDevice(realm, call, member))
  const origin = member && device !== undefined ? knownOrigin(member.id, device) : await addressOrigin(call)
  const { isRight, isLookedAt } = await tryPassword(call, {
    member,
    password: call.body.password,
    account: countedFor(realm, { emailKey, member, device }),
    origin,
  })
  if (member && isRight) return { member, device, origin }
  if (member && isLookedAt) await failed(realm, call, member, 'WRONG_PASSWORD')
  return invalidCredentials()
}

function countedFor(
  realm: Realm,
  { emailKey, member, device }: { emailKey: string; member: Member | undefined; device: string | undefined },
): Try {
  if (!member) return unknownNameTry(realm, emailKey)
  return device === undefined ? passwordTry(realm, member) : devicePasswordTry(realm, member, device)
}

/** @param origin whose tries a right password without its code gives back @throws Rejection 401 `Second factor required` | `Invalid credentials` */
export async function secondFactor(
  realm: Realm,
  call: Call,
  member: Member,
  { totp, origin }: { totp: string | undefined; origin?: Origin },
): Promise<Factor | undefined> {
  if (!member.totp) return undefined
  if (totp === undefined) return missingCode(realm, call, { member, origin })
  try {
    return await proveFactor(realm, call, member, totp)
  } catch (error) {
    if (error instanceof Rejection && error.statusCode === 401) await failed(realm, call, member, 'WRONG_CODE')
    throw error
  }
}

/** This confirms the password, so it counts like a wrong code; but the origin has guessed nothing wrong. */
async function missingCode(
  realm: Realm,
  call: Call,
  { member, origin }: { member: Member; origin: Origin | undefined },
): Promise<never> {
  const attempts = new Attempts(call.telemetry)
  const counted = codeTry(realm, member)
  const reserved = await attempts.reserve(counted)
  if (!reserved.allowed) return invalidCredentials()
  if (reserved.locked) warnOfLock(call, counted)
  if (origin) await attempts.succeed(...origin.tries)
  await failed(realm, call, member, 'CODE_MISSING')
  return secondFactorRequired()
}

/** @throws Rejection 401 `Invalid credentials` for whatever is wrong | `Second factor required` */
export const login = <M extends Member, Profile>(realm: Realm<M, Profile>, call: LoginCall) =>
  refusedEvenly(REFUSAL_MS, () => letIn(realm, call))

async function letIn<M extends Member, Profile>(realm: Realm<M, Profile>, call: LoginCall) {
  const { member: known, device, origin } = await passwordHolder(realm, call)
  const factor = await secondFactor(realm, call, known, { totp: call.body.totp, origin })
  const verified = known.passwordHash
  const rehashed = needsRehash(verified) ? await hashPassword(call.body.password, accountPlace(known.id)) : undefined
  const refreshToken = newSecret('r')
  const userAgent = userAgentOf(call)
  const refreshHash = hashSecret(refreshToken)
  const started = await call.run(
    async (unit) => {
      const held: Held = { accountId: known.id, sessionId: unit.newId() }
      await realm.decide.signIn(unit, held, { verified, rehashed, factor, refreshHash, userAgent })
      const session = (await realm.sessions(unit, known.id)).find(({ id }) => id === held.sessionId)!
      return { member: (await realm.member(unit, known.id)) ?? invalidCredentials(), session }
    },
    actorOf(realm, known.id),
  )
  await forgive(realm, call, { member: known, origin })
  const remembered = await deviceCookie(realm, call, started.member, device ?? started.session.id)
  return granted(realm, call, { ...started, refreshToken }, [remembered])
}

async function forgive(
  realm: Realm,
  call: LoginCall,
  { member, origin }: { member: Member; origin: Origin },
): Promise<void> {
  const attempts = new Attempts(call.telemetry)
  // The code's own try was given back already; this one is for the sign-in that was asked for its code before.
  await attempts.succeed(...origin.tries, ...(member.totp ? [codeTry(realm, member)] : []))
  for (const policy of [UNKNOWN_NAME_ATTEMPTS, ADDRESS_ATTEMPTS, DEVICE_ATTEMPTS])
    await attempts.sweep(policy, STRANGERS_KEPT_SECONDS)
}
