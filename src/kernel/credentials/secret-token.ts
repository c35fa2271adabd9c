/**
 * Random secrets that are shown once: `db` + kind + `_` + 40 base62 characters (238 bits) + 6 base62
 * characters of CRC-32, 50 in all. The checksum is public. It keeps malformed text away from the
 * database and lets scanners recognise a leaked secret, but it proves nothing.
 */
import { createHmac, hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { secretPattern } from '../lib/secret-pattern.ts'
import { BASE62, base62 } from './base62.ts'

/** The letter of each kind, and its purpose. */
export const SECRET_KINDS = {
  k: 'API key',
  m: 'machine token',
  r: 'refresh token',
  s: 'event-stream token',
  i: 'install token',
  a: 'agent token',
  l: 'one-time link',
  u: 'set-up of the first account',
} as const
export type SecretKind = keyof typeof SECRET_KINDS

const RANDOM_LENGTH = 40
const BODY_LENGTH = 44
const CHECKSUM_LENGTH = 6
const form = secretPattern({
  prefix: `db[${Object.keys(SECRET_KINDS).join('')}]_`,
  character: '[0-9A-Za-z]',
  least: RANDOM_LENGTH + CHECKSUM_LENGTH,
  most: RANDOM_LENGTH + CHECKSUM_LENGTH,
})
const PREFIX_LENGTH = 12
const DERIVING_KEY_BYTES_MIN = 32

export function newSecret(kind: SecretKind): string {
  return spell(kind, base62(RANDOM_LENGTH))
}

/**
 * Derives the same secret for the same (kind, key, from); unpredictable without the key. The successor
 * of a refresh token is derived from it, so that a repeated refresh within the grace period gets the
 * same answer without storing it.
 */
export function deriveSecret(kind: SecretKind, key: Buffer, from: string): string {
  if (key.length < DERIVING_KEY_BYTES_MIN)
    throw new RangeError(`A deriving key must have at least ${DERIVING_KEY_BYTES_MIN} bytes`)
  return spell(kind, base62(RANDOM_LENGTH, derivedStream(kind, key, from)))
}

/**
 * Whether the text has the format of this kind, including the checksum. It does not say whether the
 * secret exists.
 */
export function isSecret(text: string, kind: SecretKind): boolean {
  if (!form.matches(text) || text[2] !== kind) return false
  return checksum(text.slice(0, BODY_LENGTH)) === text.slice(BODY_LENGTH)
}

/**
 * SHA-256 in hex, for storage and lookup. It needs no salt and no slow hash: 238 random bits cannot be
 * guessed.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex')
}

/** The part that lists may show; 190 of the 238 bits stay hidden. */
export function secretPrefix(secret: string): string {
  return secret.slice(0, PREFIX_LENGTH)
}

function spell(kind: SecretKind, random: string): string {
  const body = `db${kind}_${random}`
  return body + checksum(body)
}

function checksum(body: string): string {
  let rest = crc32(body)
  let digits = ''
  while (digits.length < CHECKSUM_LENGTH) {
    digits = BASE62.charAt(rest % BASE62.length) + digits
    rest = Math.floor(rest / BASE62.length)
  }
  return digits
}

function* derivedStream(kind: SecretKind, key: Buffer, from: string): Generator<number, never> {
  for (let block = 0; ; block++) yield* createHmac('sha256', key).update(`${kind}\0${block}\0${from}`).digest()
}
