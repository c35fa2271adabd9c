import { createHash, randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  deriveSecret,
  hashSecret,
  isSecret,
  newSecret,
  SECRET_KINDS,
  secretPrefix,
} from '#kernel/credentials/secret-token'
import type { SecretKind } from '#kernel/credentials/secret-token'

const KINDS = Object.keys(SECRET_KINDS) as SecretKind[]
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const kinds = fc.constantFrom(...KINDS)
const key = Buffer.alloc(32, 7)

describe('a new secret', () => {
  test('is 50 characters of the documented format and passes its own check, for its own kind only', () => {
    for (const kind of KINDS) {
      const secret = newSecret(kind)
      expect(secret).toMatch(new RegExp(`^db${kind}_[0-9A-Za-z]{46}$`))
      expect(KINDS.filter((other) => isSecret(secret, other))).toEqual([kind])
    }
  })

  test('uses all 62 characters evenly (chi-squared, 61 degrees of freedom)', () => {
    const counts = new Map(Array.from(BASE62, (letter) => [letter, 0]))
    const drawn = 2_000 * 40
    for (let i = 0; i < 2_000; i++) {
      for (const letter of newSecret('k').slice(4, 44)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
    }
    const even = drawn / 62
    const chi = [...counts.values()].reduce((sum, count) => sum + (count - even) ** 2 / even, 0)
    // P(chi > 140) < 1e-7 for a uniform draw; byte % 62 without rejection gives more than 900.
    expect(chi).toBeLessThan(140)
  })
})

describe('the checksum', () => {
  test('has a fixed, published spelling', () => {
    expect(isSecret(`dbk_${'0'.repeat(40)}10LcCR`, 'k')).toBe(true)
  })

  test('refuses every change of one character', () => {
    fc.assert(
      fc.property(kinds, fc.nat(45), fc.nat(60), (kind, at, step) => {
        const secret = newSecret(kind)
        const now = BASE62.indexOf(secret.charAt(4 + at))
        const typo = secret.slice(0, 4 + at) + BASE62.charAt((now + step + 1) % 62) + secret.slice(5 + at)
        expect(isSecret(typo, kind)).toBe(false)
      }),
      { numRuns: 5_000 },
    )
  })

  test('refuses 100,000 random texts of the right shape', () => {
    let passed = 0
    for (let i = 0; i < 100_000; i++) {
      const text = 'dbm_' + Array.from(randomBytes(46), (byte) => BASE62.charAt(byte % 62)).join('')
      if (isSecret(text, 'm')) passed++
    }
    expect(passed).toBe(0)
  })

  test('refuses any other text', () => {
    const secret = newSecret('k')
    const spellings = [`${secret}\n`, ` ${secret}`, secret.toLowerCase(), secret.slice(0, -1), `${secret}0`, '', 'dbk_']
    for (const text of [...spellings, secret.replace('dbk', 'dbx')]) expect(isSecret(text, 'k')).toBe(false)
    fc.assert(fc.property(fc.string(), kinds, (text, kind) => !isSecret(text, kind)))
  })
})

describe('a derived secret', () => {
  test('is the same for the same key and origin, another for any other', () => {
    fc.assert(
      fc.property(kinds, fc.string(), fc.string(), (kind, from, other) => {
        const derived = deriveSecret(kind, key, from)
        expect(isSecret(derived, kind)).toBe(true)
        expect(deriveSecret(kind, key, from)).toBe(derived)
        expect(deriveSecret(kind, Buffer.alloc(32, 8), from)).not.toBe(derived)
        if (other !== from) expect(deriveSecret(kind, key, other)).not.toBe(derived)
      }),
    )
    expect(deriveSecret('k', key, 'x').slice(4, 44)).not.toBe(deriveSecret('m', key, 'x').slice(4, 44))
  })

  test('needs a key of 32 bytes', () => {
    expect(() => deriveSecret('r', Buffer.alloc(16), 'x')).toThrow(RangeError)
  })
})

test('a secret is stored as its SHA-256 and shown as its first 12 characters', () => {
  const secret = newSecret('m')
  expect(hashSecret(secret)).toBe(createHash('sha256').update(secret, 'ascii').digest('hex'))
  expect(secretPrefix(secret)).toBe(secret.slice(0, 12))
})
