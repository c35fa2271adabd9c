import { describe, expect, it } from 'vitest'
import { privateKeyOf, signJws, thumbprint } from '#kernel/credentials/jws'
import { fingerprint } from '../../src/license-client/fingerprint.ts'
import { newMemory } from '../../src/license-client/memory.ts'
import type { Memory } from '../../src/license-client/memory.ts'
import {
  holdsLicenseKey,
  OFFLINE_REQUEST_TYPE,
  offlineRequest,
  readOfflineRequest,
  acceptLeaseFile,
} from '../../src/license-client/offline.ts'
import { licenseStatus } from '../../src/license-client/status.ts'
import {
  activatedMemory,
  DAY,
  INSTANCE,
  K,
  leaseFor,
  licenseKey,
  manifest,
  newKey,
  NOW,
  root,
  signingKey,
} from '../support/license-client/issuer.ts'

const about = { name: 'panel', hostname: 'host', version: '1.0.0', os: 'linux', arch: 'x64' }
const asking = { licenseKey: licenseKey(), fingerprint: fingerprint('anchor', { cpu: 'x' }), about }

describe('a request', () => {
  const memory = newMemory()
  const text = offlineRequest(memory, asking, NOW)

  it('proves the instance’s key and the license key, and shows neither', () => {
    const request = readOfflineRequest(text)!
    expect(request).toMatchObject({ keyId: 'lic_one', instance: about, fingerprint: asking.fingerprint, iat: NOW })
    expect(thumbprint(request.instanceKey)).toBe(thumbprint(memory.instanceKey))
    expect(holdsLicenseKey(request, Buffer.from(K, 'base64url'))).toBe(true)
    expect(holdsLicenseKey(request, Buffer.alloc(32))).toBe(false)
    const inClear = text.split('.').map((part) => Buffer.from(part, 'base64url').toString())
    for (const secret of [K, memory.instanceKey.d, asking.licenseKey]) expect(inClear.join()).not.toContain(secret)
  })
  it('is none when it was altered, or signed by another key than it names', () => {
    const payload = { ...readOfflineRequest(text)! }
    const other = newKey()
    const by = (typ: string) =>
      signJws(payload, { typ, kid: thumbprint(payload.instanceKey), key: privateKeyOf(other.jwk) })
    for (const bad of ['', 'x', text.slice(1), `${text}A`, `${text}=`, by(OFFLINE_REQUEST_TYPE), licenseKey()])
      expect(readOfflineRequest(bad)).toBeUndefined()
  })
})

const fileFor = (memory: Memory, more: object = {}) =>
  JSON.stringify({
    format: 'daybook-lease-file',
    version: 1,
    licenseKey: licenseKey(),
    lease: leaseFor(memory, { exp: NOW + 90 * DAY }),
    manifest: manifest(),
    ...more,
  })

