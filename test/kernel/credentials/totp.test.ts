import { createHmac } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newTotpSecret, totpUri, verifyTotp } from '#kernel/credentials/totp'

/** RFC 6238, appendix B: the key "12345678901234567890", SHA-1, cut to six digits. */
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const RFC_VECTORS = [
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
] as const

const seconds = fc.integer({ min: 1_000, max: 4_000_000_000 })
const never = undefined

describe('a code', () => {
  test.each(RFC_VECTORS)('of RFC 6238 is accepted at second %i', (second, code) => {
    expect(verifyTotp(RFC_SECRET, code, moment(second))).toBe(Math.floor(second / 30))
  })

  test('is accepted in its own step and the next one, and at no other time', () => {
    fc.assert(
      fc.property(seconds, fc.integer({ min: -400, max: 400 }), (second, drift) => {
        const step = Math.floor(second / 30)
        const shown = code(step)
        const now = Math.floor((second + drift) / 30)
        const near = [now, now - 1].filter((candidate) => code(candidate) === shown)
        expect(verifyTotp(RFC_SECRET, shown, moment(second + drift))).toBe(near[0])
      }),
    )
  })

  test('is accepted to the last millisecond of the next step', () => {
    expect(verifyTotp(RFC_SECRET, '287082', moment(89.999))).toBe(1)
    expect(verifyTotp(RFC_SECRET, '287082', moment(90))).toBe(never)
    expect(verifyTotp(RFC_SECRET, '287082', moment(29.999))).toBe(never)
  })

  test('is spent with its step, and with it every older step', () => {
    fc.assert(
      fc.property(seconds, fc.integer({ min: -3, max: 3 }), (second, ahead) => {
        const step = Math.floor(second / 30)
        const accepted = verifyTotp(RFC_SECRET, code(step), moment(second, step + ahead))
        if (ahead >= 0) expect(accepted).toBe(never)
        else expect(accepted).toBe(step)
      }),
    )
    expect(verifyTotp(RFC_SECRET, code(40), moment(41 * 30, 40))).toBe(never)
    expect(verifyTotp(RFC_SECRET, code(41), moment(41 * 30, 40))).toBe(41)
    expect(verifyTotp(RFC_SECRET, code(40), moment(41 * 30, 39))).toBe(40)
  })

  test('has one spelling', () => {
    const spellings = [
      '287082 ',
      ' 287082',
      '287 082',
      '287082\n',
      '２８７０８２',
      '28708',
      '2870820',
      '+287082',
      '',
      'abcdef',
    ]
    for (const spelling of spellings) expect(verifyTotp(RFC_SECRET, spelling, moment(59))).toBe(never)
  })

  test('is never accepted, and nothing thrown, for a secret or a time that makes no sense', () => {
    for (const secret of ['', 'A', 'JBSWY3DP', '!!!!', 'ÄÖÜ'.repeat(20), RFC_SECRET.replace('G', '1')]) {
      expect(verifyTotp(secret, '000000', moment(59))).toBe(never)
    }
    for (const at of [Number.NaN, -1, -100_000]) expect(verifyTotp(RFC_SECRET, '287082', moment(at))).toBe(never)
    fc.assert(fc.property(fc.string(), fc.string(), (secret, text) => verifyTotp(secret, text, moment(59)) === never))
  })
})

describe('a new secret', () => {
  test('has 160 bits in base32 and is accepted by its own codes', () => {
    const secrets = Array.from({ length: 100 }, newTotpSecret)
    expect(new Set(secrets).size).toBe(100)
    for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  })

  test('is handed to the app in an address whose parts cannot be mixed up', () => {
    const address = new URL(totpUri(RFC_SECRET, 'a+b@c.example/../?secret=x', 'Day:book & co'))
    expect([address.protocol, address.host]).toEqual(['otpauth:', 'totp'])
    expect(address.searchParams.getAll('secret')).toEqual([RFC_SECRET])
    expect(address.searchParams.get('issuer')).toBe('Day:book & co')
    expect(decodeURIComponent(address.pathname)).toContain('a+b@c.example/../?secret=x')
  })
})

function moment(second: number, lastStep?: number): { at: Date; lastStep: number | undefined } {
  return { at: new Date(second * 1000), lastStep }
}

/** RFC 4226, 5.3, written out: independent of the library under test. */
function code(step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', '12345678901234567890').update(counter).digest()
  const offset = mac.readUInt8(19) & 15
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}
