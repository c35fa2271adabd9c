/** Signs checkpoints while a service runs: the more there are, the shorter the stretch that a forger's traces lie in. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Position } from '../events/store-port.ts'

const CHECKPOINT_EVENTS = 1_000
/** A quiet installation's newest events are attested within the hour. */
const CHECKPOINT_MS = 3_600_000
const LOOK_MS = 10_000

export interface CheckpointSignerDependencies {
  readonly head: () => Promise<Position>
  /** @param signal a long log is verified before its first signature, and the end of a process cannot wait for that. @returns where the newest checkpoint stands */
  readonly makeCheckpoint: (signal: AbortSignal) => Promise<Position>
  readonly onError: (error: unknown) => void
  readonly pollMs?: number
  readonly everyEvents?: number
  readonly everyMs?: number
}

/** Looks every 10 s, signs every 1,000 events, and once an hour when there is anything new. @returns the way to stop */
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
    // A log that has become shorter is for `make` to judge.
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
