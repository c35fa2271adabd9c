/**
 * The statements that the service signs for a panel (licensing.md 6): the license key, and leases,
 * which contain its current status.
 */
import { z } from 'zod'
import { readJws } from '#kernel/credentials/jws'
import { verifiedBy } from './manifest.ts'
import type { Manifest } from './manifest.ts'

export const LICENSE_TYPE = 'daybook-license+jwt'
export const LEASE_TYPE = 'daybook-lease+jwt'
export const AUDIENCE = 'daybook-panel'

const seconds = z.int().min(0)
const featureValue = z.union([z.boolean(), z.int(), z.string()])
/** A value, or a value with its start and end of validity; null: no such limit. */
export const Features = z.record(
  z.string(),
  z.union([featureValue, z.tuple([featureValue, seconds.nullable(), seconds.nullable()])]),
)

export const LicenseClaims = z.object({
  iss: z.string(),
  aud: z.literal(AUDIENCE),
  sub: z.string(),
  /** The key's id. */
  jti: z.string(),
  iat: seconds,
  nbf: seconds,
  exp: seconds,
  ver: z.literal(1),
  seq: z.int(),
  plan: z.string(),
  pv: z.int(),
  seats: z.int(),
  max: z.int(),
  ft: Features,
  /** In seconds: the grace period, the time of offline work, and the interval of heartbeats. */
  grc: seconds,
  off: seconds,
  hb: z.int().min(1),
  /** The request secret. */
  k: z.base64url().length(43),
})
export type LicenseClaims = z.output<typeof LicenseClaims>

export const LEASE_STATES = ['OK', 'GRACE', 'EXPIRED', 'SUSPENDED', 'REVOKED', 'SUPERSEDED', 'DEACTIVATED'] as const

export const LeaseClaims = z.object({
  /** The instance's id. */
  sub: z.string(),
  jti: z.string(),
  /** The key's id. */
  lic: z.string(),
  st: z.enum(LEASE_STATES),
  rsn: z.string().nullish(),
  seq: z.int(),
  iat: seconds,
  exp: seconds,
  /** The time of the next heartbeat. */
  nhb: seconds,
  ft: Features,
  warn: z.array(z.string()).default([]),
  /** The hash of the nonce of the request that it answers. */
  req: z.string().nullish(),
  cnf: z.object({ jkt: z.string() }),
  crl: z.int().nullish(),
})
export type LeaseClaims = z.output<typeof LeaseClaims>

export const verifiedLicense = (manifest: Manifest, token: unknown): LicenseClaims | undefined =>
  verifiedBy(manifest, readJws(token), LICENSE_TYPE, LicenseClaims)

export const verifiedLease = (manifest: Manifest, token: unknown): LeaseClaims | undefined =>
  verifiedBy(manifest, readJws(token), LEASE_TYPE, LeaseClaims)

/** Whether the token is signed by a key that the manifest does not list: then a newer manifest may help. */
export const namesUnknownKey = ({ keys }: Manifest, token: unknown): boolean => {
  const said = readJws(token)
  return said !== undefined && keys.every(({ kid }) => kid !== said.kid)
}
