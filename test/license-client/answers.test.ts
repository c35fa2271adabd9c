/** Only a signed answer to this very request changes what a panel may do. */
import { assert, constantFrom, dictionary, integer, json, oneof, property, string, tuple, webUrl } from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  withFailure,
  withoutLicense,
  judgeAnswer,
  trustedManifest,
  withManifest,
} from '../../src/license-client/judge-answer.ts'
import { newMemory } from '../../src/license-client/memory.ts'
import { licenseStatus } from '../../src/license-client/status.ts'
import {
  activatedMemory,
  DAY,
  hashOf,
  HOUR,
  INSTANCE,
  leaseFor,
  licenseKey,
  manifest,
  newKey,
  NOW,
  root,
  rootKey,
  signingKey,
} from '../support/license-client/issuer.ts'

const memory = activatedMemory()
const LATER = NOW + 4 * HOUR
const asked = { nonce: 'the nonce of this request', licenseKey: memory.licenseKey!, offset: 0 }
const context = { root, now: LATER }
const fresh = { req: hashOf(asked.nonce), iat: LATER, exp: LATER + 14 * DAY, nhb: LATER + 4 * HOUR }
const good = () => ({ lease: leaseFor(memory, fresh), licenseKey: null })

const take = (body: unknown, more: object = {}) => judgeAnswer(memory, body, asked, { ...context, ...more })

describe('a good answer', () => {
  it('brings a lease, and with it the service’s time', () => {
    const body = good()
    const result = take(body)
    expect(result).toMatchObject({
      outcome: 'GOOD',
      memory: { lease: body.lease, highWater: LATER, clockOffset: 0, failures: 0, lastHeartbeat: { ok: true } },
    })
  })
  it('clears what looked like tampering', () => {
    const suspicious = { ...memory, highWater: NOW + 40 * DAY, tamperedSince: NOW }
    const result = judgeAnswer(suspicious, good(), asked, context)
    expect(result.outcome === 'GOOD' && licenseStatus(result.memory, root, LATER).state).toBe('ACTIVE')
  })
  it('shows by how much this clock is off', () => {
    const result = judgeAnswer(memory, good(), { ...asked, offset: 2 * HOUR }, { root, now: LATER - 2 * HOUR })
    expect(result).toMatchObject({ outcome: 'GOOD', memory: { clockOffset: 2 * HOUR } })
  })
  it('may bring a later license key', () => {
    const next = licenseKey({ seq: 2, exp: NOW + 600 * DAY })
    const result = take({ ...good(), licenseKey: next })
    expect(result).toMatchObject({ outcome: 'GOOD', memory: { licenseKey: next } })
  })
  it('brings no earlier one back', () => {
    const present = licenseKey({ seq: 3 })
    const body = { ...good(), licenseKey: licenseKey({ seq: 2 }) }
    const result = judgeAnswer({ ...memory, licenseKey: present }, body, { ...asked, licenseKey: present }, context)
    expect(result).toMatchObject({ outcome: 'GOOD', memory: { licenseKey: present } })
  })
  it('that refuses is believed as well', () => {
    const result = take({ lease: leaseFor(memory, { ...fresh, st: 'REVOKED' }) })
    expect(result.outcome === 'GOOD' && licenseStatus(result.memory, root, LATER)).toMatchObject({
      state: 'DEGRADED',
      reason: 'REVOKED',
    })
  })
  it('tells to follow another key', () => {
    const next = licenseKey({ sub: 'license-2', jti: 'lic_two' })
    const body = { lease: leaseFor(memory, { ...fresh, st: 'SUPERSEDED' }), licenseKey: next }
    expect(take(body)).toEqual({ outcome: 'FOLLOW', licenseKey: next })
  })
  it('that another key has taken this one’s place is no verdict without that key', () => {
    const lease = leaseFor(memory, { ...fresh, st: 'SUPERSEDED' })
    for (const key of [null, 'garbage', memory.licenseKey])
      expect(take({ lease, licenseKey: key })).toEqual({ outcome: 'INCOMPLETE' })
    const next = licenseKey({ sub: 'license-2', jti: 'lic_two' }, newKey())
    expect(take({ lease, licenseKey: next })).toEqual({ outcome: 'UNKNOWN_KEY' })
  })
})

