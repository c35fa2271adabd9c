/**
 * Checks a login at a container registry, by hand: an engine answers with prose, and follows wherever it is led. Panel
 * and agent use it. What is told of the other side are steps and words of this project.
 * Source: Docker Registry HTTP API V2, "API Version Check", and its token authentication specification.
 */
import { z } from 'zod'
import { machineText } from '#kernel/lib/display-text'
import type { OutboundPolicy } from '#kernel/outbound/checked-connect'
import { getText } from '#kernel/outbound/get-text'
import type { TextAnswer } from '#kernel/outbound/get-text'
import { parseTargetUrl } from '#kernel/outbound/target-url'

export const LOGIN_STEPS = ['CONNECT', 'TLS', 'PROTOCOL', 'TOKEN', 'LOGIN'] as const

export const LoginCheck = z.strictObject({
  ok: z.boolean(),
  /** The step that failed. */
  step: z.enum(LOGIN_STEPS).nullable(),
  reason: machineText(500).nullable(),
})
export type LoginCheck = z.output<typeof LoginCheck>

export interface RegistryLogin {
  /** Host with an optional port. */
  readonly address: string
  readonly username: string
  readonly password: string
  /** Whether only public addresses may be called: what a project names must not reach the operator's network. */
  readonly publicOnly: boolean
}

/** The name that images of Docker Hub have, and the host that serves them. */
const HUB = { name: 'docker.io', host: 'registry-1.docker.io' }
/** Engines speak plain HTTP to these, and to no other host. */
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/
const UNREADABLE = 'its answer is not that of a container registry'

type Step = (typeof LOGIN_STEPS)[number]
const failed = (step: Step, reason: string): LoginCheck => ({ ok: false, step, reason })
const PASSED: LoginCheck = { ok: true, step: null, reason: null }

/** @returns undefined for what is no address of a registry */
export function registryUrl(address: string): URL | undefined {
  const url = parseTargetUrl(`${LOOPBACK.test(address) ? 'http' : 'https'}://${hostOf(address)}/v2/`)
  return url instanceof URL && url.pathname === '/v2/' && url.search === '' ? url : undefined
}

const hostOf = (address: string): string => (address === HUB.name ? HUB.host : address)

/**
 * Always resolves.
 * @param signal bounds the whole check
 * @param reach what counts as public
 */
export async function checkRegistryLogin(
  login: RegistryLogin,
  signal: AbortSignal,
  reach: OutboundPolicy = {},
): Promise<LoginCheck> {
  const url = registryUrl(login.address)
  if (!url) return failed('CONNECT', 'its address cannot be called')
  const ask = asking(login.publicOnly ? reach : undefined, signal)
  const first = await ask(url)
  if ('error' in first) return failed(first.step, first.error)
  if (first.status === 200) return PASSED
  if (first.status !== 401) return failed('PROTOCOL', UNREADABLE)
  const challenge = challengeIn(first)
  if (challenge?.scheme === 'basic') return verdictOf(await ask(url, basicOf(login)))
  if (challenge?.scheme !== 'bearer') return failed('PROTOCOL', UNREADABLE)
  const outside = asking(reach, signal)
  // What is reached from everywhere must not lead into the operator's network.
  const isPublic = login.publicOnly || !('error' in (await outside(url)))
  const token = await tokenFrom(challenge.parameters, login, isPublic ? outside : ask)
  return typeof token === 'string' ? verdictOf(await ask(url, `Bearer ${token}`)) : token
}

interface Unreached {
  readonly step: 'CONNECT' | 'TLS'
  readonly error: string
}
type Ask = (url: URL, authorization?: string) => Promise<TextAnswer | Unreached>

function asking(reach: OutboundPolicy | undefined, signal: AbortSignal): Ask {
  return async (url, authorization) => {
    const headers = { Accept: 'application/json', ...(authorization && { Authorization: authorization }) }
    const answer = await getText({ url: url.href, headers, signal }, reach)
    if (!('error' in answer)) return answer
    const isTls = /CERT|TLS|SSL|EPROTO|SIGNATURE/.test(answer.error)
    return { step: isTls ? 'TLS' : 'CONNECT', error: answer.error }
  }
}

const basicOf = ({ username, password }: RegistryLogin): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

function verdictOf(answer: TextAnswer | Unreached): LoginCheck {
  if ('error' in answer) return failed(answer.step, answer.error)
  if (answer.status === 200) return PASSED
  return answer.status === 401 || answer.status === 403
    ? failed('LOGIN', 'it refuses the user name or the password')
    : failed('PROTOCOL', UNREADABLE)
}

interface Challenge {
  readonly scheme: string
  readonly parameters: ReadonlyMap<string, string>
}

/** Only the form that registries send (RFC 9110, 11.6.1): one challenge with quoted parameters. */
function challengeIn({ headers }: TextAnswer): Challenge | undefined {
  const [, scheme = '', rest = ''] = /^([A-Za-z]+)\s+(.*)$/.exec(headers['www-authenticate'] ?? '') ?? []
  const parameters = [...rest.matchAll(/(?<![a-z])([a-z]{1,32})="([^"\\]*)"/g)].map(
    ([, name, value]) => [name!, value!] as const,
  )
  return scheme === '' ? undefined : { scheme: scheme.toLowerCase(), parameters: new Map(parameters) }
}

const TokenAnswer = z.object({ token: z.string().optional(), access_token: z.string().optional() })

/** The registry names the service that makes tokens. Its address is checked like that of the registry. */
async function tokenFrom(parameters: Challenge['parameters'], login: RegistryLogin, ask: Ask) {
  const realm = parseTargetUrl(parameters.get('realm') ?? '')
  if (!(realm instanceof URL)) return failed('PROTOCOL', UNREADABLE)
  // A registry elsewhere must not lead to what listens on this host.
  const isLocal = LOOPBACK.test(realm.host) && LOOPBACK.test(login.address)
  if (realm.protocol !== 'https:' && !isLocal) return failed('TOKEN', 'its token service does not use TLS')
  const service = parameters.get('service')
  if (service !== undefined) realm.searchParams.set('service', service)
  realm.searchParams.set('account', login.username)
  const answer = await ask(realm, basicOf(login))
  if ('error' in answer) return failed('TOKEN', `its token service: ${answer.error}`)
  if (answer.status === 401 || answer.status === 403) return verdictOf(answer)
  const token = tokenIn(answer)
  return token ?? failed('TOKEN', 'its token service gives no token')
}

/** A token that no header can hold is none. */
function tokenIn({ status, text }: TextAnswer): string | undefined {
  if (status !== 200) return undefined
  try {
    const { token, access_token: accessToken } = TokenAnswer.parse(JSON.parse(text))
    const given = token ?? accessToken
    return given !== undefined && /^[\x21-\x7e]{1,16384}$/.test(given) ? given : undefined
  } catch {
    return undefined
  }
}
