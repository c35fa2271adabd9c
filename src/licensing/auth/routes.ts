import { z } from 'zod'
import type { Actor } from '#kernel/event'
import { answer, everyone, route, textReply } from '#kernel/http/route'
import type { Call } from '#kernel/http/route'
import { ADDRESS_ATTEMPTS, Attempts, UNKNOWN_NAME_ATTEMPTS } from '#kernel/identity/attempts'
import { bearerToken } from '#kernel/identity/bearer'
import { refusedEvenly } from '#kernel/identity/even-time'
import { checkNewPassword } from '#kernel/identity/new-password'
import { hashPassword, needsRehash } from '#kernel/identity/password'
import { deriveSecret, hashSecret, newSecret } from '#kernel/identity/secret'
import { found, Rejection } from '#kernel/rejection'
import { staffTable } from '#projections/licensing/staff'
import { staff as staffOnly } from '../identity/access.ts'
import { SET_PASSWORD_PAGE, SET_PASSWORD_POLICY } from '../identity/set-password-page.ts'
import { sessionTokens } from '../identity/session-tokens.ts'
import { emailKeyOf, personBy } from '../identity/staff-accounts.ts'
import { permissionsHeld, staffCaller, staffOf } from '../identity/staff-caller.ts'
import { deviceCookie, knownDevice, noRefreshCookie, refreshCookie, refreshTokenOf } from '../identity/staff-cookies.ts'
import {
  addressTry,
  codeTry,
  passwordTry,
  proveCode,
  proveFactor,
  provePassword,
  tryPassword,
} from '../identity/staff-credentials.ts'
import { setPasswordByLink } from '../identity/staff-links.ts'
import { invalidCredentials, invalidSession, secondFactorRequired } from '../identity/staff-refusals.ts'
import { staff } from '../staff/decider.ts'
import type { Factor, Person } from '../staff/decider.ts'
import { staffSessions } from './decider.ts'
import type { StaffSession } from './decider.ts'
import { heldBy, REFRESH_CLAIM, StaffLoginFailed, staffLoginEvents } from './events.ts'

/** Longer than a refusal takes on a machine at rest, so that it tells nothing by its time (security.md A4). */
const REFUSAL_MS = 250
const USER_AGENT_MAX = 256
/** Strangers can invent names and have addresses without number. */
const STRANGERS_KEPT_SECONDS = 86_400

const Profile = z.object({
  id: z.uuid(),
  email: z.string(),
  name: z.string(),
  roles: z.array(z.string()),
  permissions: z.array(z.string()),
  totpEnabled: z.boolean(),
  createdAt: z.iso.datetime(),
})

const Grant = z.object({ accessToken: z.string(), user: Profile })

const password = z.string().min(1).max(1_024)
const Login = z.strictObject({ email: z.string().min(1).max(320), password, totp: z.string().max(64).optional() })

/** What a page of another origin cannot send without asking first is a JSON body, so even nothing is sent as `{}`. */
const Nothing = z.strictObject({})

const actorOf = (staffId: string): Actor => ({ type: 'STAFF', id: staffId })

/** Perhaps not the person, so the address is sealed with a key of its own; it goes when the person's key goes. */
const strangerTo = (staffId: string): Actor => ({ type: 'ANONYMOUS', id: staffId })
const STRANGER = strangerTo('nobody')

type Known = Pick<Person, 'id' | 'email' | 'name' | 'roles' | 'createdAt'>

const profile = ({ id, email, name, roles, createdAt }: Known, totpEnabled: boolean) => ({
  id,
  email,
  name,
  roles: [...roles],
  permissions: permissionsHeld(roles),
  totpEnabled,
  createdAt,
})

interface Granted {
  readonly person: Person
  readonly session: StaffSession
  readonly refreshToken: string
}

async function granted(call: Call, { person, session, refreshToken }: Granted, cookies: readonly string[] = []) {
  const { baseUrl, now } = call
  const accessToken = await (await sessionTokens(call)).sign({ sub: person.id, sid: session.id, at: now })
  const seconds = Math.max(0, Math.floor((session.expiresAt.getTime() - now.getTime()) / 1_000))
  const body = { accessToken, user: profile(person, person.totp !== undefined) }
  return answer(body, 200, { 'Set-Cookie': [refreshCookie(baseUrl, refreshToken, seconds), ...cookies] })
}

type LoginCall = Call<unknown, unknown, z.output<typeof Login>>
type FailureReason = Parameters<typeof StaffLoginFailed>[0]['reason']

const failed = (call: Call, { id: staffId }: Person, reason: FailureReason): Promise<void> =>
  call.run(
    async (unit) => unit.record(staffLoginEvents, staffId, StaffLoginFailed({ staffId, reason })),
    strangerTo(staffId),
  )