describe('an answer that proves nothing is none:', () => {
  const stranger = newKey()
  const panel = newMemory()
  const BAD: readonly (readonly [string, unknown])[] = [
    ['nothing', undefined],
    ['a refusal that nobody signed', { statusCode: 403, message: 'REVOKED' }],
    ['a status that nobody signed', { lease: { st: 'REVOKED' } }],
    ['one to another request', { lease: leaseFor(memory, { ...fresh, req: hashOf('another') }) }],
    ['one to no request', { lease: leaseFor(memory, { ...fresh, req: null }) }],
    ['a refusal that is replayed', { lease: leaseFor(memory, { st: 'REVOKED' }) }],
    ['one for another instance', { lease: leaseFor(memory, { ...fresh, sub: 'instance-2' }) }],
    ['one for another instance’s key', { lease: leaseFor(panel, fresh) }],
    ['one from the future', { lease: leaseFor(memory, { ...fresh, iat: LATER + 301 }) }],
    ['a truncated one', { lease: good().lease.slice(0, -1) }],
    ['one of another type', { lease: licenseKey() }],
  ]
  it.each(BAD)('%s', (_what, body) => expect(take(body)).toEqual({ outcome: 'BAD' }))

  it('one that a stranger signed, with or without a list of keys of his own', () => {
    const body = { lease: leaseFor(memory, fresh, stranger) }
    expect(take(body)).toEqual({ outcome: 'UNKNOWN_KEY' })
    const fetched = manifest([stranger], { by: stranger, serial: 9 })
    expect(take(body, { fetched })).toEqual({ outcome: 'UNKNOWN_KEY' })
  })
  it('one that a key signed which has fallen since', () => {
    const fetched = manifest([stranger], { serial: 2 })
    expect(take(good(), { fetched })).toEqual({ outcome: 'UNKNOWN_KEY' })
  })
  it('a new one, while the list of keys has ended', () => {
    const ended = { ...memory, manifest: manifest([signingKey], { exp: LATER }) }
    expect(judgeAnswer(ended, good(), asked, context)).toEqual({ outcome: 'BAD' })
  })
  it('one that is dated back, with a Date that nobody signed, to when the list of keys had not ended', () => {
    const ended = { ...memory, manifest: manifest([signingKey], { exp: NOW + HOUR }) }
    const body = { lease: leaseFor(memory, { ...fresh, iat: NOW + 60 }) }
    const back = { ...asked, offset: NOW + 60 - LATER }
    for (const fetched of [undefined, ended.manifest])
      expect(judgeAnswer(ended, body, back, { ...context, fetched })).toEqual({ outcome: 'BAD' })
  })
})

/** What may come from anywhere: other people’s pages, broken machines, and parts of true answers. */
const garbage = oneof(
  json().map((text) => JSON.parse(text) as unknown),
  string(),
  webUrl().map((url) => `<html><a href="${url}">Please log in</a></html>`),
  dictionary(constantFrom('lease', 'licenseKey', 'instance', 'st', 'nextHeartbeatAt', 'statusCode', 'message'), json()),
  tuple(integer({ min: 0, max: 900 }), integer({ min: 1, max: 5 })).map(([from, length]) => {
    const { lease } = good()
    return { lease: lease.slice(0, from) + lease.slice(from + length) }
  }),
  tuple(integer({ min: 0, max: 900 }), constantFrom('A', 'b', '.', '-', '=', '\n')).map(([place, sign]) => {
    const { lease } = good()
    const altered = lease.slice(0, place) + sign + lease.slice(place + 1)
    return { lease: altered === lease ? `${lease} ` : altered }
  }),
)

it('any garbage leaves the state as it is, but for OFFLINE', () => {
  const states = [
    activatedMemory(),
    activatedMemory({}, { st: 'REVOKED' }),
    activatedMemory({ licenseKey: licenseKey({ exp: NOW - DAY }) }),
    activatedMemory({ tamperedSince: NOW }),
    activatedMemory({}, { exp: NOW - 20 * DAY }),
  ]
  assert(
    property(constantFrom(...states), garbage, (before, body) => {
      const { outcome } = judgeAnswer(before, body, { ...asked, licenseKey: before.licenseKey! }, context)
      expect(['BAD', 'UNKNOWN_KEY']).toContain(outcome)
      const was = licenseStatus(before, root, LATER)
      const is = licenseStatus(withFailure(before, LATER), root, LATER)
      expect(is.state).toBe(was.state === 'ACTIVE' ? 'OFFLINE' : was.state)
    }),
    { numRuns: 500 },
  )
})

