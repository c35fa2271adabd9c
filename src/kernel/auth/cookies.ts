/**
 * The two cookies of a signed-in browser. The refresh token is accepted only by refresh and logout, in
 * JSON requests from the installation's own origin. The device cookie is not a credential: it only
 * selects the counter for a wrong password.
 */
import { timingSafeEqual } from 'node:crypto'
import { isSecret } from '../credentials/secret-token.ts'
import type { HandlerContext } from '../http/route.ts'
import { reject } from '../lib/rejection.ts'
import type { RealmAccount, Realm } from './realm.ts'

const DEVICE_SECONDS = 365 * 86_400
const DEVICE_VALUE = /^([0-9a-f-]{36})\.([A-Za-z0-9_-]{43})$/

type CookieContext = Pick<HandlerContext, 'cookie' | 'header' | 'baseUrl' | 'service'>
type CookieRealm = Pick<Realm, 'cookies' | 'authPath' | 'pages'>

/**
 * The refresh token, if one with a valid format was sent.
 * @throws Rejection 403 ORIGIN_REFUSED
 */
export function refreshTokenOf(realm: CookieRealm, call: CookieContext): string | undefined {
  const token = call.cookie(cookieName(realm.cookies.refresh, call.baseUrl))
  if (token === undefined) return undefined
  refuseOtherOrigins(realm, call)
  return isSecret(token, 'r') ? token : undefined
}

/** Whether the cookie was sent, with any content. */
export const sendsRefreshCookie = (realm: CookieRealm, { header, baseUrl }: CookieContext): boolean =>
  (header('cookie') ?? '')
    .split(';')
    .some((pair) => pair.trim().startsWith(`${cookieName(realm.cookies.refresh, baseUrl)}=`))

export function refreshCookie(
  { cookies, authPath }: CookieRealm,
  baseUrl: string,
  token: string,
  seconds: number,
): string {
  return cookie(baseUrl, cookies.refresh, { value: token, path: authPath, seconds })
}

export function expiredRefreshCookie({ cookies, authPath }: CookieRealm, baseUrl: string): string {
  return cookie(baseUrl, cookies.refresh, { value: '', path: authPath, seconds: 0 })
}

/** Bound to the current password: after a change of password the cookie no longer identifies a device. */
export async function deviceCookie(
  { cookies, authPath }: CookieRealm,
  { vault, baseUrl }: Pick<HandlerContext, 'vault' | 'baseUrl'>,
  member: RealmAccount,
  device: string,
) {
  const value = `${device}.${await mac({ cookies, vault }, member, device)}`
  return cookie(baseUrl, cookies.device, { value, path: `${authPath}/login`, seconds: DEVICE_SECONDS })
}

/** The id of a device that has signed in to this account before. */
export async function knownDevice(
  { cookies }: CookieRealm,
  call: CookieContext & Pick<HandlerContext, 'vault'>,
  member: RealmAccount,
): Promise<string | undefined> {
  const [, device, sent] = DEVICE_VALUE.exec(call.cookie(cookieName(cookies.device, call.baseUrl)) ?? '') ?? []
  if (device === undefined || sent === undefined) return undefined
  const expected = await mac({ cookies, vault: call.vault }, member, device)
  return timingSafeEqual(Buffer.from(sent), Buffer.from(expected)) ? device : undefined
}

/**
 * A browser sends the origin with every POST, so a request with the cookie but without an origin is not
 * from an own page.
 */
function refuseOtherOrigins({ pages }: CookieRealm, { header, baseUrl, service }: CookieContext): void {
  const own = [baseUrl, pages && service(pages)].flatMap((url) => (url === undefined ? [] : [new URL(url).origin]))
  if (own.includes(header('origin') ?? '')) return
  reject('forbidden', 'The session cookie is only accepted from the origin of this installation', 'ORIGIN_REFUSED')
}

const isSecure = (baseUrl: string): boolean => baseUrl.startsWith('https:')

/** @param baseUrl of the installation, as browsers open it */
export const cookieName = (name: string, baseUrl: string): string => (isSecure(baseUrl) ? `__Secure-${name}` : name)

interface CookieContent {
  readonly value: string
  /** Where browsers send it. */
  readonly path: string
  /** Zero: it ends now. */
  readonly seconds: number
  /** Lax: also when a page of another site leads here. Default: Strict. */
  readonly sameSite?: 'Strict' | 'Lax'
}

/** The value of Set-Cookie. No script reads the cookie, and where the installation has TLS, it is sent over TLS alone. */
export function cookie(
  baseUrl: string,
  name: string,
  { value, path, seconds, sameSite = 'Strict' }: CookieContent,
): string {
  const secure = isSecure(baseUrl) ? '; Secure' : ''
  return `${cookieName(name, baseUrl)}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=${sameSite}${secure}`
}

const mac = (
  { cookies, vault }: Pick<CookieRealm, 'cookies'> & Pick<HandlerContext, 'vault'>,
  { id, passwordHash }: RealmAccount,
  device: string,
): Promise<string> => vault.hmac(cookies.device, `${id}/${device}/${passwordHash}`)
