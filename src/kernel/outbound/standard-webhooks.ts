/** Message signatures exactly as specified by Standard Webhooks 1.0.0. */
import { createHmac, randomBytes, sign, timingSafeEqual } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { ed25519FromSeed } from '../credentials/jws.ts'
import { secretPattern } from '../lib/secret-pattern.ts'
import { unixSeconds } from '../lib/timestamps.ts'

/** The specification requires 24 to 64. */
const SECRET_BYTES = 32
const SECRET_PREFIX = 'whsec_'
secretPattern({ prefix: SECRET_PREFIX, character: '[0-9A-Za-z+/=]', least: 32, most: 88 })
const PUBLIC_PREFIX = 'whpk_'

export interface WebhookMessage {
  /** The same for every attempt, and without a dot. */
  readonly id: string
  readonly at: Date
  readonly body: string
}

export const newWebhookSecret = (): string => SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64')

export interface WebhookKeyPair {
  readonly privateKey: KeyObject
  /** Starts with `whpk_`. */
  readonly publicKey: string
  /** The public key as `x` of a JWK (RFC 8037, 2). */
  readonly x: string
}

/** @param seed 32 bytes; the same seed gives the same key pair */
export function webhookKeyPair(seed: Buffer): WebhookKeyPair {
  const { privateKey, publicKey } = ed25519FromSeed(seed)
  const x = String(publicKey.export({ format: 'jwk' }).x)
  return { privateKey, x, publicKey: PUBLIC_PREFIX + Buffer.from(x, 'base64url').toString('base64') }
}

/** @param secrets start with `whsec_`; each gives one signature: during a rotation there are two */
export function webhookHeaders(
  { id, at, body }: WebhookMessage,
  secrets: readonly string[],
  privateKey?: KeyObject,
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(unixSeconds(at))
  const content = `${id}.${timestamp}.${body}`
  const signatures = secrets.map((secret) => `v1,${hmac(secret, content)}`)
  if (privateKey) signatures.push(`v1a,${sign(null, Buffer.from(content), privateKey).toString('base64')}`)
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

const hmac = (secret: string, ...content: readonly (string | Uint8Array)[]): string => {
  const digest = createHmac('sha256', Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'))
  for (const part of content) digest.update(part)
  return digest.digest('base64')
}

/** How far the time of a message may be from that of its receiver. */
const TOLERANCE_SECONDS = 300

export interface ReceivedWebhook {
  /** The headers of that name, as they were sent. */
  readonly id: string
  readonly timestamp: string
  readonly signature: string
  readonly body: Uint8Array
}

/** In constant time. @param secrets as of `webhookHeaders` */
export function isWebhookSigned(
  { id, timestamp, signature, body }: ReceivedWebhook,
  secrets: readonly string[],
  now: Date,
): boolean {
  const isOnTime = /^\d{1,12}$/.test(timestamp) && Math.abs(Number(timestamp) - unixSeconds(now)) <= TOLERANCE_SECONDS
  const given = signature.split(' ').filter((each) => each.startsWith('v1,'))
  const isSigned = secrets.map((secret) => {
    const expected = Buffer.from(`v1,${hmac(secret, `${id}.${timestamp}.`, body)}`)
    return given.some((each) => isSame(Buffer.from(each), expected))
  })
  return isOnTime && isSigned.includes(true)
}

const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && timingSafeEqual(one, other)
