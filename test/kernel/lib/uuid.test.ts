import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { idTimeAfter, uuidv7 } from '#kernel/lib/uuid'

const V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const RANDOM_BITS = 42
const COUNTER_MAX = 2 ** 32 - 1

const msOf = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

afterEach(() => void vi.useRealTimers())

describe('a new id', () => {
  test('is a UUIDv7 of its time, and greater than every id before, a million times', () => {
    const startMs = Date.now()
    let last = ''
    for (let nth = 0; nth < 1_000_000; nth += 1) {
      const id = uuidv7()
      if (id <= last || !V7.test(id)) expect.fail(`${id} after ${last}`)
      last = id
    }
    expect(msOf(last)).toBeGreaterThanOrEqual(startMs)
    expect(msOf(last)).toBeLessThanOrEqual(Date.now())
  })

  test('has random bits at its end, and none of them depends on another', () => {
    const ids = Array.from({ length: 20_000 }, () => BigInt(`0x${uuidv7().replaceAll('-', '').slice(-12)}`))
    for (let bit = 0; bit < RANDOM_BITS; bit += 1) {
      for (let other = 0; other < bit; other += 1) {
        const differ = ids.filter((id) => ((id >> BigInt(bit)) ^ (id >> BigInt(other))) & 1n).length
        expect(Math.abs(differ / ids.length - 0.5), `bits ${bit} and ${other}`).toBeLessThan(0.025)
      }
      const set = ids.filter((id) => (id >> BigInt(bit)) & 1n).length
      expect(Math.abs(set / ids.length - 0.5), `bit ${bit}`).toBeLessThan(0.025)
    }
    expect(new Set(ids.map((id) => id & (2n ** 42n - 1n))).size).toBe(ids.length)
  })

  test('starts every millisecond at a random count', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1_000_000 })
    const counts = Array.from({ length: 2_000 }, () => {
      vi.advanceTimersByTime(1)
      return uuidv7().slice(14, 23)
    })
    expect(new Set(counts).size).toBeGreaterThan(1_990)
  })

  test('follows the last one when the clock is set back', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2_000_000 })
    const first = uuidv7()
    vi.setSystemTime(0)
    const second = uuidv7()
    expect(second > first).toBe(true)
    expect(msOf(second)).toBe(msOf(first))
  })
})

describe('the time of an id', () => {
  const ms = fc.integer({ min: 0, max: 2 ** 47 })
  const seed = fc.integer({ min: 0, max: 2 ** 31 - 1 })
  const counter = fc.oneof(fc.integer({ min: 0, max: COUNTER_MAX }), fc.constant(COUNTER_MAX))

  test('only rises, whatever the clock says', () => {
    fc.assert(
      fc.property(ms, counter, fc.oneof(ms, fc.constant(0)), seed, (lastMs, lastCounter, now, random) => {
        const next = idTimeAfter({ ms: lastMs, counter: lastCounter }, now, random)
        expect([next.ms > lastMs, next.ms === lastMs && next.counter > lastCounter]).toContain(true)
        expect(next.counter).toBeLessThanOrEqual(COUNTER_MAX)
        expect(next.ms).toBe(lastCounter === COUNTER_MAX && now <= lastMs ? lastMs + 1 : Math.max(now, lastMs))
      }),
    )
  })
})
