/** Catches up after every append, and once a second, because a wake-up call can be lost. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { EventStore } from '../events/store-port.ts'
import type { CatchUp } from './catch-up.ts'
import type { LeaderLock } from './leader-lock.ts'

const POLL_MS = 1_000

export interface SubscriptionLoopDependencies {
  readonly store: EventStore
  readonly catchUp: CatchUp
  readonly leaderLock: LeaderLock
  readonly onError?: ((error: unknown, models: readonly string[]) => void) | undefined
}

export class SubscriptionLoop {
  readonly #parts: SubscriptionLoopDependencies
  #running: Promise<void> | undefined
  wake = () => {}

  constructor(parts: SubscriptionLoopDependencies) {
    this.#parts = parts
  }

  get isRunning(): boolean {
    return this.#running !== undefined
  }

  start(): void {
    const forget = this.#parts.store.onAppended(() => this.wake())
    this.#running = this.#forever().finally(forget)
  }

  async stop(): Promise<void> {
    this.#parts.catchUp.stop()
    this.wake()
    await this.#running
    this.#running = undefined
    await this.#parts.leaderLock.release()
  }

  async #forever(): Promise<void> {
    const { catchUp, onError } = this.#parts
    while (!catchUp.isStopping) {
      const woken = new Promise<void>((resolve) => (this.wake = resolve))
      await this.#once().catch((error: unknown) => onError?.(error, []))
      if (!catchUp.isStopping) await Promise.race([woken, sleep(POLL_MS, undefined, { ref: false })])
    }
  }

  async #once(): Promise<void> {
    const { catchUp, leaderLock } = this.#parts
    await ((await leaderLock.tryAcquire()) ? catchUp.follow() : catchUp.watchLeader(() => leaderLock.tryAcquire()))
  }
}
