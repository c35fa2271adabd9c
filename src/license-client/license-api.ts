/** Sends signed requests to the license API and returns the response, which is not verified here. */
import { createPrivateKey } from 'node:crypto'
import type { Ed25519PrivateJwk } from '#kernel/credentials/jws'
import { readJws } from '#kernel/credentials/jws'
import { retryAfterSeconds } from './schedule.ts'
import { newNonce, signedHeaders } from './signed-request.ts'
import { LicenseClaims } from './tokens.ts'

const TIMEOUT_MS = 10_000
const BODY_BYTES_MAX = 512 * 1_024

export interface LicenseApiReply {
  readonly status: number
  /** JSON; undefined if the response is not JSON, or is too long. */
  readonly body: unknown
  /** Seconds. */
  readonly retryAfter: number | undefined
  /** Unix seconds of the Date header; only a hint. */
  readonly date: number | undefined
  readonly errorCode: string | null
}

export interface LicenseApiDependencies {
  /** The URL of the service, without a trailing slash. */
  readonly serviceUrl: string
  readonly fetch: typeof globalThis.fetch
  /** Unix seconds by this host's clock. */
  readonly now: () => number
  readonly signal?: AbortSignal | undefined
}

export interface LicenseApiRequest {
  /** With the query. */
  readonly path: string
  /** Absent: a GET. */
  readonly body?: object
  readonly licenseKey: string
  readonly instance?: { readonly id: string; readonly key: Ed25519PrivateJwk } | undefined
  /** Seconds to add to this host's clock. */
  readonly offset: number
}

export interface LicenseApiResult {
  readonly reply: LicenseApiReply
  readonly nonce: string
  /** The offset of the last signature. */
  readonly offset: number
}

/**
 * If the service rejects the clock of this host, signs once more by the service's clock.
 * @throws Error if there was no response
 */
export async function sendSigned(parts: LicenseApiDependencies, ask: LicenseApiRequest): Promise<LicenseApiResult> {
  const first = await sendOnce(parts, ask)
  const { reply } = first
  if (reply.status !== 401 || reply.errorCode !== 'CLOCK_SKEW' || reply.date === undefined) return first
  return sendOnce(parts, { ...ask, offset: reply.date - parts.now() })
}

async function sendOnce(parts: LicenseApiDependencies, ask: LicenseApiRequest): Promise<LicenseApiResult> {
  const { path, licenseKey, instance, offset } = ask
  const url = new URL(parts.serviceUrl + path)
  const method = ask.body ? 'POST' : 'GET'
  const body = Buffer.from(ask.body ? JSON.stringify(ask.body) : '')
  const nonce = newNonce()
  const headers = signedHeaders({
    method,
    url,
    body,
    license: secretOf(licenseKey),
    instance: instance && {
      instanceId: instance.id,
      privateKey: createPrivateKey({ key: { ...instance.key }, format: 'jwk' }),
    },
    at: new Date((parts.now() + offset) * 1_000),
    nonce,
  })
  const reply = await fetchReply(parts, url, { method, headers, ...(ask.body ? { body } : {}) })
  return { reply, nonce, offset }
}

/**
 * The id and the secret inside a license key. The signature is not verified: the service checks that it
 * knows them.
 * @throws Error if the text is not a license key
 */
export function secretOf(licenseKey: string) {
  const said = LicenseClaims.safeParse(readJws(licenseKey)?.payload).data
  if (!said) throw new Error('This is not a license key')
  return { keyId: said.jti, k: Buffer.from(said.k, 'base64url') }
}

/**
 * The manifest that the service publishes.
 * @returns undefined if none was received
 */
export async function fetchManifest(parts: LicenseApiDependencies): Promise<unknown> {
  const { status, body } = await fetchReply(parts, new URL(`${parts.serviceUrl}/api/v1/license/keys`), {})
  return status === 200 && typeof body === 'object' && body !== null && 'manifest' in body ? body.manifest : undefined
}

async function fetchReply(parts: LicenseApiDependencies, url: URL, init: RequestInit): Promise<LicenseApiReply> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const signal = parts.signal ? AbortSignal.any([timeout, parts.signal]) : timeout
  const response = await parts.fetch(url, { ...init, redirect: 'manual', signal })
  const { status, headers } = response
  const date = Date.parse(headers.get('date') ?? '')
  return {
    status,
    body: jsonOf(await textOf(response)),
    retryAfter: retryAfterSeconds(headers.get('retry-after'), parts.now()),
    date: Number.isNaN(date) ? undefined : Math.floor(date / 1_000),
    errorCode: headers.get('error-code'),
  }
}

/** A response may be endless, so its length is limited. */
async function textOf({ body }: Response): Promise<string> {
  if (!body) return ''
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of body as unknown as AsyncIterable<Uint8Array>) {
    bytes += piece.length
    if (bytes > BODY_BYTES_MAX) return ''
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