/** The person whose password it is, and what the attempt is counted under. @throws Rejection 401 `Invalid credentials` */
async function passwordHolder(call: LoginCall): Promise<{ person: Person; device: string | undefined }> {
  const emailKey = await emailKeyOf(call.vault, call.body.email)
  const person = await personBy((work) => call.run(work, STRANGER), emailKey)
  const device = person && (await knownDevice(call, person))
  const account = passwordTry(device === undefined ? emailKey : `${emailKey}/${device}`)
  const { isRight, isLookedAt } = await tryPassword(call, {
    person,
    password: call.body.password,
    account: person ? account : { ...account, policy: UNKNOWN_NAME_ATTEMPTS },
  })
  if (person && isRight) return { person, device }
  if (person && isLookedAt) await failed(call, person, 'WRONG_PASSWORD')
  return invalidCredentials()
}

/** @throws Rejection 401 `Second factor required` | `Invalid credentials` */
async function secondFactor(call: LoginCall, person: Person): Promise<Factor | undefined> {
  const { totp } = call.body
  if (!person.totp) return undefined
  if (totp === undefined) return missingCode(call, person)
  try {
    return await proveFactor(call, person, totp)
  } catch (error) {
    if (error instanceof Rejection && error.statusCode === 401) await failed(call, person, 'WRONG_CODE')
    throw error
  }
}

/** This confirms the password, so it counts like a wrong code; but the address has guessed nothing wrong. */
async function missingCode(call: LoginCall, person: Person): Promise<never> {
  const attempts = new Attempts(call.telemetry)
  const { allowed } = await attempts.reserve(codeTry(person))
  if (!allowed) return invalidCredentials()
  await attempts.succeed(await addressTry(call))
  await failed(call, person, 'CODE_MISSING')
  return secondFactorRequired()
}

async function login(call: LoginCall) {
  const { person, device } = await passwordHolder(call)
  const factor = await secondFactor(call, person)
  const verified = person.passwordHash
  const rehashed = needsRehash(verified) ? await hashPassword(call.body.password) : undefined
  const refreshToken = newSecret('r')
  const userAgent = call.header('user-agent')?.slice(0, USER_AGENT_MAX) ?? null
  const started = await call.run(async (unit) => {
    const staffSessionId = unit.newId()
    await unit.decide(staff, person.id, 'SignIn', { verified, rehashed, factor, staffSessionId })
    const named = { staffSessionId, staffId: person.id }
    await unit.decide(staffSessions, person.id, 'StartSession', {
      ...named,
      refreshHash: hashSecret(refreshToken),
      userAgent,
    })
    const session = (await unit.load(staffSessions, person.id)).find(({ id }) => id === staffSessionId)!
    return { person: (await unit.load(staff, person.id))!, session }
  }, actorOf(person.id))
  await forgive(call, person)
  const remembered = await deviceCookie(call, started.person, device ?? started.session.id)
  return granted(call, { ...started, refreshToken }, [remembered])
}

async function forgive(call: LoginCall, person: Person): Promise<void> {
  const attempts = new Attempts(call.telemetry)
  // The code's own try was given back already; this one is for the sign-in that was asked for its code before.
  await attempts.succeed(await addressTry(call), ...(person.totp ? [codeTry(person)] : []))
  for (const policy of [UNKNOWN_NAME_ATTEMPTS, ADDRESS_ATTEMPTS]) await attempts.sweep(policy, STRANGERS_KEPT_SECONDS)
}

/** Whose refresh token this is or was. */
async function familyOf(call: Call, token: string) {
  const holder = await call.run((unit) => unit.holderOf(REFRESH_CLAIM, hashSecret(token)), STRANGER)
  return holder === undefined ? undefined : heldBy(holder)
}

async function refresh(call: Call) {
  const token = refreshTokenOf(call) ?? invalidSession()
  const family = (await familyOf(call, token)) ?? invalidSession()
  const { staffId, staffSessionId } = family
  const refreshToken = deriveSecret('r', await call.vault.key('staff-refresh'), token)
  const tokens = { presented: hashSecret(token), successor: hashSecret(refreshToken) }
  const { person, session } = await call.run(async (unit) => {
    await unit.decide(staffSessions, staffId, 'RefreshSession', { ...family, ...tokens })
    const session = (await unit.load(staffSessions, staffId)).find(({ id }) => id === staffSessionId)
    return { person: found(await unit.load(staff, staffId)), session }
  }, actorOf(staffId))
  return session ? granted(call, { person, session, refreshToken }) : invalidSession()
}

