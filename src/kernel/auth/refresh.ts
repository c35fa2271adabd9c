/** What becomes of a session: its refresh token is traded for the next, or it ends. */
import { answer } from '../http/route.ts'
import type { Answer, HandlerContext } from '../http/route.ts'
import { bearerToken } from '../credentials/bearer-token.ts'
import { deriveSecret, hashSecret, isSecret } from '../credentials/secret-token.ts'
import { found, Rejection } from '../lib/rejection.ts'
import { expiredRefreshCookie, refreshTokenOf, sendsRefreshCookie } from './cookies.ts'
import { actorOf, ANONYMOUS_ACTOR } from './realm.ts'
import type { RealmAccount, Realm } from './realm.ts'
import { invalidSession } from './rejections.ts'
import { parseSessionHolder } from './session-rules.ts'
import type { SessionIdentity } from './session-rules.ts'
import { sessionReply } from './sign-in.ts'
import type { SignInResult, StartedSession } from './sign-in.ts'

/** Whose refresh token this is or was. */
async function sessionOfToken(realm: Realm, call: HandlerContext, token: string): Promise<SessionIdentity | undefined> {
  const holder = await call.run(
    (unit) => unit.holderOf(realm.refresh.constraintScope, hashSecret(token)),
    ANONYMOUS_ACTOR,
  )
  return holder === undefined ? undefined : parseSessionHolder(holder)
}

/** @throws Rejection 401 `Invalid or expired session` */
export const refresh = async <M extends RealmAccount, Profile>(realm: Realm<M, Profile>, call: HandlerContext) =>
  sessionReply(realm, call, await rotateToken(realm, call, refreshTokenOf(realm, call)))

/**
 * As `refresh`; where no cookie is sent, by a token that was sent in the body. Whoever keeps it there is no browser: no origin speaks
 * for it, and its successor is answered beside the cookie. @throws Rejection 401 `Invalid or expired session`
 */
export async function refreshByCookieOrBody<M extends RealmAccount, Profile>(
  realm: Realm<M, Profile>,
  call: HandlerContext,
  sent: string | undefined,
): Promise<Answer<SignInResult<Profile> & { refreshToken?: string }>> {
  if (sent === undefined || sendsRefreshCookie(realm, call)) return refresh(realm, call)
  const holding = await rotateToken(realm, call, isSecret(sent, 'r') ? sent : undefined)
  const { body, status, headers } = await sessionReply(realm, call, holding)
  return answer({ ...body, refreshToken: holding.refreshToken }, status, { ...headers })
}

async function rotateToken<M extends RealmAccount>(
  realm: Realm<M>,
  call: HandlerContext,
  token: string = invalidSession(),
): Promise<StartedSession<M>> {
  const family = (await sessionOfToken(realm, call, token)) ?? invalidSession()
  const refreshToken = deriveSecret('r', await call.vault.key(realm.refresh.key), token)
  const tokens = { presented: hashSecret(token), successor: hashSecret(refreshToken) }
  const { accountId, sessionId } = family
  const { member, session } = await call.run(
    async (unit) => {
      await realm.decide.refresh(unit, family, tokens)
      const member = (await realm.account(unit, accountId)) ?? invalidSession()
      const session = (await realm.sessions(unit, accountId)).find(({ id }) => id === sessionId)
      return { member, session }
    },
    actorOf(realm, accountId),
  )
  return { member, session: session ?? invalidSession(), refreshToken }
}

/** The session of the bearer token, or, when that has run out, of the cookie alone. */
async function sessionToEnd(realm: Realm, call: HandlerContext): Promise<SessionIdentity | undefined> {
  const { ip, now } = call
  const sent = call.header('authorization')
  const authorization = sent === undefined ? [] : [sent]
  const bearer = bearerToken(authorization)
  const caller = bearer && (await realm.caller(bearer, { authorization, ip, now }, call).catch(ignoreRejection))
  if (caller) return realm.sessionIdentityOf(caller)
  const token = refreshTokenOf(realm, call)
  return token === undefined ? undefined : sessionOfToken(realm, call, token)
}

function ignoreRejection(error: unknown): undefined {
  if (!(error instanceof Rejection)) throw error
}

/** @throws Rejection 401 `Invalid or expired session` */
export async function logout(realm: Realm, call: HandlerContext): Promise<Answer<void>> {
  const held = (await sessionToEnd(realm, call)) ?? invalidSession()
  await call.run((unit) => realm.decide.endSession(unit, held, 'LOGOUT'), actorOf(realm, held.accountId))
  return answer(undefined, 204, { 'Set-Cookie': expiredRefreshCookie(realm, call.baseUrl) })
}

/** Whoever has a session, as his streams know him. @throws Rejection 404 */
export const ownAccount = async <M extends RealmAccount>(
  realm: Realm<M>,
  { run, caller }: Pick<HandlerContext, 'run' | 'caller'>,
): Promise<M> => found(await run((unit) => realm.account(unit, realm.sessionIdentityOf(caller).accountId)))
