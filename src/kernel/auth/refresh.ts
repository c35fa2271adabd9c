/** What becomes of a session: its refresh token is traded for the next, or it ends. */
import { answer } from '../http/route.ts'
import type { Answer, Call } from '../http/route.ts'
import { bearerToken } from '../credentials/bearer-token.ts'
import { deriveSecret, hashSecret, isSecret } from '../credentials/secret-token.ts'
import { found, Rejection } from '../lib/rejection.ts'
import { noRefreshCookie, refreshTokenOf, sendsRefreshCookie } from './cookies.ts'
import { actorOf, STRANGER } from './realm.ts'
import type { Member, Realm } from './realm.ts'
import { invalidSession } from './refusals.ts'
import { heldBy } from './session-rules.ts'
import type { Held } from './session-rules.ts'
import { granted } from './sign-in.ts'
import type { Grant, Granted } from './sign-in.ts'

/** Whose refresh token this is or was. */
async function familyOf(realm: Realm, call: Call, token: string): Promise<Held | undefined> {
  const holder = await call.run((unit) => unit.holderOf(realm.refresh.claim, hashSecret(token)), STRANGER)
  return holder === undefined ? undefined : heldBy(holder)
}

/** @throws Rejection 401 `Invalid or expired session` */
export const refresh = async <M extends Member, Profile>(realm: Realm<M, Profile>, call: Call) =>
  granted(realm, call, await traded(realm, call, refreshTokenOf(realm, call)))

/**
 * As `refresh`; where no cookie is sent, by a token that was sent in the body. Whoever keeps it there is no browser: no origin speaks
 * for it, and its successor is answered beside the cookie. @throws Rejection 401 `Invalid or expired session`
 */
export async function refreshAnywhere<M extends Member, Profile>(
  realm: Realm<M, Profile>,
  call: Call,
  sent: string | undefined,
): Promise<Answer<Grant<Profile> & { refreshToken?: string }>> {
  if (sent === undefined || sendsRefreshCookie(realm, call)) return refresh(realm, call)
  const holding = await traded(realm, call, isSecret(sent, 'r') ? sent : undefined)
  const { body, status, headers } = await granted(realm, call, holding)
  return answer({ ...body, refreshToken: holding.refreshToken }, status, { ...headers })
}

async function traded<M extends Member>(
  realm: Realm<M>,
  call: Call,
  token: string = invalidSession(),
): Promise<Granted<M>> {
  const family = (await familyOf(realm, call, token)) ?? invalidSession()
  const refreshToken = deriveSecret('r', await call.vault.key(realm.refresh.key), token)
  const tokens = { presented: hashSecret(token), successor: hashSecret(refreshToken) }
  const { accountId, sessionId } = family
  const { member, session } = await call.run(
    async (unit) => {
      await realm.decide.refresh(unit, family, tokens)
      const member = (await realm.member(unit, accountId)) ?? invalidSession()
      const session = (await realm.sessions(unit, accountId)).find(({ id }) => id === sessionId)
      return { member, session }
    },
    actorOf(realm, accountId),
  )
  return { member, session: session ?? invalidSession(), refreshToken }
}

/** The session of the bearer token, or, when that has run out, of the cookie alone. */
async function leaving(realm: Realm, call: Call): Promise<Held | undefined> {
  const { ip, now } = call
  const sent = call.header('authorization')
  const authorization = sent === undefined ? [] : [sent]
  const bearer = bearerToken(authorization)
  const caller = bearer && (await realm.caller(bearer, { authorization, ip, now }, call).catch(onlyRefused))
  if (caller) return realm.held(caller)
  const token = refreshTokenOf(realm, call)
  return token === undefined ? undefined : familyOf(realm, call, token)
}

function onlyRefused(error: unknown): undefined {
  if (!(error instanceof Rejection)) throw error
}

/** @throws Rejection 401 `Invalid or expired session` */
export async function logout(realm: Realm, call: Call): Promise<Answer<void>> {
  const held = (await leaving(realm, call)) ?? invalidSession()
  await call.run((unit) => realm.decide.endSession(unit, held, 'LOGOUT'), actorOf(realm, held.accountId))
  return answer(undefined, 204, { 'Set-Cookie': noRefreshCookie(realm, call.baseUrl) })
}

/** Whoever has a session, as his streams know him. @throws Rejection 404 */
export const own = async <M extends Member>(
  realm: Realm<M>,
  { run, caller }: Pick<Call, 'run' | 'caller'>,
): Promise<M> => found(await run((unit) => realm.member(unit, realm.held(caller).accountId)))
