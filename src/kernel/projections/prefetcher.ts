/**
 * Reads the log for `CatchUp`: new events with one query, a long backlog in chunks.
 * The next chunk is read during the current one.
 */
import type { EventStore, Position, RecordedEvent } from '../events/store-port.ts'

const BATCH_EVENTS = 2_000
/** Events per chunk: a row that they change often is written once. A chunk takes tens of megabytes and about 100 ms. */
const STRETCH_EVENTS = 10_000

type Events = readonly RecordedEvent[]

export interface NextEvents {
  /** [] when there is nothing after the position. */
  readonly events: Events
  /** Whether these were all events when the caller asked. */
  readonly isAll: boolean
}

interface Reader {
  at: Position
  readonly batches: AsyncIterator<Events>
}

export class Prefetcher {
  readonly #store: EventStore
  /** The next chunk, which is read while the current one is applied. */
  #ahead: { readonly from: Position; readonly events: Promise<Events> } | undefined
  #reader: Reader | undefined

  constructor(store: EventStore) {
    this.#store = store
  }

  async eventsAfter(from: Position): Promise<NextEvents> {
    const ahead = this.#ahead?.from === from ? await this.#ahead.events : []
    this.#ahead = undefined
    // An empty prefetched chunk may be out of date, so it is read again.
    const events = ahead.length > 0 ? ahead : await this.#read(from)
    if (this.#reader) {
      const next = this.#reader.at
      this.#ahead = { from: next, events: this.#read(next).catch(() => []) }
    }
    return { events, isAll: events !== ahead && events.length < BATCH_EVENTS }
  }

  async #read(from: Position): Promise<Events> {
    // The reader is removed while it is in use: two callers that share it would each miss the other's events.
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
