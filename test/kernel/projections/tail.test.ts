/** Many subscriptions that follow the end of the log. */
import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import type { EventStore, RecordedEvent } from '#kernel/events/store-port'
import { LiveSubscriptions } from '#kernel/projections/live-subscriptions'
import { memoryStore } from '#kernel/store/memory/memory-store'

type Batches = AsyncGenerator<readonly RecordedEvent[]>

async function append(store: EventStore, number = 1): Promise<void> {
  for (let nth = 0; nth < number; nth += 1) {
    const event = { id: randomUUID(), type: 'ThingHappened', schemaVersion: 1, data: {}, metadata: {} }
    await store.append({ parts: [{ stream: 'thing', expected: 'any', events: [event] }] })
  }
}

/** The positions of the next events; empty batches are skipped. */
async function next(batches: Batches, number: number): Promise<number[]> {
  const positions: number[] = []
  while (positions.length < number)
    positions.push(...(await batches.next()).value.map(({ position }: RecordedEvent) => position))
  return positions
}

const upTo = (number: number, from = 1): number[] => Array.from({ length: number }, (_none, nth) => from + nth)

/** A store whose wake-up calls are lost unless `wakes` is set. */
function watched(store: EventStore, { wakes = true } = {}) {
  const seen = { reads: 0, listeners: 0 }
  const tail = new LiveSubscriptions({
    readAll(after, limit) {
      seen.reads += 1
      return store.readAll(after, limit)
    },
    onAppended(listener) {
      seen.listeners += 1
      const forget = wakes ? store.onAppended(listener) : () => {}
      return () => {
        seen.listeners -= 1
        forget()
      }
    },
  })
  return { tail, seen }
}

test('everything behind a position is told, in order and once, and then what is appended', async () => {
  const store = memoryStore()
  await append(store, 450)
  const { tail } = watched(store)
  const ended = new AbortController()
  const batches = tail.subscribe(3, ended.signal)
  expect(await next(batches, 447)).toEqual(upTo(447, 4))
  const more = next(batches, 2)
  await append(store, 2)
  expect(await more).toEqual([451, 452])
  ended.abort()
  expect((await batches.next()).done).toBe(true)
})

test('a call to wake up that is lost delays, and loses nothing', async () => {
  const store = memoryStore()
  const { tail } = watched(store, { wakes: false })
  const batches = tail.subscribe(0, new AbortController().signal)
  expect((await batches.next()).value).toEqual([])
  await append(store)
  expect(await next(batches, 1)).toEqual([1])
  await batches.return(undefined)
})

test('those who are equally far read once', async () => {
  const store = memoryStore()
  const { tail, seen } = watched(store)
  const ended = new AbortController()
  const all = Array.from({ length: 50 }, () => tail.subscribe(0, ended.signal))
  await Promise.all(all.map((each) => each.next()))
  const told = Promise.all(all.map((each) => next(each, 1)))
  await append(store)
  expect(await told).toEqual(Array.from({ length: 50 }, () => [1]))
  // Without sharing, each would read twice: before the event and with it. A poll or two may be added.
  expect(seen.reads).toBeLessThan(20)
  ended.abort()
})

test('nobody waits for what was appended after another began to read', async () => {
  // The poll never runs, so it wakes no subscription.
  vi.useFakeTimers({ toFake: ['setInterval'] })
  try {
    const store = memoryStore()
    const { promise: isOver, resolve: release } = Promise.withResolvers<void>()
    const tail = new LiveSubscriptions({
      async readAll(after, limit) {
        const events = await store.readAll(after, limit)
        if (events.length === 0) await isOver
        return events
      },
      onAppended: (listener) => store.onAppended(listener),
    })
    const ended = new AbortController()
    const one = next(tail.subscribe(0, ended.signal), 1)
    await new Promise(setImmediate)
    await append(store)
    await new Promise(setImmediate)
    const other = next(tail.subscribe(0, ended.signal), 1)
    await new Promise(setImmediate)
    release()
    expect(await Promise.all([one, other])).toEqual([[1], [1]])
    ended.abort()
  } finally {
    vi.useRealTimers()
  }
})

test('however many are appended while many read, each is told of all', async () => {
  const store = memoryStore()
  const { tail } = watched(store)
  const ended = new AbortController()
  const all = Array.from({ length: 8 }, () => tail.subscribe(0, ended.signal))
  const told = all.map((each) => next(each, 300))
  for (let nth = 0; nth < 300; nth += 1) {
    await append(store)
    if (nth % 7 === 0) await new Promise(setImmediate)
  }
  for (const each of told) expect(await each).toEqual(upTo(300))
  ended.abort()
})

test('the end is heard by who waits, and the last to leave lets go of the store', async () => {
  const { tail, seen } = watched(memoryStore())
  const ended = new AbortController()
  const one = tail.subscribe(0, ended.signal)
  const other = tail.subscribe(0, new AbortController().signal)
  await one.next()
  await other.next()
  expect(seen.listeners).toBe(1)
  const last = one.next()
  ended.abort()
  expect((await last).done).toBe(true)
  expect(seen.listeners).toBe(1)
  await other.return(undefined)
  expect(seen.listeners).toBe(0)
})

test('what cannot be read is said to whoever follows', async () => {
  const away = new Error('away')
  const tail = new LiveSubscriptions({ readAll: () => Promise.reject(away), onAppended: () => () => {} })
  await expect(tail.subscribe(0, new AbortController().signal).next()).rejects.toBe(away)
})
