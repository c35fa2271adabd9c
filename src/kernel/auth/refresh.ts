/** Rotation of refresh tokens, and the end of a session by its holder. */
import { bearerToken } from '../credentials/bearer-token.ts'
import { deriveSecret, hashSecret, isSecret } from '../credentials/secret-token.ts'
import { answer } from '../http/route.ts'
import type { Answer, HandlerContext } from '../http/route.ts'
import { found, Rejection } from '../lib/rejection.ts'
import { expiredRefreshCookie, refreshTokenOf, sendsRefreshCookie } from './cookies.ts'
import { actorOf, ANONYMOUS_ACTOR } from './realm.ts'
import type { RealmAccount, Realm } from './realm.ts'
import { invalidSession } from './rejections.ts'
import { parseSessionHolder } from './session-rules.ts'
import type { SessionIdentity } from './session-rules.ts'
import { sessionReply } from './sign-in.ts'
import type { SignInResult, StartedSession } from './sign-in.ts'

/** The session that the refresh token belongs or belonged to. */
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
 * As `refresh`; without a cookie, by the token in the body. Such a client is not a browser, so no
 * origin is required, and the successor is returned in the body as well.
 * @throws Rejection 401 `Invalid or expired session`
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

/** The session of the bearer token; if that has expired, the session of the cookie. */
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

/**
 * The caller's own account, read from its streams.
 * @throws Rejection 404
 */
export const ownAccount = async <M extends RealmAccount>(
  realm: Realm<M>,
  { run, caller }: Pick<HandlerContext, 'run' | 'caller'>,
): Promise<M> => found(await run((unit) => realm.account(unit, realm.sessionIdentityOf(caller).accountId)))
