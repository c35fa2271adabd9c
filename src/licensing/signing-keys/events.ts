/** The keys that sign licenses. Verifiers know a key by its `kid`, so a license names the one that it was issued with. */
import { z } from 'zod'
import { event, sealed, stream } from '#kernel/event'

/** An Ed25519 public key (RFC 8037, 2). */
const publicJwk = z.strictObject({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string() })

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
    state: z.literal('current'),
  },
  ({ kid }) => `created signing key ${kid}`,
  { sealedFor: () => 'installation' },
)

/** One stream for the installation: there is exactly one current key. */
export const signingKeyEvents = stream('signingKeys', [SigningKeyCreated])
