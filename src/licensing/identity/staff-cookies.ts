/**
 * The two cookies of staff. The refresh token is accepted at refresh and logout only, from our own origin and a JSON request;
 * the device cookie is no credential: it only chooses which counter a wrong password goes to.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Call } from '#kernel/http/route'
import { isSecret } from '#kernel/identity/secret'
import { reject } from '#kernel/rejection'
import type { Person } from '../staff/decider.ts'

const AUTH_PATH = '/api/admin/auth'
const REFRESH = 'daybook_staff_refresh'
const DEVICE = 'daybook_staff_device'
const DEVICE_SECONDS = 365 * 86_400
const DEVICE_VALUE = /^([0-9a-f-]{36})\.([A-Za-z0-9_-]{43})$/

type Sent = Pick<Call, 'cookie' | 'header' | 'baseUrl'>

/** The refresh token, when there is one that could be ours. @throws Rejection 403 ORIGIN_REFUSED */
export function refreshTokenOf(call: Sent): string | undefined {
  const token = call.cookie(named(REFRESH, call.baseUrl))
  if (token === undefined) return undefined
  refuseOtherOrigins(call)
  return isSecret(token, 'r') ? token : undefined
}

export function refreshCookie(baseUrl: string, token: string, seconds: number): string {
  return cookie(baseUrl, REFRESH, { value: token, path: AUTH_PATH, seconds })
}

export function noRefreshCookie(baseUrl: string): string {
  return cookie(baseUrl, REFRESH, { value: '', path: AUTH_PATH, seconds: 0 })
}

/** Bound to the present password: whoever has only an old cookie is a stranger again. */
export async function deviceCookie(
  { vault, baseUrl }: Pick<Call, 'vault' | 'baseUrl'>,
  person: Person,
  device: string,
) {
  const value = `${device}.${mac(await vault.key(DEVICE), person, device)}`
  return cookie(baseUrl, DEVICE, { value, path: `${AUTH_PATH}/login`, seconds: DEVICE_SECONDS })
}

/** The id of a device that has signed in as this person before. */
export async function knownDevice(call: Sent & Pick<Call, 'vault'>, person: Person): Promise<string | undefined> {
  const [, device, sent] = DEVICE_VALUE.exec(call.cookie(named(DEVICE, call.baseUrl)) ?? '') ?? []
  if (device === undefined || sent === undefined) return undefined
  const expected = mac(await call.vault.key(DEVICE), person, device)
  return timingSafeEqual(Buffer.from(sent), Buffer.from(expected)) ? device : undefined
}

/** A browser names the origin of every POST; whoever sends a cookie without one is not our page. */
function refuseOtherOrigins({ header, baseUrl }: Sent): void {
  if (header('origin') === new URL(baseUrl).origin) return
  reject('forbidden', 'The session cookie is only accepted from this installation’s own origin', 'ORIGIN_REFUSED')
}

const isSecure = (baseUrl: string): boolean => baseUrl.startsWith('https:')
const named = (name: string, baseUrl: string): string => (isSecure(baseUrl) ? `__Secure-${name}` : name)

function cookie(
  baseUrl: string,
  name: string,
  { value, path, seconds }: { value: string; path: string; seconds: number },
) {
  const secure = isSecure(baseUrl) ? '; Secure' : ''
  return `${named(name, baseUrl)}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`
}

const mac = (key: Buffer, { id, passwordHash }: Person, device: string): string =>
  createHmac('sha256', key).update(`${id}/${device}/${passwordHash}`).digest('base64url')