describe('the list of keys', () => {
  it('is never an older one', () => {
    const known = { ...memory, manifest: manifest([signingKey], { serial: 5 }), manifestSerial: 5 }
    expect(trustedManifest(known, root, NOW, manifest([signingKey], { serial: 4 }))?.manifest.serial).toBe(5)
    expect(trustedManifest(known, root, NOW, manifest([signingKey], { serial: 6 }))?.manifest.serial).toBe(6)
  })
  it.each([
    ['over', { serial: 9, exp: NOW }],
    ['from the future', { serial: 9, iat: NOW + 301 }],
    ['signed by another root', { serial: 9, by: newKey() }],
  ])('is not taken when it is %s', (_what, more) => {
    expect(trustedManifest(memory, root, NOW, manifest([signingKey], more))?.manifest.serial).toBe(1)
  })
  it('is not taken when it had ended before something else was signed, whatever the clock says', () => {
    const known = activatedMemory({}, { iat: NOW + 9 * DAY })
    const ended = manifest([signingKey], { serial: 9, exp: NOW + 8 * DAY })
    expect(trustedManifest(known, root, NOW - 30 * DAY, ended)?.manifest.serial).toBe(1)
    const own = { ...known, manifest: manifest([signingKey], { exp: NOW + 8 * DAY }) }
    expect(trustedManifest(own, root, NOW - 30 * DAY)?.hasEnded).toBe(true)
  })
  it('cannot be replaced by something else that the root key signed', () => {
    expect(trustedManifest(memory, root, NOW, licenseKey({}, rootKey))?.manifest.serial).toBe(1)
  })
  it('waits for the heartbeat that replaces what it no longer proves', () => {
    const other = newKey()
    const without = manifest([other], { serial: 2 })
    expect(withManifest(memory, root, NOW, without)).toBe(memory)
    const withBoth = manifest([signingKey, other], { serial: 2 })
    expect(withManifest(memory, root, NOW, withBoth)).toMatchObject({ manifest: withBoth, manifestSerial: 2 })
  })
})

describe('after a signing key has fallen', () => {
  const other = newKey()
  const fetched = manifest([other], { serial: 2 })
  const lease = leaseFor(memory, { ...fresh, seq: 2 }, other)

  it('the panel goes over with one answer', () => {
    const body = { lease, licenseKey: licenseKey({ seq: 2 }, other) }
    expect(take(body)).toEqual({ outcome: 'UNKNOWN_KEY' })
    const result = take(body, { fetched })
    expect(result).toMatchObject({ outcome: 'GOOD', memory: { manifestSerial: 2, lease } })
    expect(result.outcome === 'GOOD' && licenseStatus(result.memory, root, LATER).state).toBe('ACTIVE')
  })
  it('half of an answer is told from a whole one', () => {
    const body = { lease: leaseFor(memory, { ...fresh, seq: 2 }), licenseKey: licenseKey({ seq: 2 }, other) }
    expect(take(body)).toMatchObject({ outcome: 'GOOD', isPartial: true, memory: { licenseKey: memory.licenseKey } })
    const both = manifest([signingKey, other], { serial: 2 })
    expect(take(body, { fetched: both })).toMatchObject({ isPartial: false, memory: { licenseKey: body.licenseKey } })
  })
  it('and stays as it was until its license key is signed anew', () => {
    expect(take({ lease, licenseKey: null }, { fetched })).toEqual({ outcome: 'INCOMPLETE' })
  })
  it('but a refusal counts at once', () => {
    const refusal = leaseFor(memory, { ...fresh, st: 'SUSPENDED' }, other)
    const result = take({ lease: refusal }, { fetched })
    expect(result.outcome === 'GOOD' && licenseStatus(result.memory, root, LATER).state).toBe('DEGRADED')
  })
})

it('an activation takes the instance that it is given', () => {
  const unknown = { ...newMemory(), manifest: manifest(), manifestSerial: 1 }
  const body = { instance: { id: INSTANCE }, lease: leaseFor(unknown, fresh), licenseKey: null }
  const result = judgeAnswer(unknown, body, { ...asked, licenseKey: licenseKey(), isActivation: true }, context)
  expect(result).toMatchObject({ outcome: 'GOOD', memory: { instanceId: INSTANCE } })
})

it('what is removed leaves no license, and what guards against the past', () => {
  const after = withoutLicense({ ...memory, highWater: NOW + 5 })
  expect(licenseStatus(after, root, NOW).state).toBe('FREE')
  expect(after).toMatchObject({ highWater: NOW + 5, manifestSerial: 1, installId: memory.installId, licenseKey: null })
})
