/** Within one process, units that begin with the same stream take turns, so that only other processes can make them start again. */
import { reject } from '../lib/rejection.ts'

/** No request may hang longer than 10 s, however many are before it. */
const WAIT_MAX_MS = 9_000

type Outage = Error | undefined

export class StreamQueue {
  readonly #last = new Map<string, Promise<Outage>>()

  /**
   * Waits for the turn and answers how to end it. A turn ended with an outage ends all that wait behind it: each of them would
   * only wait for the same outage again, one after another.
   * @throws the outage that the turn before was ended with · Rejection 503 CONTENTION after 9 s
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
      // Whoever waits behind goes on waiting for the one before.
      void before.then(end)
      reject('unavailable', 'Too many changes at once, try again', 'CONTENTION', { 'Retry-After': '1' })
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
