/**
 * Runs units of one process that begin with the same stream one after another, so that only other
 * processes cause retries.
 */
import { reject } from '../lib/rejection.ts'

/** A request may take at most 10 s, however long the queue is. */
const WAIT_MAX_MS = 9_000

type Outage = Error | undefined

export class StreamQueue {
  readonly #last = new Map<string, Promise<Outage>>()

  /**
   * Waits for the turn and returns a function that ends it. A turn that ends with an outage ends all turns behind it:
   * otherwise each of them would wait for the same outage, one after another.
   * @throws the outage of the previous turn · Rejection 503 CONTENTION after 9 s
   */
  async acquire(name: string): Promise<(outage?: Error) => void> {
    const before = this.#last.get(name)
    const { promise: mine, resolve } = Promise.withResolvers<Outage>()
    this.#last.set(name, mine)
    const end = (outage?: Error) => {
      if (this.#last.get(name) === mine) this.#last.delete(name)
      resolve(outage)
    }
    if (!before) return end
    if (!(await isInTime(before))) {
      // The next unit in the queue keeps waiting for the previous turn.
      void before.then(end)
      reject('unavailable', 'Too many changes at once; try again', 'CONTENTION', { 'Retry-After': '1' })
    }
    const outage = await before
    if (!outage) return end
    end(outage)
    throw outage
  }
}

function isInTime(turn: Promise<Outage>): Promise<boolean> {
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve(false), WAIT_MAX_MS)
    void turn.then(() => resolve(true)).finally(() => clearTimeout(late))
  })
}
