/**
 * Performs concurrent requests in batches: requests that are made in one turn of the event loop, or that arrive during a
 * batch, share the next one. Unless it is asked to, a single request waits for no timer, and a thousand cost little more than one.
 */

/** A request that waited so long for a batch that failed would wait as long again: it fails with it. */
const OVERDUE_MS = 1_000

interface PendingRequest<Item, Result> {
  readonly item: Item
  readonly sinceMs: number
  done(result: Result): void
  failed(error: unknown): void
}

export interface CoalescerOptions<Item> {
  /** Items per batch. Default 200. */
  readonly max?: number
  /** Batches that run at once. Default 2. */
  readonly concurrency?: number
  /** How long the first item of a batch waits for others, in ms. Default: to the end of its turn of the event loop. */
  readonly gatherMs?: number
  /** Two items with the same key never share a batch. Default: no such limit. */
  readonly keyOf?: (item: Item) => string
}

export class RequestCoalescer<Item, Result> {
  readonly #perform: (items: readonly Item[]) => Promise<readonly Result[]>
  readonly #options: CoalescerOptions<Item> & Required<Pick<CoalescerOptions<Item>, 'max' | 'concurrency'>>
  #waiting: PendingRequest<Item, Result>[] = []
  #underWay = 0
  #isNextDue = false

  /**
   * @param perform returns one result for each item, in order;
   * if it throws, every item of the batch, and each that has long waited for it, fails with that error
   */
  constructor(
    perform: (items: readonly Item[]) => Promise<readonly Result[]>,
    { max = 200, concurrency = 2, ...more }: CoalescerOptions<Item> = {},
  ) {
    this.#perform = perform
    this.#options = { max, concurrency, ...more }
  }

  add(item: Item): Promise<Result> {
    return new Promise((done, failed) => {
      this.#waiting.push({ item, sinceMs: performance.now(), done, failed })
      this.#nextSoon()
    })
  }

  /**
   * At the end of this turn of the event loop, in which all connections are read that have data. A microtask would run
   * after the first of them, and each burst of requests would begin with batches of one.
   */
  #nextSoon(): void {
    if (this.#isNextDue) return
    this.#isNextDue = true
    const begin = (): void => {
      this.#isNextDue = false
      this.#next()
    }
    if (this.#options.gatherMs === undefined) setImmediate(begin)
    else setTimeout(begin, this.#options.gatherMs)
  }

  #next(): void {
    while (this.#underWay < this.#options.concurrency && this.#waiting.length > 0) {
      this.#underWay += 1
      void this.#run(this.#taken()).finally(() => {
        this.#underWay -= 1
        this.#next()
      })
    }
  }

  /** In their order. One key that waits many times holds up no other. */
  #taken(): readonly PendingRequest<Item, Result>[] {
    const { max, keyOf } = this.#options
    const keys = new Set<string>()
    const isNext = ({ item }: PendingRequest<Item, Result>): boolean => {
      if (!keyOf) return true
      const key = keyOf(item)
      return !keys.has(key) && keys.add(key).has(key)
    }
    const batch: PendingRequest<Item, Result>[] = []
    const left: PendingRequest<Item, Result>[] = []
    for (const each of this.#waiting) (batch.length < max && isNext(each) ? batch : left).push(each)
    this.#waiting = left
    return batch
  }

  async #run(batch: readonly PendingRequest<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#perform(batch.map(({ item }) => item))
      batch.forEach(({ done }, nth) => done(results[nth]!))
    } catch (error) {
      for (const { failed } of [...batch, ...this.#takenOverdue()]) failed(error)
    }
  }

  #takenOverdue(): readonly PendingRequest<Item, Result>[] {
    const latestMs = performance.now() - OVERDUE_MS
    const { overdue = [], others = [] } = Object.groupBy(this.#waiting, ({ sinceMs }) =>
      sinceMs < latestMs ? 'overdue' : 'others',
    )
    this.#waiting = others
    return overdue
  }
}
