/** Rates that are counted in the database. */
import { afterAll, expect, test } from 'vitest'
import { RateLimiter } from '#kernel/credentials/rate-limit'
import type { RateLimit } from '#kernel/credentials/rate-limit'
import { servicePool } from '#kernel/store/connection'
import { testDatabase } from '#test/support/database'

const { url, drop } = await testDatabase()
const pool = servicePool(url, { role: 'daybook_service' })
afterAll(async () => {
  await pool.end()
  await drop()
})

const RATE = { name: 'tries', max: 10, perSeconds: 60 }
const START_MS = Date.parse('2026-01-01T00:00:00Z')

/** @returns for each use whether it was allowed. @param atMs the times of the uses, in the order of their arrival */
async function usesAt(key: string, atMs: readonly number[]): Promise<boolean[]> {
  const rates = new RateLimiter(pool)
  const allowed: boolean[] = []
  for (const ms of atMs) {
    const taken = rates.take(RATE, key, new Date(START_MS + ms))
    allowed.push(
      await taken.then(
        () => true,
        () => false,
      ),
    )
  }
  return allowed
}

const first = (count: number, allowed: readonly boolean[]): boolean[] => allowed.map((_each, nth) => nth < count)

test('allows the maximum at once, and then the average rate', async () => {
  const atOnce = await usesAt(
    'at-once',
    Array.from({ length: 12 }, () => 0),
  )
  expect(atOnce).toEqual(first(10, atOnce))
  expect(await usesAt('at-once', [6_000, 6_000, 12_000])).toEqual([true, false, true])
})

test('allows the maximum when a later request arrives first', async () => {
  const overtaken = await usesAt('overtaken', [40, ...Array.from({ length: 10 }, (_each, nth) => nth)])
  expect(overtaken).toEqual(first(10, overtaken))
})

test('counts uses that share a statement apart: by key, and by what a use costs', async () => {
  const rates = new RateLimiter(pool)
  const allowedOf = async (rate: RateLimit, key: string, count: number): Promise<number> => {
    const uses = Array.from({ length: count }, () => rates.take(rate, key, new Date(START_MS)))
    return (await Promise.allSettled(uses)).filter(({ status }) => status === 'fulfilled').length
  }
  const dear = { ...RATE, max: 2 }
  const asked = [allowedOf(dear, 'one', 1), allowedOf(dear, 'two', 3), allowedOf(RATE, 'three', 3)]
  expect(await Promise.all(asked)).toEqual([1, 2, 3])
})
