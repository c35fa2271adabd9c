import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Turns } from '#kernel/commands/stream-queue'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('nobody waits for a turn longer than 9 s, and whoever came later does not overtake', async () => {
  const turns = new Turns()
  const endFirst = await turns.take('a')
  const second = turns.take('a').catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(5_000)
  let hasTurn = false
  const third = turns.take('a').then((end) => {
    hasTurn = true
    return end
  })
  await vi.advanceTimersByTimeAsync(4_000)
  expect(await second).toMatchObject({ statusCode: 503, code: 'CONTENTION', headers: { 'Retry-After': '1' } })
  expect(hasTurn).toBe(false)
  endFirst()
  const endThird = await third
  endThird()
  await expect(turns.take('a')).resolves.toBeTypeOf('function')
  expect(vi.getTimerCount()).toBe(0)
})
