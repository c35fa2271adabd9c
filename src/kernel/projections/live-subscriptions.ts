/** Streams new events to many readers, from any process's appends. Readers at the same position share one read. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { EventStore, Position, RecordedEvent } from '../events/store-port.ts'
import { AppendSignal } from '../store/signal.ts'

/** A batch is authorized and written as a whole, so this limits the memory for each reader. */
const BATCH_EVENTS = 200

type Events = readonly RecordedEvent[]

export interface LiveSubscriptionsOptions {
  /**
   * Between two reads, so that a busy log is not read once for each event and reader; 0 for a reader that others wait
   * for. Default 50.
   */
  readonly pauseMs?: number
  /** A wake-up call can be lost; a poll at this interval finds the events. Default 500. */
  readonly pollMs?: number
}

export class LiveSubscriptions {
  readonly #store: Pick<EventStore, 'readAll' | 'onAppended'>
  readonly #pauseMs: number
  readonly #pollMs: number
  readonly #wake = new AppendSignal()
  readonly #reads = new Map<Position, Promise<Events>>()
  #followers = 0
  #stop = () => {}

  constructor(
    store: Pick<EventStore, 'readAll' | 'onAppended'>,
    { pauseMs = 50, pollMs = 500 }: LiveSubscriptionsOptions = {},
  ) {
    this.#store = store
    this.#pauseMs = pauseMs
    this.#pollMs = pollMs
  }

  /** Yields the events after `from` in batches until `ended`, and [] at each poll while there are none. */
  async *subscribe(from: Position, ended: AbortSignal): AsyncGenerator<Events> {
    let at = from
    let wake = () => {}
    const leave = this.#join(() => wake())
    const onEnd = () => wake()
    ended.addEventListener('abort', onEnd)
    try {
      while (!ended.aborted) {
        // Made before the read, so that an append during the read wakes the loop again.
        const woken = new Promise<void>((resolve) => (wake = resolve))
        const events = await this.#after(at)
        at = events.at(-1)?.position ?? at
        if (!ended.aborted) yield events
        if (events.length === 0 && !ended.aborted) await woken
        else if (events.length < BATCH_EVENTS) await sleep(this.#pauseMs, undefined, { signal: ended }).catch(() => {})
      }
    } finally {
      ended.removeEventListener('abort', onEnd)
      leave()
    }
  }

  /**
   * Shares a read within one turn of the event loop:
   * a read that began before a wake-up may miss the event that caused it.
   */
  #after(position: Position): Promise<Events> {
    const shared = this.#reads.get(position)
    if (shared) return shared
    const read = this.#store.readAll(position, BATCH_EVENTS)
    this.#reads.set(position, read)
    setImmediate(() => this.#reads.delete(position))
    return read
  }

  /** The first reader starts listening to the store, the last one stops it. */
  #join(listener: () => void): () => void {
    const forget = this.#wake.listen(listener)
    if (this.#followers === 0) this.#stop = this.#listen()
    this.#followers += 1
    return () => {
      forget()
      this.#followers -= 1
      if (this.#followers === 0) this.#stop()
    }
  }

  #listen(): () => void {
    const forget = this.#store.onAppended(() => this.#wake.notify())
    const poll = setInterval(() => this.#wake.notify(), this.#pollMs)
    poll.unref()
    return () => {
      forget()
      clearInterval(poll)
    }
  }
}
