/** Signs what a licensing service signs, with its own keys, and answers a client's requests as the test demands. */
import { createHash, randomBytes } from 'node:crypto'
import { newEd25519, privateKeyOf, signJws, thumbprint } from '#kernel/credentials/jws'
import type { Ed25519PrivateJwk } from '#kernel/credentials/jws'
import { MANIFEST_TYPE } from '../../../src/license-client/manifest.ts'
import { newMemory } from '../../../src/license-client/memory.ts'
import type { Memory } from '../../../src/license-client/memory.ts'
import { AUDIENCE, LEASE_TYPE, LICENSE_TYPE } from '../../../src/license-client/tokens.ts'
import type { LeaseClaims, LicenseClaims } from '../../../src/license-client/tokens.ts'

export const NOW = 1_767_225_600
export const HOUR = 3_600
export const DAY = 24 * HOUR

export interface TestKey {
  readonly kid: string
  readonly jwk: Ed25519PrivateJwk
}

export const newKey = (): TestKey => {
  const jwk = newEd25519()
  return { kid: thumbprint(jwk), jwk }
}

export const rootKey = newKey()
export const signingKey = newKey()
export const root = { kid: rootKey.kid, jwk: publicHalf(rootKey.jwk) }

function publicHalf({ kty, crv, x }: Ed25519PrivateJwk) {
  return { kty, crv, x }
}

const signed = (payload: object, typ: string, { kid, jwk }: TestKey): string =>
  signJws(payload, { typ, kid, key: privateKeyOf(jwk) })

export interface ListedKey extends TestKey {
  readonly state?: string
  readonly exp?: number | null
}

export const manifest = (
  keys: readonly ListedKey[] = [signingKey],
  { by = rootKey, ...more }: { by?: TestKey; serial?: number; iat?: number; exp?: number } = {},
): string => {
  const listed = keys.map(({ kid, jwk, state = 'current', exp = null }) => ({
    kid,
    jwk: publicHalf(jwk),
    nbf: NOW - 400 * DAY,
    exp,
    state,
  }))
  return signed({ keys: listed, serial: 1, iat: NOW - DAY, exp: NOW + 80 * DAY, ...more }, MANIFEST_TYPE, by)
}

export const K = randomBytes(32).toString('base64url')

export const licenseKey = (claims: Partial<LicenseClaims> = {}, by: TestKey = signingKey): string =>
  signed(
    {
      iss: 'http://licensing.test',
      aud: AUDIENCE,
      sub: 'license-1',
      jti: 'lic_one',
      iat: NOW - 10 * DAY,
      nbf: NOW - 10 * DAY,
      exp: NOW + 300 * DAY,
      ver: 1,
      seq: 1,
      plan: 'pro',
      pv: 1,
      seats: 5,
      max: 3,
      ft: { sso: true },
      grc: 14 * DAY,
      off: 14 * DAY,
      hb: 4 * HOUR,
      k: K,
      ...claims,
    },
    LICENSE_TYPE,
    by,
  )

export const INSTANCE = 'instance-1'
export const hashOf = (nonce: string): string => createHash('sha256').update(nonce).digest('base64url')

export const leaseFor = (memory: Memory, claims: Partial<LeaseClaims> = {}, by: TestKey = signingKey): string =>
  signed(
    {
      sub: INSTANCE,
      jti: randomBytes(8).toString('hex'),
      lic: 'lic_one',
      st: 'OK',
      rsn: null,
      seq: 1,
      iat: NOW,
      exp: NOW + 14 * DAY,
      nhb: NOW + 4 * HOUR,
      ft: { sso: true },
      warn: [],
      req: null,
      cnf: { jkt: thumbprint(memory.instanceKey) },
      crl: 0,
      ...claims,
    },
    LEASE_TYPE,
    by,
  )

/** A panel that was activated at NOW. */
export function activatedMemory(change: Partial<Memory> = {}, claims: Partial<LeaseClaims> = {}): Memory {
  const fresh = newMemory()
  return {
    ...fresh,
    licenseKey: licenseKey(),
    instanceId: INSTANCE,
    lease: leaseFor(fresh, claims),
    manifest: manifest(),
    manifestSerial: 1,
    manifestAskedAt: NOW,
    highWater: NOW,
    lastHeartbeat: { at: NOW, ok: true },
    lastGoodAt: NOW,
    ...change,
  }
}