/** The session of the bearer token, or, when that has run out, of the cookie alone. */
async function leaving(call: Call): Promise<{ staffId: string; staffSessionId: string } | undefined> {
  const { ip, now } = call
  const sent = call.header('authorization')
  const authorization = sent === undefined ? [] : [sent]
  const bearer = bearerToken(authorization)
  const caller = bearer && (await staffCaller(bearer, { authorization, ip, now }, call).catch(onlyRefused))
  if (caller) return { staffId: caller.staffId, staffSessionId: caller.sid }
  const token = refreshTokenOf(call)
  return token === undefined ? undefined : familyOf(call, token)
}

function onlyRefused(error: unknown): undefined {
  if (!(error instanceof Rejection)) throw error
}

export const authRoutes = [
  route('POST /api/admin/auth/login', {
    does:
      'Sign in. `totp` takes six digits or a backup code. A wrong anything answers the same 401; only a right password ' +
      'without its code answers 401 with `Error-Code: TOTP_REQUIRED`. The refresh token comes as a cookie.',
    access: everyone,
    body: Login,
    reply: Grant,
    handle: (call) => refusedEvenly(REFUSAL_MS, () => login(call)),
  }),

  route('POST /api/admin/auth/refresh', {
    does:
      'Trade the refresh cookie for a new one and a new access token. Send `{}` from the installation’s own origin. ' +
      'A token that was used before ends its whole session.',
    access: everyone,
    body: Nothing,
    reply: Grant,
    handle: refresh,
  }),

  route('POST /api/admin/auth/logout', {
    does: 'End this session. Send `{}` with the session or, when that has run out, with the refresh cookie alone.',
    access: everyone,
    body: Nothing,
    async handle(call) {
      const { staffId, staffSessionId } = (await leaving(call)) ?? invalidSession()
      const leave = { staffSessionId, reason: 'LOGOUT' as const }
      await call.run((unit) => unit.decide(staffSessions, staffId, 'EndSession', leave), actorOf(staffId))
      return answer(undefined, 204, { 'Set-Cookie': noRefreshCookie(call.baseUrl) })
    },
  }),

  route('GET /api/admin/auth/me', {
    does: 'Who I am and what I may do.',
    access: staffOnly(),
    reply: Profile,
    async handle({ read, vault, caller }) {
      const { staffId } = staffOf(caller)
      const row = found(await staffTable.in(read).selectAll().where('id', '=', staffId).executeTakeFirst())
      const [person] = await staffTable.open(vault, [row])
      return profile(person!, person!.totpEnabled)
    },
  }),

  route('POST /api/admin/auth/password', {
    does: 'Change my password. Every other session of mine ends.',
    access: staffOnly(),
    body: z.strictObject({ current: password, new: password }),
    async handle(call) {
      const { staffId, sid: staffSessionId } = staffOf(call.caller)
      const person = found(await call.run((unit) => unit.load(staff, staffId)))
      await provePassword(call, person, call.body.current)
      const rule = { withTotp: person.totp !== undefined, forbidden: [person.email, person.name] }
      await checkNewPassword(call.body.new, rule)
      const change = { verified: person.passwordHash, passwordHash: await hashPassword(call.body.new) }
      await call.run(async (unit) => {
        await unit.decide(staff, staffId, 'ChangePassword', change)
        await unit.decide(staffSessions, staffId, 'EndOtherSessions', { staffSessionId, reason: 'PASSWORD_CHANGED' })
      })
    },
  }),

  route('GET /api/admin/auth/set-password', {
    does: 'The page that a one-time link leads to.',
    access: everyone,
    reply: textReply('text/html'),
    handle: async () => answer(SET_PASSWORD_PAGE, 200, { 'Content-Security-Policy': SET_PASSWORD_POLICY }),
  }),

  route('POST /api/admin/auth/set-password', {
    does: 'Set a password by a one-time link. All sessions of the person end; a second factor is still asked for at the next sign-in.',
    access: everyone,
    body: z.strictObject({ token: z.string().max(128), password }),
    handle: (call) => setPasswordByLink(call, call.body),
  }),

  route('POST /api/admin/auth/step-up', {
    does: 'Prove the second factor again, for what asks for a code of the last five minutes.',
    access: staffOnly(),
    body: z.strictObject({ code: z.string().max(64) }),
    async handle(call) {
      const { staffId, sid: staffSessionId } = staffOf(call.caller)
      const person = found(await call.run((unit) => unit.load(staff, staffId)))
      const step = await proveCode(call, person, call.body.code)
      await call.run(async (unit) => {
        await unit.decide(staff, staffId, 'StepUp', { step, staffSessionId })
        await unit.decide(staffSessions, staffId, 'StepUpSession', { staffId, staffSessionId })
      })
    },
  }),
]
