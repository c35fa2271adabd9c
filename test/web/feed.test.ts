/** The change feed in two tabs of one browser. The feed is a double. */
import { afterEach, expect, test, vi } from 'vitest'
import type { Feed } from '#api-client/feed'
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
  return async function* ({ signal, after } = {}) {
    begun.push(after)
    yield { type: 'change', position, kind: 'project.changed', ids: {} }
    await new Promise((ended) => signal?.addEventListener('abort', ended))
  }
}

test('one tab reads for all, and the next goes on behind it', async () => {
  vi.stubGlobal('navigator', { locks: locks() })
  const begun: (number | undefined)[] = []
  const [first, second] = [vi.fn<() => void>(), vi.fn<() => void>()]
  const endFirst = followFeed(feedAt(7, begun), 'a test', first)
  const endSecond = followFeed(feedAt(8, begun), 'a test', second)
  await vi.waitFor(() => expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 1]))
  expect(begun).toEqual([undefined])
  endFirst()
  await vi.waitFor(() => expect(second).toHaveBeenCalledTimes(2))
  expect(begun).toEqual([undefined, 7])
  endSecond()
})
