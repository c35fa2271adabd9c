/** The end of the log for many readers at once, in whichever process it grows: those who are equally far read it once. */
import { setTimeout as sleep } from 'node:timers/promises'
import { AppendSignal } from '../store/signal.ts'
import type { EventStore, Position, RecordedEvent } from '../events/store-port.ts'

/** A call to wake up can be lost: so late it is noticed that something was appended. */
const POLL_MS = 500
/** What is appended shortly after something else is told with it, so that a busy log is not looked at once an event and reader. */
const PAUSE_MS = 50
/** Judged and written together, so it bounds what is held for a reader. */
const BATCH_EVENTS = 200

type Events = readonly RecordedEvent[]

export class LiveSubscriptions {
  readonly #store: Pick<EventStore, 'readAll' | 'onAppended'>
  readonly #wake = new AppendSignal()
  readonly #reads = new Map<Position, Promise<Events>>()
  #followers = 0
  #stop = () => {}

  constructor(store: Pick<EventStore, 'readAll' | 'onAppended'>) {
    this.#store = store
  }

  /** What comes after `from`, in batches, until `ended`; [] whenever it was looked and there was nothing, twice a second at least. */
  async *subscribe(from: Position, ended: AbortSignal): AsyncGenerator<Events> {
    let at = from
    let wake = () => {}
    const leave = this.#join(() => wake())
    const onEnd = () => wake()
    ended.addEventListener('abort', onEnd)
    try {
      while (!ended.aborted) {
        // Before it is read: what is appended in between wakes it again.
        const woken = new Promise<void>((resolve) => (wake = resolve))
        const events = await this.#after(at)
        at = events.at(-1)?.position ?? at
        if (!ended.aborted) yield events
        if (events.length === 0 && !ended.aborted) await woken
        else if (events.length < BATCH_EVENTS) await sleep(PAUSE_MS, undefined, { signal: ended }).catch(() => {})
      }
    } finally {
      ended.removeEventListener('abort', onEnd)
      leave()
    }
  }

  /** Shared by who asks in the same turn of the event loop: a read that began before somebody was woken may not hold what woke him. */
  #after(position: Position): Promise<Events> {
    const shared = this.#reads.get(position)
    if (shared) return shared
    const read = this.#store.readAll(position, BATCH_EVENTS)
    this.#reads.set(position, read)
    setImmediate(() => this.#reads.delete(position))
    return read
  }

  /** The first to follow makes it listen, the last stops it. */
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
    const poll = setInterval(() => this.#wake.notify(), POLL_MS)
    poll.unref()
    return () => {
      forget()
      clearInterval(poll)
    }
  }
}
