/** Repeats work when it is woken, and at a fixed interval, because a wake-up call can be lost. */
import { setTimeout as sleep } from 'node:timers/promises'

export interface PollLoop {
  wake(): void
  /** Resolves when the current run has ended. */
  stop(): Promise<void>
}

/** `onError` is called for the first of successive failures only. */
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
      // Made before the work starts, so that a wake-up call during the work is not missed.
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
