/**
 * The license key: a JWS that can be verified offline against the published keys (licensing.md 6).
 * It is not stored. Ed25519 is deterministic and every claim comes from the license's events, so
 * signing again gives the same bytes.
 */
import { privateKeyOf, signJws } from '#kernel/credentials/jws'
import { unixSeconds } from '#kernel/lib/timestamps'
import type { SigningKey } from '../signing-keys/decider.ts'
import type { License } from './rules.ts'

export const LICENSE_TOKEN_TYPE = 'daybook-license+jwt'
export const LICENSE_AUDIENCE = 'daybook-panel'
const DAY_SECONDS = 86_400

export const mintLicenseToken = (
  license: License,
  { kid, privateJwk }: Pick<SigningKey, 'kid' | 'privateJwk'>,
): string => signJws(claims(license), { typ: LICENSE_TOKEN_TYPE, kid, key: privateKeyOf(privateJwk) })

function claims(license: License) {
  return {
    iss: license.iss,
    aud: LICENSE_AUDIENCE,
    sub: license.id,
    jti: license.keyId,
    iat: unixSeconds(license.signedAt),
    nbf: unixSeconds(license.issuedAt),
    exp: unixSeconds(license.expiresAt),
    ver: 1,
    seq: license.seq,
    sub_id: license.subscriptionId,
    cus: license.customerId,
    plan: license.planSlug,
    pv: license.planVersion,
    seats: license.seats,
    max: license.maxActivations,
    cyc: license.billingCycle,
    ft: sorted(license.features),
    grc: license.graceDays * DAY_SECONDS,
    off: license.offlineDays * DAY_SECONDS,
    hb: license.heartbeatSeconds,
    k: license.k,
  }
}

/** Sorted, so that the field order of a store cannot change the bytes. */
const sorted = (features: License['features']): License['features'] =>
  Object.fromEntries(Object.entries(features).sort(([one], [other]) => (one < other ? -1 : 1)))
