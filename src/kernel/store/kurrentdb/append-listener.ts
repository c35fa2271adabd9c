/**
 * Learns of appends by any process through a subscription to all events. A subscription may end unnoticed, so readers
 * are also called once a second.
 */
import { END } from '@kurrent/kurrentdb-client'
import type { AllStreamSubscription } from '@kurrent/kurrentdb-client'
import { AppendSignal } from '../signal.ts'
import type { KurrentDbConnection } from './connection.ts'
import { EVENTS_ONLY } from './stream-names.ts'

const RETRY_MIN_MS = 100
const RETRY_MAX_MS = 5_000
const PULSE_MS = 1_000

export class KurrentDbAppendListener {
  readonly signal = new AppendSignal()
  readonly #connection: KurrentDbConnection
  #subscription: AllStreamSubscription | undefined
  #retry: NodeJS.Timeout | undefined
  #pulse: NodeJS.Timeout | undefined
  #retryMs = RETRY_MIN_MS
  #closed = false

  constructor(connection: KurrentDbConnection) {
    this.#connection = connection
  }

  /** Subscribes with the first listener. */
  listen(listener: () => void): () => void {
    if (!this.#subscription && !this.#retry) this.#subscribe()
    this.#pulse ??= setInterval(() => this.signal.notify(), PULSE_MS).unref()
    return this.signal.listen(listener)
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#retry)
    clearInterval(this.#pulse)
    this.signal.removeListeners()
    await this.#subscription?.unsubscribe().catch(() => {})
  }

  #subscribe(): void {
    const subscription = this.#connection.client.subscribeToAll({ fromPosition: END, filter: EVENTS_ONLY })
    this.#subscription = subscription
    subscription.on('confirmation', () => {
      this.#retryMs = RETRY_MIN_MS
      // Events may have been appended while there was no subscription.
      this.signal.notify()
    })
    subscription.on('data', () => this.signal.notify())
    subscription.on('error', () => this.#resubscribe(subscription))
    subscription.on('end', () => this.#resubscribe(subscription))
  }

  #resubscribe(ended: AllStreamSubscription): void {
    if (this.#closed || this.#subscription !== ended) return
    this.#subscription = undefined
    this.#retry = setTimeout(() => {
      this.#retry = undefined
      this.#subscribe()
    }, this.#retryMs)
    this.#retryMs = Math.min(this.#retryMs * 2, RETRY_MAX_MS)
  }
}
