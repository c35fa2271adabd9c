import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { databaseClock } from '#kernel/lib/clock'

/** How far the database's clock is ahead of the process. */
const AHEAD_MS = 60_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A database whose clock is read when it answers, at once or after it is released. */
function frozenAtWill() {
  let thaw: Promise<void> | undefined
  let asked = 0
  const query = async () => {
    asked += 1
    await thaw
    return { rows: [{ ms: String(Date.now() + AHEAD_MS) }] }
  }
  return {
    pool: { query } as never,
    asked: () => asked,
    freeze: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      thaw = promise
      return resolve
    },
  }
}

test('is the database’s time, counts on while the database is frozen, and is not led astray by its late answer', async () => {
  const { pool, asked, freeze } = frozenAtWill()
  const clock = await databaseClock(pool)
  const error = () => clock.now().getTime() - Date.now() - AHEAD_MS
  expect(error()).toBeCloseTo(0, -1)
  const thaw = freeze()
  await vi.advanceTimersByTimeAsync(8_000)
  expect(error()).toBeCloseTo(0, -1)
  expect(asked(), 'one question waits, not one a second').toBe(2)
  thaw()
  await vi.advanceTimersByTimeAsync(10)
  expect(error()).toBeCloseTo(0, -1)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(asked()).toBeGreaterThan(2)
  clock.stop()
  const before = asked()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(asked()).toBe(before)
})
