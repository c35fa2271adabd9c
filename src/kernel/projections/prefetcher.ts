/** The log as a follower reads it: what is new in one go, and a long way in stretches, the next of them read while one is applied. */
import type { EventStore, Position, RecordedEvent } from '../events/store-port.ts'

const BATCH_EVENTS = 2_000
/** Of so many events a row that changes often is written once; they are some tens of megabytes, and a transaction of some 100 ms. */
const STRETCH_EVENTS = 10_000

type Events = readonly RecordedEvent[]

interface Reader {
  at: Position
  readonly batches: AsyncIterator<Events>
}

export class Prefetcher {
  readonly #store: EventStore
  /** On its way while the stretch before is applied. */
  #ahead: { readonly from: Position; readonly events: Promise<Events> } | undefined
  #reader: Reader | undefined

  constructor(store: EventStore) {
    this.#store = store
  }

  /** [] when there is nothing after `from`. */
  async eventsAfter(from: Position): Promise<Events> {
    const ahead = this.#ahead?.from === from ? await this.#ahead.events : []
    this.#ahead = undefined
    // Nothing was there when it was asked for; by now there may be something.
    const events = ahead.length > 0 ? ahead : await this.#read(from)
    if (this.#reader) {
      const next = this.#reader.at
      this.#ahead = { from: next, events: this.#read(next).catch(() => []) }
    }
    return events
  }

  async #read(from: Position): Promise<Events> {
    // Taken while it is read from: of two that share a reader, each would miss what the other gets.
    const known = this.#reader?.at === from ? this.#reader : undefined
    this.#reader = undefined
    if (known) return this.#filled([], known)
    const events = await this.#store.readAll(from, BATCH_EVENTS)
    if (events.length < BATCH_EVENTS) return events
    const at = events.at(-1)!.position
    const batches = this.#store.readBatches(at, { batch: BATCH_EVENTS })[Symbol.asyncIterator]()
    return this.#filled([...events], { at, batches })
  }

  async #filled(events: RecordedEvent[], reader: Reader): Promise<Events> {
    while (events.length < STRETCH_EVENTS) {
      const { value, done } = await reader.batches.next()
      if (done) return events
      events.push(...value)
      reader.at = value.at(-1)!.position
    }
    this.#reader = reader
    return events
  }
}
