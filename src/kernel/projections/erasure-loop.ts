/**
 * Destroys the keys of erased subjects. The command that records an erasure destroys the key; if its process dies, this
 * loop does it in another process. The loop also makes every process drop what it has opened with a destroyed key.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { EventStore } from '../events/store-port.ts'
import { ERASURE_DELAY_MS_MAX } from '../vault/vault.ts'
import type { Vault } from '../vault/vault.ts'

const HEED_EVERY_MS = ERASURE_DELAY_MS_MAX / 2
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
  /** Returns some of the subjects that have an erasure event and still have a key; [] when none is left. */
  readonly pendingSubjects: () => Promise<readonly string[]>
  readonly onError?: (error: unknown) => void
}

export function erasureLoop({ vault, onAppended, pendingSubjects, onError }: ErasureLoopDependencies): ErasureLoop {
  const stopped = new AbortController()
  let wake = () => {}
  let woken = Promise.resolve()
  let loops: Promise<unknown> | undefined

  async function settle(): Promise<void> {
    for (let subjects = await pendingSubjects(); subjects.length > 0; subjects = await pendingSubjects())
      await vault.erase(subjects)
  }

  const pause = (ms: number): Promise<unknown> =>
    sleep(ms, undefined, { ref: false, signal: stopped.signal }).catch(() => {})

  /** Reports an outage once, not at every attempt. */
  async function forever(work: () => Promise<void>, rest: () => Promise<unknown>): Promise<void> {
    let isFailing = false
    while (!stopped.signal.aborted) {
      try {
        await work()
        isFailing = false
      } catch (error) {
        if (!isFailing) onError?.(error)
        isFailing = true
      }
      await rest()
    }
  }

  function nextWake(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, HEED_EVERY_MS).unref()
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** Listens before it queries, so that an erasure during the query causes another one. */
  async function heed(): Promise<void> {
    woken = nextWake()
    await vault.applyErasures(0)
  }

  async function untilWoken(): Promise<void> {
    await pause(HEED_PAUSE_MS)
    await woken
  }

  return {
    destroyPendingKeys: settle,
    start() {
      const forget = onAppended(() => wake())
      stopped.signal.addEventListener('abort', () => wake())
      loops = Promise.all([forever(heed, untilWoken), forever(settle, () => pause(SETTLE_EVERY_MS))]).finally(forget)
    },
    async stop() {
      stopped.abort()
      await loops
    },
  }
}
