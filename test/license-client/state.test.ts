/** licensing.md 9, row by row. */
import { describe, expect, it } from 'vitest'
import { withFailure } from '../../src/license-client/judge-answer.ts'
import { newMemory } from '../../src/license-client/memory.ts'
import type { Memory } from '../../src/license-client/memory.ts'
import { featuresAt, licenseStatus } from '../../src/license-client/status.ts'
import {
  activatedMemory,
  DAY,
  HOUR,
  leaseFor,
  licenseKey,
  manifest,
  newKey,
  NOW,
  root,
  signingKey,
} from '../support/license-client/issuer.ts'

const at = (memory: Memory, now = NOW) => {
  const { state, reason, until } = licenseStatus(memory, root, now)
  return { state, reason, until }
}

describe('FREE', () => {
  it('is a panel without a key', () => {
    expect(at(newMemory())).toEqual({ state: 'FREE', reason: 'NO_KEY', until: null })
  })
  it('is a panel with a key that was never activated: a copied key alone gives nothing', () => {
    expect(at(activatedMemory({ lease: null })).reason).toBe('NOT_ACTIVATED')
    expect(at(activatedMemory({ lease: null })).state).toBe('FREE')
  })
  it('has no features', () => expect(featuresAt(licenseStatus(newMemory(), root, NOW), NOW)).toEqual({}))
})

describe('ACTIVE', () => {
  const memory = activatedMemory()
  it('is a panel with a good lease', () => expect(at(memory)).toEqual({ state: 'ACTIVE', reason: null, until: null }))
  it('has the features of its lease, each in its time', () => {
    const ft = { sso: true, seats: 5, soon: [true, NOW + 5, null], gone: [true, null, NOW], now: ['x', NOW, NOW + 1] }
    const windowed = activatedMemory({}, { ft: ft as never })
    expect(featuresAt(licenseStatus(windowed, root, NOW), NOW)).toEqual({ sso: true, seats: 5, now: 'x' })
  })
})

describe('OFFLINE', () => {
  const memory = withFailure(activatedMemory(), NOW + HOUR)
  it('is a panel whose last heartbeat failed: nothing else changes', () => {
    expect(at(memory, NOW + HOUR)).toEqual({ state: 'OFFLINE', reason: 'UNREACHABLE', until: NOW + 14 * DAY })
    expect(featuresAt(licenseStatus(memory, root, NOW), NOW)).toEqual({ sso: true })
  })
  it('lasts as long as the lease', () => {
    expect(at(memory, NOW + 14 * DAY - 1).state).toBe('OFFLINE')
    expect(at(memory, NOW + 14 * DAY).state).toBe('GRACE')
  })
})

describe('GRACE', () => {
  it('begins when the lease is over, and ends with the grace days', () => {
    const memory = withFailure(activatedMemory(), NOW)
    expect(at(memory, NOW + 15 * DAY)).toEqual({ state: 'GRACE', reason: 'LEASE_EXPIRED', until: NOW + 28 * DAY })
    expect(at(memory, NOW + 28 * DAY - 1).state).toBe('GRACE')
    expect(at(memory, NOW + 28 * DAY).state).toBe('DEGRADED')
  })
  it('begins when the license is over, whatever the lease says', () => {
    const memory = activatedMemory({ licenseKey: licenseKey({ exp: NOW + DAY }) }, { exp: NOW + 14 * DAY })
    expect(at(memory, NOW + DAY)).toEqual({ state: 'GRACE', reason: 'LICENSE_EXPIRED', until: NOW + 15 * DAY })
    expect(at(memory, NOW + 15 * DAY).state).toBe('DEGRADED')
  })
  it('is none where the license has none', () => {
    const memory = activatedMemory({ licenseKey: licenseKey({ exp: NOW + DAY, grc: 0 }) }, { exp: NOW + DAY })
    expect(at(memory, NOW + DAY).state).toBe('DEGRADED')
  })
})

describe('DEGRADED', () => {
  it.each(['EXPIRED', 'SUSPENDED', 'REVOKED', 'SUPERSEDED', 'DEACTIVATED'] as const)(
    'is a lease that says %s',
    (st) => {
      expect(at(activatedMemory({}, { st }))).toEqual({ state: 'DEGRADED', reason: st, until: null })
    },
  )
  it('is a panel whose keys nobody vouches for', () => {
    const stranger = newKey()
    const memory = activatedMemory()
    expect(at({ ...memory, lease: leaseFor(memory, {}, stranger) }).state).toBe('DEGRADED')
    expect(at({ ...memory, licenseKey: licenseKey({}, stranger) }).state).toBe('DEGRADED')
    expect(at({ ...memory, manifest: manifest([signingKey], { by: stranger }) }).state).toBe('DEGRADED')
    const forged = { kid: root.kid, jwk: stranger.jwk }
    expect(at({ ...memory, manifest: manifest([signingKey], { by: forged }) }).state).toBe('DEGRADED')
    expect(at({ ...memory, manifest: null }).state).toBe('DEGRADED')
  })
  it('is another panel’s lease', () => {
    const memory = activatedMemory()
    expect(at({ ...memory, instanceId: 'instance-2' }).state).toBe('DEGRADED')
  })
})

