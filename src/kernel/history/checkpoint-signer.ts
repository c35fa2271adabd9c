/** Signs checkpoints while the service runs. More checkpoints narrow the range of events that may have been forged. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Position } from '../events/store-port.ts'

const CHECKPOINT_EVENTS = 1_000
/** The newest events of an installation with few events are covered by a checkpoint within one hour. */
const CHECKPOINT_MS = 3_600_000
const LOOK_MS = 10_000

export interface CheckpointSignerDependencies {
  readonly head: () => Promise<Position>
  /**
   * @param signal aborts the verification before the first signature, which may take long when the process ends
   * @returns the position of the newest checkpoint
   */
  readonly makeCheckpoint: (signal: AbortSignal) => Promise<Position>
  readonly onError: (error: unknown) => void
  readonly pollMs?: number
  readonly everyEvents?: number
  readonly everyMs?: number
}

/**
 * Checks every 10 s; signs every 1,000 events, and once an hour if there are new events.
 * @returns a function that stops it
 */
export function startCheckpointSigner({
  head,
  makeCheckpoint,
  onError,
  pollMs = LOOK_MS,
  everyEvents = CHECKPOINT_EVENTS,
  everyMs = CHECKPOINT_MS,
}: CheckpointSignerDependencies): () => Promise<void> {
  const stopped = new AbortController()
  let at: Position | undefined
  let since = performance.now()

  async function look(): Promise<void> {
    const grown = (await head()) - (at ?? 0)
    // If the log has become shorter, `make` reports it.
    const isDue = grown < 0 || grown >= everyEvents || (grown > 0 && performance.now() - since >= everyMs)
    if (at !== undefined && !isDue) return
    at = await makeCheckpoint(stopped.signal)
    since = performance.now()
  }

  async function loop(): Promise<void> {
    while (!stopped.signal.aborted) {
      await sleep(pollMs, undefined, { signal: stopped.signal, ref: false }).catch(() => {})
      if (!stopped.signal.aborted) await look().catch((error) => stopped.signal.aborted || onError(error))
    }
  }

  const running = loop()
  return async () => {
    stopped.abort()
    await running
  }
}
