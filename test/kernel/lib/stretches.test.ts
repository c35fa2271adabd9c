import { expect, test } from 'vitest'
import type { EventStore, Position, RecordedEvent } from '#kernel/events/store-port'
import { Prefetcher } from '#kernel/projections/prefetcher'

const eventsFrom = (after: Position, count: number): RecordedEvent[] =>
  Array.from({ length: count }, (_, index) => ({ position: after + index + 1 }) as RecordedEvent)

/** A log without an end. `asked` is called each time that a reader requests events after a position. */
function endless(asked: (after: Position) => void): EventStore {
  return {
    readAll: async (after: Position, limit: number) => eventsFrom(after, limit),
    async *readBatches(after: Position, { batch = 100 } = {}) {
      for (let at = after; ; at += batch) {
        asked(at)
        await new Promise((resolve) => setTimeout(resolve, 1))
        yield eventsFrom(at, batch)
      }
    },
  } as Partial<EventStore> as EventStore
}

const isGapless = (events: readonly RecordedEvent[]): boolean =>
  events.every(({ position }, index) => position === events[0]!.position + index)

test('whoever a rival has carried to where the reading ahead is just now misses nothing', async () => {
  const found: Promise<readonly [Position, readonly RecordedEvent[]]>[] = []
  const meet = async (at: Position) => [at, (await stretches.eventsAfter(at)).events] as const
  let isReadingAhead = false
  const stretches = new Prefetcher(
    endless((at) => {
      if (isReadingAhead && found.length < 3) found.push(meet(at))
    }),
  )
  const { events: first } = await stretches.eventsAfter(0)
  isReadingAhead = true
  const { events: second, isAll } = await stretches.eventsAfter(first.at(-1)!.position)
  expect(isAll).toBe(false)
  expect([first, second].map(isGapless)).toEqual([true, true])
  expect(found.length).toBeGreaterThan(0)
  for (const [at, events] of await Promise.all(found)) {
    expect(events[0]!.position).toBe(at + 1)
    expect(isGapless(events)).toBe(true)
  }
})
