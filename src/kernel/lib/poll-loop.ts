/** Something done again and again: whenever it is woken, and after a while all the same, since a call to wake up can be lost. */
import { setTimeout as sleep } from 'node:timers/promises'

export interface PollLoop {
  wake(): void
  /** Resolves when what is under way has ended. */
  stop(): Promise<void>
}

/** What it throws is told once, not at every try. */
export function startPollLoop(
  work: (isStopping: () => boolean) => Promise<unknown>,
  everyMs: number,
  onError: (error: unknown) => void,
): PollLoop {
  const stopped = new AbortController()
  const isStopping = () => stopped.signal.aborted
  let wake = () => {}
  let isFailing = false

  async function once(): Promise<void> {
    try {
      await work(isStopping)
      isFailing = false
    } catch (error) {
      if (!isFailing) onError(error)
      isFailing = true
    }
  }

  async function forever(): Promise<void> {
    while (!isStopping()) {
      // Listens before it works: what comes meanwhile is not missed.
      const woken = new Promise<void>((resolve) => (wake = resolve))
      await once()
      const pause = sleep(everyMs, undefined, { ref: false, signal: stopped.signal }).catch(() => {})
      await Promise.race([woken, pause])
    }
  }

  const ended = forever()
  return {
    wake: () => wake(),
    async stop() {
      stopped.abort()
      await ended
    },
  }
}
