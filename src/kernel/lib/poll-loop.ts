/** Repeats work when it is woken, and at a fixed interval; after a failure, within a second. */
import { WakeUp } from './wake-up.ts'

const RETRY_MS = 1_000

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
  const wakeUp = new WakeUp()
  let isStopped = false
  let isFailing = false
  const isStopping = () => isStopped

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
    while (!isStopped) {
      wakeUp.reset()
      await once()
      if (!isStopped) await wakeUp.rest(isFailing ? Math.min(everyMs, RETRY_MS) : everyMs)
    }
  }

  const ended = forever()
  return {
    wake: () => wakeUp.call(),
    async stop() {
      isStopped = true
      wakeUp.call()
      await ended
    },
  }
}
