/**
 * The keys that sign licenses, and the root key that certifies them. Verifiers find a key by its
 * `kid`, which each license names.
 * States:
 * next: published, so that verifiers know it before it signs
 * current: the key that signs
 * retiring: signs no more; leases that it signed may still be in use
 * retired: signs no more; its earlier signatures stay valid to their end
 * manifest: the list of keys, signed by the root key; panels trust it
 */
import { z } from 'zod'
import { event, internal, sealed, stream } from '#kernel/events/event'

const instant = z.iso.datetime()
/** An Ed25519 public key (RFC 8037, 2). */
const publicJwk = z.strictObject({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string() })

export const KEY_STATES = ['next', 'current', 'retiring', 'retired', 'compromised'] as const

export const SigningKeyCreated = event(
  'SigningKeyCreated',
  'signingKeyId',
  {
    signingKeyId: z.uuid(),
    /** The thumbprint of the public key (RFC 7638). */
    kid: z.string(),
    publicJwk,
    /** The JWK's `d`. */
    privateKey: sealed(z.string()),
    state: z.enum(['next', 'current']),
  },
  ({ kid, state }) => `created signing key ${kid} (${state})`,
  { sealedFor: () => 'installation' },
)

export const SigningKeyPromoted = event(
  'SigningKeyPromoted',
  'signingKeyId',
  {
    signingKeyId: z.uuid(),
    kid: z.string(),
    /** The key that signed until now and becomes retiring; null: it is compromised. */
    retiringKid: z.string().nullable(),
  },
  ({ kid, retiringKid }) =>
    `made signing key ${kid} the current one${retiringKid ? ` in place of ${retiringKid}` : ''}`,
)

export const SigningKeyRetired = event(
  'SigningKeyRetired',
  'signingKeyId',
  { signingKeyId: z.uuid(), kid: z.string() },
  ({ kid }) => `retired signing key ${kid}`,
)

/**
 * Every signature of the key is invalid from now on. The reason is stored in plain text, so it must
 * not contain personal data.
 */
export const SigningKeyCompromised = event(
  'SigningKeyCompromised',
  'signingKeyId',
  { signingKeyId: z.uuid(), kid: z.string(), reason: z.string() },
  ({ kid, reason }) => `declared signing key ${kid} compromised (${reason})`,
  { strict: true },
)

/** Kept here, sealed, until an operator adopts a root key that is kept elsewhere. */
export const RootKeyCreated = event(
  'RootKeyCreated',
  'rootKeyId',
  { rootKeyId: z.uuid(), kid: z.string(), publicJwk, privateKey: sealed(z.string()) },
  ({ kid }) => `created root key ${kid}`,
  { sealedFor: () => 'installation' },
)

/** Its private key was never stored here. */
export const RootKeyAdopted = event(
  'RootKeyAdopted',
  'rootKeyId',
  { rootKeyId: z.uuid(), kid: z.string(), publicJwk },
  ({ kid }) => `adopted root key ${kid}, which is kept elsewhere`,
)

export const ManifestSigned = event(
  'ManifestSigned',
  'manifestId',
  {
    manifestId: z.uuid(),
    /** One higher than the previous serial: a panel refuses a lower one. */
    serial: z.int(),
    rootKid: z.string(),
    issuedAt: instant,
    expiresAt: instant,
    /** The listed keys and their states. */
    states: z.record(z.string(), z.enum(KEY_STATES)),
    jws: internal(z.string()),
  },
  ({ serial, expiresAt }) => `signed manifest ${serial} of the signing keys, good until ${expiresAt}`,
)

/** One stream per installation: there is exactly one current key, one root key and one newest manifest. */
export const signingKeyEvents = stream('signingKeys', [
  SigningKeyCreated,
  SigningKeyPromoted,
  SigningKeyRetired,
  SigningKeyCompromised,
  RootKeyCreated,
  RootKeyAdopted,
  ManifestSigned,
])
