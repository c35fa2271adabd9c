/** The change feed in two tabs of one browser. The feed is a double. */
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import type { Feed, FeedEvent } from '#api-client/feed'
import { followFeed } from '../../src/web/live/feed.ts'

afterEach(() => vi.unstubAllGlobals())

/** A lock that one tab holds at a time, as `navigator.locks` of a browser. */
function locks() {
  let held: Promise<unknown> = Promise.resolve()
  return {
    request: (_name: string, _options: object, work: () => Promise<void>) =>
      (held = held.then(work).catch(() => undefined)),
  }
}

/** Yields one change at each start, and then waits for its end. */
function feedAt(position: number, begun: (number | undefined)[]): Feed {
  return async function* ({ signal, after, onOpen } = {}) {
    begun.push(after)
    onOpen?.()
    yield { type: 'change', position, kind: 'project.changed', ids: {} }
    await new Promise((ended) => signal?.addEventListener('abort', ended))
  }
}

/** Follows as one tab of the browser. */
function tab(feed: Feed, name: string) {
  const told: (readonly FeedEvent[])[] = []
  const [begun, interrupted] = [vi.fn<() => void>(), vi.fn<() => void>()]
  const changed = async (events: readonly FeedEvent[]): Promise<void> => void told.push(events)
  return { told, begun, interrupted, end: followFeed(feed, name, { changed, begun, interrupted }) }
}

test('one tab reads for all and tells what it read, and the next goes on behind it', async () => {
  vi.stubGlobal('navigator', { locks: locks() })
  const begun: (number | undefined)[] = []
  const [first, second] = [tab(feedAt(7, begun), 'a test'), tab(feedAt(8, begun), 'a test')]
  await vi.waitFor(() => expect([first.told.length, second.told.length]).toEqual([1, 1]), { timeout: 10_000 })
  expect(second.told).toEqual(first.told)
  expect(second.told[0]).toMatchObject([{ position: 7, kind: 'project.changed' }])
  expect(begun).toEqual([undefined])
  first.end()
  await vi.waitFor(() => expect(second.told).toHaveLength(2), { timeout: 10_000 })
  expect(begun).toEqual([undefined, 7])
  expect([first.begun.mock.calls.length, second.begun.mock.calls.length], 'nothing was missed').toEqual([1, 0])
  second.end()
})

test('what comes while the last changes are read is told once, afterwards', async () => {
  vi.stubGlobal('navigator', {})
  let tell: ((event: FeedEvent) => void) | undefined
  const feed: Feed = async function* () {
    for (;;) yield await new Promise<FeedEvent>((resolve) => (tell = resolve))
  }
  const told: number[][] = []
  let read: (() => void) | undefined
  const changed = (events: readonly FeedEvent[]): Promise<void> => {
    told.push(events.map(({ position }) => position))
    return new Promise((resolve) => (read = resolve))
  }
  const end = followFeed(feed, 'another test', { changed, begun: () => {}, interrupted: () => {} })
  const happens = async (position: number): Promise<void> => {
    await vi.waitFor(() => expect(tell).toBeDefined(), { timeout: 10_000 })
    tell!({ type: 'change', position, kind: 'project.changed', ids: {} })
    await pause(10)
  }
  await happens(1)
  await happens(2)
  await vi.waitFor(() => expect(told).toEqual([[1, 2]]), { timeout: 10_000 })
  await happens(3)
  await happens(4)
  await pause(300)
  expect(told).toEqual([[1, 2]])
  read!()
  await vi.waitFor(
    () =>
      expect(told).toEqual([
        [1, 2],
        [3, 4],
      ]),
    { timeout: 10_000 },
  )
  end()
})

test('says that the feed was interrupted when it ends and when it is back, and not that it begins again', async () => {
  vi.stubGlobal('navigator', {})
  const feed: Feed = async function* ({ onOpen, onLost } = {}) {
    onOpen?.()
    onLost?.(undefined)
    onOpen?.()
    yield { type: 'change', position: 1, kind: 'project.changed', ids: {} }
  }
  const { told, begun, interrupted, end } = tab(feed, 'an interrupted test')
  await vi.waitFor(() => expect(told).toHaveLength(1), { timeout: 10_000 })
  expect([begun.mock.calls.length, interrupted.mock.calls.length]).toEqual([1, 2])
  end()
})
