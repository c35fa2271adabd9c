/**
 * A bounded queue in which callers wait in shares. A share is a proved account or an address block;
 * wide blocks contain the shares of narrower ones. The shares of a block take turns. If the queue is
 * full, the newest entry of the largest share is rejected (longest queue drop, RFC 7567 section 4.4). A
 * flood therefore displaces only entries of its own block.
 */
import { addressBlocksOf } from './ip-address.ts'

/** The share in which a caller waits. */
export interface QueueShare {
  /** From the widest block to the narrowest. Paths of one kind have the same length. */
  readonly path: readonly string[]
  /**
   * Whether the caller has proved something about the account. Of equally large shares, another one is
   * rejected first.
   */
  readonly isKnown: boolean
}

/** Work of the host itself, for which no caller waits. It is one share among all others. */
export const HOST_SHARE: QueueShare = { path: ['host'], isKnown: false }

/** For a caller with a known device, a session, a link or the password of this account. */
export const accountShare = (accountId: string): QueueShare => ({ path: [`account ${accountId}`], isKnown: true })

export const addressShare = (address: string | undefined): QueueShare => ({
  path: addressBlocksOf(address)
    .map(({ name }) => name)
    .toReversed(),
  isKnown: false,
})

interface Waiter {
  /** @param mayEnter false: rejected because the queue is full */
  readonly end: (mayEnter: boolean) => void
}

interface ShareNode {
  /** The number of entries, including those of narrower blocks. */
  size: number
  readonly isKnown: boolean
  /** Narrower blocks, in the order of their turns. */
  readonly within: Map<string, ShareNode>
  /** In the order of arrival; only in the narrowest block. */
  readonly waiting: Waiter[]
}

const emptyShareNode = (isKnown: boolean): ShareNode => ({ size: 0, isKnown, within: new Map(), waiting: [] })

export class FairQueue {
  readonly #atOnceMax: number
  readonly #waitingMax: number
  readonly #all = emptyShareNode(false)
  #running = 0

  /** @param limits how many run concurrently, and how many more may wait */
  constructor(limits: { readonly atOnceMax: number; readonly waitingMax: number }) {
    this.#atOnceMax = limits.atOnceMax
    this.#waitingMax = limits.waitingMax
  }

  /**
   * Waits for the caller's turn; the caller then calls `leave` when done.
   * @returns false, at once or later, if the caller is rejected
   */
  async enter(place: QueueShare): Promise<boolean> {
    if (this.#running < this.#atOnceMax) {
      this.#running += 1
      return true
    }
    return new Promise((end) => {
      this.#add(place, { end })
      if (this.#all.size > this.#waitingMax) this.#newestOfTheLargest(place).end(false)
    })
  }

  /** Passes the turn to a waiting entry, so that a newcomer cannot overtake it. */
  leave(): void {
    if (this.#all.size === 0) this.#running -= 1
    else this.#next().end(true)
  }

  #add({ path, isKnown }: QueueShare, waiting: Waiter): void {
    let share = this.#all
    share.size += 1
    for (const name of path) {
      const narrower = share.within.get(name) ?? emptyShareNode(isKnown)
      share.within.set(name, narrower)
      narrower.size += 1
      share = narrower
    }
    share.waiting.push(waiting)
  }

  /** Takes the first entry of the share whose turn it is, and moves that share to the end. */
  #next(): Waiter {
    let share = this.#all
    share.size -= 1
    while (share.within.size > 0) {
      const [name, narrower] = share.within.entries().next().value!
      share.within.delete(name)
      narrower.size -= 1
      if (narrower.size > 0) share.within.set(name, narrower)
      share = narrower
    }
    return share.waiting.shift()!
  }

  #newestOfTheLargest({ path }: QueueShare): Waiter {
    let share = this.#all
    share.size -= 1
    for (let depth = 0; share.within.size > 0; depth += 1) {
      const [name, narrower] = largestOf(share, path[depth])
      narrower.size -= 1
      if (narrower.size === 0) share.within.delete(name)
      share = narrower
    }
    return share.waiting.pop()!
  }
}

/**
 * Of equally large shares, proved ones are kept, and waiting ones are kept before the newcomer's;
 * otherwise newcomers would only replace each other.
 * @param coming the share of the newcomer
 */
function largestOf({ within }: ShareNode, coming: string | undefined): [string, ShareNode] {
  const rank = ([name, { size, isKnown }]: [string, ShareNode]): number =>
    4 * size + (isKnown ? 0 : 2) + (name === coming ? 1 : 0)
  return [...within].reduce((largest, each) => (rank(each) >= rank(largest) ? each : largest))
}
