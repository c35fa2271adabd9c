import { describe, expect, it } from 'vitest'
import {
  retryAfterSeconds,
  secondsUntilDue,
  secondsUntilFirst,
  secondsUntilRetry,
} from '../../src/license-client/schedule.ts'
import { HOUR, NOW } from '../support/license-client/issuer.ts'

describe('after a failure', () => {
  it('waits up to a minute, then up to twice as long with each, at most four hours', () => {
    const longest = [1, 2, 3, 9, 50].map((failures) => secondsUntilRetry(failures, undefined, 1))
    expect(longest).toEqual([60, 120, 240, 4 * HOUR, 4 * HOUR])
  })
  it('comes back at any moment of that time, so that those who were sent away together come apart', () => {
    expect([0, 0.25, 0.5].map((random) => secondsUntilRetry(3, undefined, random))).toEqual([1, 60, 120])
  })
  it('never comes back before it may', () => {
    expect(secondsUntilRetry(1, 300, 0)).toBe(300)
    expect(secondsUntilRetry(1, 300, 0.5)).toBe(330)
  })
  it('does not stay away for years because some page says so', () => {
    expect(secondsUntilRetry(1, 999_999_999, 0)).toBe(24 * HOUR)
  })
})

describe('Retry-After', () => {
  it.each([
    [null, undefined],
    ['120', 120],
    [' 7 ', 7],
    ['-1', undefined],
    ['soon', undefined],
    [new Date((NOW + 90) * 1_000).toUTCString(), 90],
    [new Date((NOW - 90) * 1_000).toUTCString(), 0],
  ])('%s is %s', (header, seconds) => expect(retryAfterSeconds(header, NOW)).toBe(seconds))
})

it('a heartbeat comes when it is due, or up to a tenth later', () => {
  expect(secondsUntilDue(NOW + 4 * HOUR, 4 * HOUR, NOW, 0)).toBe(4 * HOUR)
  expect(secondsUntilDue(NOW + 4 * HOUR, 4 * HOUR, NOW, 1)).toBeCloseTo(4.4 * HOUR)
  expect(secondsUntilDue(NOW - HOUR, 4 * HOUR, NOW, 0)).toBe(60)
})

it('the first comes within a minute of the start, unless it is due later', () => {
  expect(secondsUntilFirst(NOW - HOUR, 4 * HOUR, NOW, 0.5)).toBe(30)
  expect(secondsUntilFirst(NOW + HOUR, 4 * HOUR, NOW, 0.5)).toBe(HOUR)
})