describe('a key that was retired', () => {
  const listed = (exp: number) => manifest([{ ...signingKey, state: 'retired', exp }], { serial: 2 })
  it('is believed for what it signed before', () => {
    expect(at(activatedMemory({ manifest: listed(NOW + 1), manifestSerial: 2 })).state).toBe('ACTIVE')
  })
  it('is not believed for what it signed later', () => {
    expect(at(activatedMemory({ manifest: listed(NOW - 1), manifestSerial: 2 })).state).toBe('DEGRADED')
  })
})

describe('TAMPERED', () => {
  const memory = activatedMemory()
  it('is not a clock that is a little behind', () => {
    expect(at({ ...memory, highWater: NOW + DAY }).state).toBe('ACTIVE')
  })
  it('is a clock behind the latest time that was ever seen by more than a day', () => {
    expect(at({ ...memory, highWater: NOW + DAY + 1 })).toEqual({
      state: 'TAMPERED',
      reason: 'TAMPERED',
      until: NOW + 72 * HOUR,
    })
  })
  it('is a list of keys older than what was known', () => {
    expect(at({ ...memory, manifestSerial: 2 }).state).toBe('TAMPERED')
  })
  it('ends after 72 hours, and setting the clock back again gains nothing', () => {
    const noticed = { ...memory, tamperedSince: NOW }
    expect(at(noticed, NOW + 72 * HOUR - 1).state).toBe('TAMPERED')
    expect(at(noticed, NOW + 72 * HOUR)).toEqual({ state: 'DEGRADED', reason: 'TAMPERED', until: null })
    expect(at(noticed, NOW - 72 * HOUR).state).toBe('DEGRADED')
  })
  it('makes nothing better', () => {
    expect(at({ ...activatedMemory({}, { st: 'REVOKED' }), tamperedSince: NOW }).state).toBe('DEGRADED')
    const over = { ...memory, tamperedSince: NOW + 27 * DAY }
    expect(at(over, NOW + 27 * DAY)).toEqual({ state: 'TAMPERED', reason: 'TAMPERED', until: NOW + 28 * DAY })
  })
  it('a clock that is set back by less lengthens nothing', () => {
    const memory = withFailure(activatedMemory({ highWater: NOW + 14 * DAY }), NOW)
    expect(at(memory, NOW + 13 * DAY + 2 * HOUR).state).toBe('GRACE')
  })
  it('is no clock that is wrong but goes right', () => {
    const behind = activatedMemory({ clockOffset: 30 * DAY })
    expect(at(behind, NOW - 30 * DAY).state).toBe('ACTIVE')
  })
})

describe('a lease from a file', () => {
  const memory = activatedMemory()
  const long = leaseFor(memory, { exp: NOW + 100 * DAY })
  it('lasts longer than the one that heartbeats bring', () => {
    const both = { ...memory, fileLease: long }
    expect(licenseStatus(both, root, NOW).source).toBe('FILE')
    expect(at(both, NOW + 50 * DAY).state).toBe('ACTIVE')
  })
  it('says no more what is licensed when a later one says otherwise: it only lasts longer', () => {
    const lesser = leaseFor(memory, { iat: NOW + 1, ft: { seats: 1 } })
    const both = licenseStatus({ ...memory, lease: lesser, fileLease: long }, root, NOW + 50 * DAY)
    expect(both).toMatchObject({ state: 'ACTIVE', source: 'FILE' })
    expect(featuresAt(both, NOW)).toEqual({ seats: 1 })
    const later = leaseFor(memory, { iat: NOW + 2, exp: NOW + 30 * DAY, ft: { seats: 9 } })
    const renewed = licenseStatus({ ...memory, lease: lesser, fileLease: later }, root, NOW)
    expect(featuresAt(renewed, NOW)).toEqual({ seats: 9 })
  })
  it('ends with a refusal that came after it', () => {
    const revoked = leaseFor(memory, { st: 'REVOKED', iat: NOW + 1 })
    expect(at({ ...memory, lease: revoked, fileLease: long })).toMatchObject({ state: 'DEGRADED', reason: 'REVOKED' })
  })
  it('does not end with a refusal from before it', () => {
    const revoked = leaseFor(memory, { st: 'REVOKED', iat: NOW - 1 })
    expect(at({ ...memory, lease: revoked, fileLease: long }).state).toBe('ACTIVE')
  })
  it('lasts no longer for a refusal that would have', () => {
    const revoked = leaseFor(memory, { st: 'REVOKED', iat: NOW - 1, exp: NOW + 200 * DAY })
    const both = licenseStatus({ ...memory, lease: revoked, fileLease: long }, root, NOW)
    expect(both.lease?.exp).toBe(NOW + 100 * DAY)
  })
})
