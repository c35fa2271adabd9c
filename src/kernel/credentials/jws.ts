/**
 * JWS in compact form (RFC 7515, 7.1) with Ed25519 (RFC 8037), in a restricted form: the header
 * contains exactly alg, kid and typ, and the caller checks typ. Synchronous, so that deciders which
 * verify such statements stay pure.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, sign, verify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { z } from 'zod'

/** RFC 8037, 2. */
export interface Ed25519Jwk {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  readonly x: string
}

/** The format of a key in a published JWK set (RFC 7517, 5; RFC 8037, 2). */
export const PublishedJwk = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  kid: z.string(),
  alg: z.literal('EdDSA'),
  use: z.literal('sig'),
})
export type PublishedJwk = z.output<typeof PublishedJwk>

export const toPublishedJwk = ({ kty, crv, x }: Ed25519Jwk, kid: string): PublishedJwk => ({
  kty,
  crv,
  x,
  kid,
  alg: 'EdDSA',
  use: 'sig',
})

export type Ed25519PrivateJwk = Ed25519Jwk & { readonly d: string }

/** A statement whose signature is not verified yet. */
export interface UnverifiedJws {
  readonly kid: string
  readonly typ: string
  /** JSON; not trustworthy before `isSignedBy`. */
  readonly payload: unknown
  readonly signingInput: Buffer
  readonly signature: Buffer
}

const SIGNATURE_BYTES = 64
/** Longer than any statement about one thing. Lists pass their own limit. */
const CHARACTERS_MAX = 65_536
const HEADER_FIELDS = 'alg,kid,typ'
const SEED_BYTES = 32
/** RFC 8410, 7: version 0, algorithm 1.3.101.112, an octet string in an octet string of 32 bytes. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Kept as long as the JWK itself: parsing a key takes longer than signing with it. */
const parsedPrivateKeys = new WeakMap<Ed25519PrivateJwk, KeyObject>()

export function privateKeyOf(jwk: Ed25519PrivateJwk): KeyObject {
  const known = parsedPrivateKeys.get(jwk)
  if (known) return known
  const { kty, crv, x, d } = jwk
  const key = createPrivateKey({ key: { kty, crv, x, d }, format: 'jwk' })
  parsedPrivateKeys.set(jwk, key)
  return key
}

export const publicKeyOf = ({ kty, crv, x }: Ed25519Jwk): KeyObject =>
  createPublicKey({ key: { kty, crv, x }, format: 'jwk' })

export function newEd25519(): Ed25519PrivateJwk {
  const { x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  return { kty: 'OKP', crv: 'Ed25519', x: x!, d: d! }
}

/** The key pair of a 32-byte seed (RFC 8032, 5.1.5). @throws RangeError for any other length */
export function ed25519FromSeed(seed: Buffer): { privateKey: KeyObject; publicKey: KeyObject } {
  if (seed.length !== SEED_BYTES) throw new RangeError(`An Ed25519 seed must have ${SEED_BYTES} bytes`)
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' })
  return { privateKey, publicKey: createPublicKey(privateKey) }
}

/** The id of a key (RFC 7638, 3). */
export const thumbprint = ({ crv, kty, x }: Ed25519Jwk): string =>
  hash('sha256', JSON.stringify({ crv, kty, x }), 'base64url')

export function signJws(
  payload: object,
  { typ, kid, key }: { readonly typ: string; readonly kid: string; readonly key: KeyObject },
): string {
  const input = `${encoded({ alg: 'EdDSA', kid, typ })}.${encoded(payload)}`
  return `${input}.${sign(null, Buffer.from(input), key).toString('base64url')}`
}

/** @returns undefined for anything but such a statement in its canonical spelling */
export function readJws(text: unknown, charactersMax = CHARACTERS_MAX): UnverifiedJws | undefined {
  if (typeof text !== 'string' || text.length > charactersMax) return undefined
  const parts = text.split('.')
  const [header, payload, signature] = parts.map(decoded)
  if (parts.length !== 3 || !header || !payload || signature?.length !== SIGNATURE_BYTES) return undefined
  const { alg, kid, typ } = fieldsOf(header) ?? {}
  if (alg !== 'EdDSA' || typeof kid !== 'string' || typeof typ !== 'string') return undefined
  const said = parsed(payload)
  return said === undefined
    ? undefined
    : { kid, typ, payload: said, signingInput: Buffer.from(`${parts[0]}.${parts[1]}`), signature }
}

export const isSignedBy = ({ signingInput, signature }: UnverifiedJws, key: KeyObject): boolean =>
  verify(null, signingInput, key, signature)

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Several base64url spellings decode to the same bytes; only the canonical one is accepted. */
function decoded(part: string): Buffer | undefined {
  const bytes = Buffer.from(part, 'base64url')
  return bytes.toString('base64url') === part ? bytes : undefined
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString()) as unknown
  } catch {
    return undefined
  }
}

function fieldsOf(header: Buffer): Record<string, unknown> | undefined {
  const value = parsed(header)
  if (typeof value !== 'object' || value === null) return undefined
  return Object.keys(value).toSorted().join(',') === HEADER_FIELDS ? (value as Record<string, unknown>) : undefined
}
