/** Hears, by a subscription to everything new, that any process appended. A hint only: readers poll as well. */
import { END } from '@kurrent/kurrentdb-client'
import type { AllStreamSubscription } from '@kurrent/kurrentdb-client'
import { Signal } from '../signal.ts'
import type { Connection } from './connection.ts'
import { EVENTS_ONLY } from './stream-names.ts'

const RETRY_MIN_MS = 100
const RETRY_MAX_MS = 5_000

export class WakeUp {
  readonly signal = new Signal()
  readonly #connection: Connection
  #subscription: AllStreamSubscription | undefined
  #retry: NodeJS.Timeout | undefined
  #retryMs = RETRY_MIN_MS
  #closed = false

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Subscribes with the first listener. */
  listen(listener: () => void): () => void {
    if (!this.#subscription && !this.#retry) this.#subscribe()
    return this.signal.listen(listener)
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#retry)
    this.signal.forget()
    await this.#subscription?.unsubscribe().catch(() => {})
  }

  #subscribe(): void {
    const subscription = this.#connection.client.subscribeToAll({ fromPosition: END, filter: EVENTS_ONLY })
    this.#subscription = subscription
    subscription.on('confirmation', () => {
      this.#retryMs = RETRY_MIN_MS
      // What was appended while nobody listened was not heard.
      this.signal.give()
    })
    subscription.on('data', () => this.signal.give())
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
