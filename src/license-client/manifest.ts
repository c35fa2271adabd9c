/**
 * What a panel trusts: the root key that it is configured with, and the keys of the newest manifest
 * that the root key signed. An attacker between panel and service can withhold a manifest, but can
 * neither forge one nor bring back an older one.
 */
import { z } from 'zod'
import { isSignedBy, publicKeyOf, readJws } from '#kernel/credentials/jws'
import type { Ed25519Jwk, UnverifiedJws } from '#kernel/credentials/jws'

export const MANIFEST_TYPE = 'daybook-manifest+jwt'
const CHARACTERS_MAX = 262_144

export const Jwk = z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string().length(43) })
const seconds = z.int().min(0)

/** All times are Unix seconds. */
export const Manifest = z.object({
  keys: z
    .array(
      z.object({
        kid: z.string(),
        jwk: Jwk,
        /**
         * The key signs from `nbf` on, and until `exp` if it is set: statements with other dates are
         * rejected.
         */
        nbf: seconds,
        exp: seconds.nullable(),
        state: z.enum(['next', 'current', 'retiring', 'retired']),
      }),
    )
    .max(1_000),
  serial: z.int().min(1),
  iat: seconds,
  exp: seconds,
})
export type Manifest = z.output<typeof Manifest>

/** The root key's public half, and its thumbprint. */
export interface TrustedRoot {
  readonly kid: string
  readonly jwk: Ed25519Jwk
}

/**
 * Does not check the expiry, which is up to the caller.
 * @returns undefined if the root key has not signed it
 */
export function verifiedManifest(jws: unknown, root: TrustedRoot): Manifest | undefined {
  const said = readJws(jws, CHARACTERS_MAX)
  if (said?.typ !== MANIFEST_TYPE || said.kid !== root.kid || !isSignedBy(said, publicKeyOf(root.jwk))) return undefined
  return Manifest.safeParse(said.payload).data
}

/** The clocks of two hosts differ slightly. */
const SLACK_SECONDS = 300

/**
 * The claims of a statement that a key of the manifest signed while it was valid.
 * @returns undefined for another type, an unknown key, or an invalid signature
 */
export function verifiedBy<Claims extends { readonly iat: number }>(
  { keys }: Manifest,
  said: UnverifiedJws | undefined,
  typ: string,
  claims: z.ZodType<Claims>,
): Claims | undefined {
  const key = said && keys.find(({ kid }) => kid === said.kid)
  if (!key || said.typ !== typ || !isSignedBy(said, publicKeyOf(key.jwk))) return undefined
  const { data } = claims.safeParse(said.payload)
  if (!data || data.iat < key.nbf - SLACK_SECONDS || (key.exp !== null && data.iat > key.exp)) return undefined
  return data
}