describe('a lease file', () => {
  it('activates a panel that never reached the service', () => {
    const memory = newMemory()
    const taken = acceptLeaseFile(memory, fileFor(memory), root, NOW)
    expect('memory' in taken && taken.memory).toMatchObject({ instanceId: INSTANCE, manifestSerial: 1, highWater: NOW })
    expect('memory' in taken && licenseStatus(taken.memory, root, NOW + 80 * DAY)).toMatchObject({
      state: 'ACTIVE',
      source: 'FILE',
    })
  })

  const memory = activatedMemory()
  const stranger = newKey()
  const BAD: readonly (readonly [string, string, RegExp])[] = [
    ['something else', '{}', /not a lease file/],
    ['no JSON', 'lease', /not a lease file/],
    ['one for another panel', fileFor(newMemory()), /another panel/],
    ['one of a stranger', fileFor(memory, { lease: leaseFor(memory, {}, stranger) }), /not signed/],
    ['one of another license', fileFor(memory, { licenseKey: licenseKey({ jti: 'lic_two' }) }), /not signed/],
    ['a refusal', fileFor(memory, { lease: leaseFor(memory, { st: 'REVOKED' }) }), /not signed/],
    ['one that is over', fileFor(memory, { lease: leaseFor(memory, { exp: NOW }) }), /expired/],
    ['one from the future', fileFor(memory, { lease: leaseFor(memory, { iat: NOW + 301 }) }), /clock/],
    [
      'one with another root’s keys',
      fileFor(memory, { manifest: manifest([signingKey], { by: stranger }) }),
      /older than the one of this panel/,
    ],
  ]
  it.each(BAD)('is not %s', (_what, text, why) => {
    expect(acceptLeaseFile(memory, text, root, NOW)).toEqual({ refused: expect.stringMatching(why) })
  })

  it('is never replaced by one that ends earlier or was made of an older license', () => {
    const held = { ...memory, fileLease: leaseFor(memory, { exp: NOW + 90 * DAY, seq: 4 }) }
    const file = (exp: number, seq: number) =>
      acceptLeaseFile(held, fileFor(held, { lease: leaseFor(held, { exp, seq }) }), root, NOW)
    expect(file(NOW + 89 * DAY, 4)).toEqual({ refused: expect.stringMatching(/already has a newer or longer/) })
    expect(file(NOW + 91 * DAY, 3)).toEqual({ refused: expect.stringMatching(/already has a newer or longer/) })
    expect('memory' in file(NOW + 91 * DAY, 4)).toBe(true)
  })

  it('brings no earlier license key back', () => {
    const renewed = { ...memory, licenseKey: licenseKey({ seq: 3, jti: 'lic_two' }) }
    const taken = acceptLeaseFile(renewed, fileFor(renewed, { licenseKey: licenseKey() }), root, NOW)
    expect(taken).toMatchObject({ memory: { licenseKey: renewed.licenseKey } })
    const replaced = { ...memory, licenseKey: licenseKey({ sub: 'license-2', jti: 'lic_two', iat: NOW - DAY }) }
    const before = acceptLeaseFile(replaced, fileFor(replaced, { licenseKey: licenseKey({ seq: 3 }) }), root, NOW)
    expect(before).toMatchObject({ memory: { licenseKey: replaced.licenseKey } })
  })

  it('of the license that took the place of another counts, whatever number its key has', () => {
    const held = { ...memory, fileLease: leaseFor(memory, { exp: NOW + 80 * DAY, seq: 4 }) }
    const next = licenseKey({ sub: 'license-2', jti: 'lic_two', iat: NOW })
    const lease = leaseFor(held, { lic: 'lic_two', exp: NOW + 90 * DAY })
    const taken = acceptLeaseFile(held, fileFor(held, { licenseKey: next, lease }), root, NOW)
    expect(taken).toMatchObject({ memory: { licenseKey: next, fileLease: lease } })
  })

  it('is never replaced by one that was made before it', () => {
    const held = { ...memory, fileLease: leaseFor(memory, { exp: NOW + 90 * DAY }) }
    const lease = leaseFor(held, { iat: NOW - 1, exp: NOW + 100 * DAY })
    expect(acceptLeaseFile(held, fileFor(held, { lease }), root, NOW)).toEqual({
      refused: expect.stringMatching(/already has a newer or longer/),
    })
  })

  it('that is over is over, also where the clock was set back', () => {
    const back = { ...memory, highWater: NOW + 91 * DAY }
    expect(acceptLeaseFile(back, fileFor(back), root, NOW)).toEqual({ refused: expect.stringMatching(/ended|expired/) })
  })

  it('brings no older list of keys back', () => {
    const known = { ...memory, manifest: manifest([signingKey], { serial: 2 }), manifestSerial: 2 }
    expect(acceptLeaseFile(known, fileFor(known), root, NOW)).toEqual({
      refused: expect.stringMatching(/older than the one of this panel/),
    })
  })
})
