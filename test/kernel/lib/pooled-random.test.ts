import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pooledRandomBytes } from '#kernel/lib/pooled-random'

test('gives each byte once, in every size, and keeps what it gave', () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 8, max: 5_000 }), { minLength: 1, maxLength: 40 }), (sizes) => {
      const given = sizes.map((size) => pooledRandomBytes(size))
      expect(given.map(({ length }) => length)).toEqual(sizes)
      const copies = given.map((bytes) => bytes.toString('hex'))
      // 8 bytes that occur twice were handed out twice: by chance that happens once in 10^8 runs.
      for (const bytes of given)
        for (let at = 0; at + 8 <= bytes.length; at += 8) {
          const part = bytes.toString('hex', at, at + 8)
          expect(seen.has(part)).toBe(false)
          seen.add(part)
        }
      for (let nth = 0; nth < 1_000; nth += 1) pooledRandomBytes(16)
      expect(given.map((bytes) => bytes.toString('hex'))).toEqual(copies)
    }),
    { numRuns: 20 },
  )
})

test('gives bytes of which every bit is as often 0 as 1', () => {
  const counts = new Float64Array(12 * 8)
  const draws = 20_000
  for (let nth = 0; nth < draws; nth += 1) {
    const bytes = pooledRandomBytes(12)
    for (let bit = 0; bit < counts.length; bit += 1) counts[bit]! += (bytes[bit >> 3]! >> (bit & 7)) & 1
  }
  for (const count of counts) expect(Math.abs(count / draws - 0.5)).toBeLessThan(0.025)
})
