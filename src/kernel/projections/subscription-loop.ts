/** Catches up after every append; while a read model fails, once a second. */
import type { EventStore } from '../events/store-port.ts'
import { WakeUp } from '../lib/wake-up.ts'
import type { CatchUp } from './catch-up.ts'
import type { LeaderLock } from './leader-lock.ts'

const RETRY_MS = 1_000
/** The store calls after every append. This is for the leader lock, and for checkpoints that a command has moved. */
const IDLE_MS = 10_000

export interface SubscriptionLoopDependencies {
  readonly store: EventStore
  readonly catchUp: CatchUp
  readonly leaderLock: LeaderLock
  readonly onError?: ((error: unknown, models: readonly string[]) => void) | undefined
}

export class SubscriptionLoop {
  readonly #parts: SubscriptionLoopDependencies
  readonly #wakeUp = new WakeUp()
  #running: Promise<void> | undefined
  #isFailing = false

  constructor(parts: SubscriptionLoopDependencies) {
    this.#parts = parts
  }

  get isRunning(): boolean {
    return this.#running !== undefined
  }

  wake(): void {
    this.#wakeUp.call()
  }

  /** As `wake`, but not while a read model fails: requests that wait for it would repeat the failure without a pause. */
  wakeUnlessFailing(): void {
    if (!this.#isFailing) this.wake()
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
    const { catchUp } = this.#parts
    while (!catchUp.isStopping) {
      this.#wakeUp.reset()
      this.#isFailing = !(await this.#once())
      if (!catchUp.isStopping) await this.#wakeUp.rest(this.#isFailing ? RETRY_MS : IDLE_MS)
    }
  }

  /** @returns false when a read model, or the database, fails */
  async #once(): Promise<boolean> {
    const { catchUp, leaderLock, onError } = this.#parts
    try {
      if (await leaderLock.tryAcquire()) return await catchUp.follow()
      return await catchUp.watchLeader(() => leaderLock.tryAcquire())
    } catch (error) {
      onError?.(error, [])
      return false
    }
  }
}
