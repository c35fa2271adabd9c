/** The log as a follower reads it: what is new in one go, and a long way in stretches, the next of them read while one is applied. */
import type { EventStore, Position, RecordedEvent } from './store/port.ts'

const BATCH_EVENTS = 2_000
/** Of so many events a row that changes often is written once; they are some tens of megabytes, and a transaction of some 100 ms. */
const STRETCH_EVENTS = 10_000

type Events = readonly RecordedEvent[]

interface Reader {
  at: Position
  readonly batches: AsyncIterator<Events>
}

export class Stretches {
  readonly #store: EventStore
  /** On its way while the stretch before is applied. */
  #ahead: { readonly from: Position; readonly events: Promise<Events> } | undefined
  #reader: Reader | undefined

  constructor(store: EventStore) {
    this.#store = store
  }

  /** [] when there is nothing after `from`. */
  async after(from: Position): Promise<Events> {
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
    const events: RecordedEvent[] = []
    if (this.#reader?.at !== from) {
      this.#reader = undefined
      events.push(...(await this.#store.readAll(from, BATCH_EVENTS)))
      if (events.length < BATCH_EVENTS) return events
      const at = events.at(-1)!.position
      this.#reader = { at, batches: this.#store.read(at, { batch: BATCH_EVENTS })[Symbol.asyncIterator]() }
    }
    await this.#fill(this.#reader, events)
    return events
  }

  async #fill(reader: Reader, events: RecordedEvent[]): Promise<void> {
    while (events.length < STRETCH_EVENTS) {
      const { value, done } = await reader.batches.next().catch((error: unknown) => {
        this.#reader = undefined
        throw error
      })
      if (done) return void (this.#reader = undefined)
      events.push(...value)
      reader.at = value.at(-1)!.position
    }
  }
}
