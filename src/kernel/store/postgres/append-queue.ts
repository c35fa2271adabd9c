/** A bounded queue of appends that wait for the next batch, in order. */
import { reject } from '../../lib/rejection.ts'
import type { EncodedAppend, EncodedPart } from './append-call.ts'

export const WAITING_APPENDS_MAX = 8_192
export const WAITING_BYTES_MAX = 32 * 2 ** 20
const BATCH_EVENTS_MAX = 1_024
const BATCH_BYTES_MAX = 4 * 2 ** 20

interface QueuedAppend {
  readonly append: EncodedAppend
}

const isWritten = ({ events }: EncodedPart): boolean => events > 0

export class AppendQueue<Guest extends QueuedAppend> {
  #waiting: Guest[] = []
  #bytes = 0

  get size(): number {
    return this.#waiting.length
  }

  /** @throws Rejection 503 STORE_BUSY when the queue is full; nothing of the append was sent */
  add(guest: Guest): void {
    const isFull = this.#waiting.length >= WAITING_APPENDS_MAX || this.#bytes + guest.append.bytes > WAITING_BYTES_MAX
    if (isFull && this.#waiting.length > 0)
      reject('unavailable', 'The event store is overloaded; try again later', 'STORE_BUSY', { 'Retry-After': '1' })
    this.#waiting.push(guest)
    this.#bytes += guest.append.bytes
  }

  /**
   * Takes the next batch, the longest waiting appends first: at most `most` appends, 1,024 events and 4 MB (a single
   * append may be larger). An append that touches a stream after a writer of that stream waits for a later batch;
   * appends that only guard a stream share a batch. Appends for the same stream keep their order.
   */
  takeBatch(most: number): Guest[] {
    const [batch, staying]: [Guest[], Guest[]] = [[], []]
    const [written, guarded] = [new Set<string>(), new Set<string>()]
    let [next, events, bytes] = [0, 0, 0]
    for (; next < this.#waiting.length && batch.length < most; next += 1) {
      const { append } = this.#waiting[next]!
      if (batch.length > 0 && (events + append.events > BATCH_EVENTS_MAX || bytes + append.bytes > BATCH_BYTES_MAX))
        break
      const isFree = append.parts.every(
        (part) => !written.has(part.stream) && !(isWritten(part) && guarded.has(part.stream)),
      )
      for (const part of append.parts)
        if (isWritten(part)) written.add(part.stream)
        else if (!isFree) guarded.add(part.stream)
      ;(isFree ? batch : staying).push(this.#waiting[next]!)
      if (isFree) [events, bytes] = [events + append.events, bytes + append.bytes]
    }
    this.#waiting = staying.length > 0 ? staying.concat(this.#waiting.slice(next)) : this.#waiting.slice(next)
    this.#bytes -= bytes
    return batch
  }

  /** Removes the late appends, which were not sent. */
  remove(isLate: (guest: Guest) => boolean): Guest[] {
    const late = this.#waiting.filter(isLate)
    if (late.length > 0) this.#waiting = this.#waiting.filter((guest) => !late.includes(guest))
    for (const { append } of late) this.#bytes -= append.bytes
    return late
  }
}
