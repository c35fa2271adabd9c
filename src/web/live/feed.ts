/** Reads the change feed in one tab of a browser, and tells the others that something has changed. */
import type { Feed } from '#api-client/feed'

/** Changes that come together are told once. */
const COLLECT_MS = 100

/**
 * @param changed told at most every 100 ms
 * @returns ends it
 */
export function followFeed(feed: Feed, name: string, changed: () => void): () => void {
  const ending = new AbortController()
  const { signal } = ending
  const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(`daybook-feed-${name}`) : undefined
  /** Another tab that goes on reading begins behind what was read. */
  let last: number | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const collected = (position: number): void => {
    last = position
    timer ??= setTimeout(() => {
      timer = undefined
      changed()
    }, COLLECT_MS)
  }
  channel?.addEventListener('message', (event: Event) => collected((event as MessageEvent).data as number))
  const read = async (): Promise<void> => {
    for await (const { position } of feed({ signal, ...(last !== undefined && { after: last }) })) {
      channel?.postMessage(position)
      collected(position)
    }
  }
  const reading = 'locks' in navigator ? navigator.locks.request(`daybook-feed-${name}`, { signal }, read) : read()
  // A feed that is refused ends with the session; a lost one comes back by itself.
  reading.catch(() => {})
  return () => {
    ending.abort()
    clearTimeout(timer)
    channel?.close()
  }
}
