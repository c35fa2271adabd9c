/**
 * Does together what is asked at the same time: whoever comes while a batch is under way is in the next one. So a single call waits
 * for nobody, and a thousand cost little more than one.
 */

interface PendingRequest<Item, Result> {
  readonly item: Item
  done(result: Result): void
  failed(error: unknown): void
}

export interface CoalescerOptions<Item> {
  /** Items of one batch. Default 200. */
  readonly max?: number
  /** Batches under way at once. Default 2. */
  readonly concurrency?: number
  /** No two items of one key are in one batch. Default: any may be. */
  readonly keyOf?: (item: Item) => string
}

export class RequestCoalescer<Item, Result> {
  readonly #perform: (items: readonly Item[]) => Promise<readonly Result[]>
  readonly #options: Required<Omit<CoalescerOptions<Item>, 'keyOf'>> & Pick<CoalescerOptions<Item>, 'keyOf'>
  #waiting: PendingRequest<Item, Result>[] = []
  #underWay = 0

  /** @param perform answers one result for each item, in their order; what it throws, all of them throw */
  constructor(
    perform: (items: readonly Item[]) => Promise<readonly Result[]>,
    { max = 200, concurrency = 2, ...more }: CoalescerOptions<Item> = {},
  ) {
    this.#perform = perform
    this.#options = { max, concurrency, ...more }
  }

  add(item: Item): Promise<Result> {
    return new Promise((done, failed) => {
      this.#waiting.push({ item, done, failed })
      this.#next()
    })
  }

  #next(): void {
    if (this.#underWay === this.#options.concurrency || this.#waiting.length === 0) return
    const batch = this.#taken()
    this.#underWay += 1
    void this.#run(batch).finally(() => {
      this.#underWay -= 1
      this.#next()
    })
  }

  #taken(): readonly PendingRequest<Item, Result>[] {
    const { max, keyOf } = this.#options
    const keys = new Set<string>()
    const isNext = ({ item }: PendingRequest<Item, Result>): boolean => {
      if (!keyOf) return true
      const key = keyOf(item)
      if (keys.has(key)) return false
      keys.add(key)
      return true
    }
    const candidates = this.#waiting.slice(0, max)
    const batch = candidates.filter(isNext)
    const taken = new Set(batch)
    this.#waiting = [...candidates.filter((each) => !taken.has(each)), ...this.#waiting.slice(max)]
    return batch
  }

  async #run(batch: readonly PendingRequest<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#perform(batch.map(({ item }) => item))
      batch.forEach(({ done }, nth) => done(results[nth]!))
    } catch (error) {
      for (const { failed } of batch) failed(error)
    }
  }
}
