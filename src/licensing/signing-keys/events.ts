/**
 * The keys that sign licenses, and the root key that vouches for them. Verifiers know a key by its `kid`, so a license names the one
 * that it was signed with. Words:
 *   next       published, so that verifiers know it before it signs
 *   current    the one that signs
 *   retiring   has signed; leases that it signed may still be in use
 *   retired    signs nothing more; what it signed before stays true to its term
 *   manifest   the list of keys, signed by the root key: what a panel trusts
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
    /** The one that signed until now, and is retiring from here on; null: it is compromised. */
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

/** Whatever it signed is worth nothing from now on. The reason is kept in clear, so it names nobody. */
export const SigningKeyCompromised = event(
  'SigningKeyCompromised',
  'signingKeyId',
  { signingKeyId: z.uuid(), kid: z.string(), reason: z.string() },
  ({ kid, reason }) => `declared signing key ${kid} compromised (${reason})`,
  { strict: true },
)

/** Kept here, sealed, until an operator brings one that he keeps elsewhere. */
export const RootKeyCreated = event(
  'RootKeyCreated',
  'rootKeyId',
  { rootKeyId: z.uuid(), kid: z.string(), publicJwk, privateKey: sealed(z.string()) },
  ({ kid }) => `created root key ${kid}`,
  { sealedFor: () => 'installation' },
)

/** Its private half is not here and never was. */
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
    /** One higher than the one before: a panel refuses a lower one. */
    serial: z.int(),
    rootKid: z.string(),
    issuedAt: instant,
    expiresAt: instant,
    /** The keys that it lists and their states. */
    states: z.record(z.string(), z.enum(KEY_STATES)),
    jws: internal(z.string()),
  },
  ({ serial, expiresAt }) => `signed manifest ${serial} of the signing keys, good until ${expiresAt}`,
)

/** One stream for the installation: there is exactly one current key, one root, and one newest manifest. */
export const signingKeyEvents = stream('signingKeys', [
  SigningKeyCreated,
  SigningKeyPromoted,
  SigningKeyRetired,
  SigningKeyCompromised,
  RootKeyCreated,
  RootKeyAdopted,
  ManifestSigned,
])
