import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { StreamQueue } from '#kernel/commands/stream-queue'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('nobody waits for a turn longer than 9 s, and whoever came later does not overtake', async () => {
  const turns = new StreamQueue()
  const endFirst = await turns.acquire('a')
  const second = turns.acquire('a').catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(5_000)
  let hasTurn = false
  const third = turns.acquire('a').then((end) => {
    hasTurn = true
    return end
  })
  await vi.advanceTimersByTimeAsync(4_000)
  expect(await second).toMatchObject({ statusCode: 503, code: 'CONTENTION', headers: { 'Retry-After': '1' } })
  expect(hasTurn).toBe(false)
  endFirst()
  const endThird = await third
  endThird()
  await expect(turns.acquire('a')).resolves.toBeTypeOf('function')
  expect(vi.getTimerCount()).toBe(0)
})
