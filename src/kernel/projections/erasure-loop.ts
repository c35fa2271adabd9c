/**
 * Destroys the keys of erased subjects. The command that records an erasure destroys the key; if its process dies, this
 * loop does it in another process. The loop also makes every process drop what it has opened with a destroyed key.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { EventStore } from '../events/store-port.ts'
import { startPollLoop } from '../lib/poll-loop.ts'
import type { PollLoop } from '../lib/poll-loop.ts'
import { ERASURE_DELAY_MS_MAX } from '../vault/vault.ts'
import type { Vault } from '../vault/vault.ts'

/** Without calls for erasures by other processes. */
const HEED_EVERY_MS = ERASURE_DELAY_MS_MAX / 2
/** The store calls after every erasure; this is only a safety net. */
const IDLE_MS = 10_000
/** The shortest pause between two checks, because appends are far more frequent than erasures. */
const HEED_PAUSE_MS = 20
const SETTLE_EVERY_MS = 5_000

export interface ErasureLoop {
  start(): void
  stop(): Promise<void>
  /** Destroys the keys of all subjects that have an erasure event. */
  destroyPendingKeys(): Promise<void>
}

export interface ErasureLoopDependencies {
  readonly vault: Pick<Vault, 'erase' | 'applyErasures'>
  readonly onAppended: EventStore['onAppended']
  /** Whether `onAppended` also calls after an erasure by any process; without it, the loop polls. */
  readonly isCalledForErasures: boolean
  /** Returns some of the subjects that have an erasure event and still have a key; [] when none is left. */
  readonly pendingSubjects: () => Promise<readonly string[]>
  readonly onError?: (error: unknown) => void
}

export function erasureLoop({
  vault,
  onAppended,
  isCalledForErasures,
  pendingSubjects,
  onError = () => {},
}: ErasureLoopDependencies): ErasureLoop {
  const stopped = new AbortController()
  let loops: PollLoop[] = []
  let forget = () => {}

  async function settle(): Promise<void> {
    for (let subjects = await pendingSubjects(); subjects.length > 0; subjects = await pendingSubjects())
      await vault.erase(subjects)
  }

  async function heed(): Promise<void> {
    await vault.applyErasures(0)
    await sleep(HEED_PAUSE_MS, undefined, { ref: false, signal: stopped.signal }).catch(() => {})
  }

  return {
    destroyPendingKeys: settle,
    start() {
      const heeding = startPollLoop(heed, isCalledForErasures ? IDLE_MS : HEED_EVERY_MS, onError)
      forget = onAppended(() => heeding.wake())
      loops = [heeding, startPollLoop(settle, SETTLE_EVERY_MS, onError)]
    },
    async stop() {
      stopped.abort()
      forget()
      await Promise.all(loops.map((each) => each.stop()))
    },
  }
}
