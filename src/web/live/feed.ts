/** Reads the change feed in one tab of a browser, and tells the others what has changed. */
import type { Feed, FeedEvent } from '#api-client/feed'

/** Changes that come together are told together. */
const COLLECT_MS = 100

export interface FeedFollower {
  /** Told at most every 100 ms, and not before what was told last has been read. */
  readonly changed: (events: readonly FeedEvent[]) => Promise<void>
  /** The feed begins now: what was read before may have changed unheard. */
  readonly begun: () => void
  /** The feed has ended, or begins again after that: the rights of the account may have changed. */
  readonly interrupted: () => void
}

/** @returns ends it */
export function followFeed(feed: Feed, name: string, { changed, begun, interrupted }: FeedFollower): () => void {
  const ending = new AbortController()
  const { signal } = ending
  const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(`daybook-feed-${name}`) : undefined
  /** Another tab that goes on reading begins behind what was read. */
  let last: number | undefined
  let collected: FeedEvent[] = []
  let isTelling = false
  const tell = async (): Promise<void> => {
    isTelling = true
    while (collected.length > 0 && !signal.aborted) {
      await pause(COLLECT_MS)
      const events = collected
      collected = []
      if (!signal.aborted) await changed(events).catch(() => {})
    }
    isTelling = false
  }
  const collect = (event: FeedEvent): void => {
    last = event.position
    collected.push(event)
    if (!isTelling) void tell()
  }
  channel?.addEventListener('message', (event: Event) => collect((event as MessageEvent).data as FeedEvent))
  const read = async (): Promise<void> => {
    let isOpened = false
    const onOpen = (): void => {
      if (isOpened) interrupted()
      else if (last === undefined) begun()
      isOpened = true
    }
    for await (const event of feed({
      signal,
      onOpen,
      onLost: interrupted,
      ...(last !== undefined && { after: last }),
    })) {
      channel?.postMessage(event)
      collect(event)
    }
  }
  const reading = 'locks' in navigator ? navigator.locks.request(`daybook-feed-${name}`, { signal }, read) : read()
  // A feed that is refused ends with the session; a lost one comes back by itself.
  reading.catch(() => {})
  return () => {
    ending.abort()
    channel?.close()
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
