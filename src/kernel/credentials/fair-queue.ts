/**
 * A queue of bounded length in which callers wait in shares. A share is an account that has been proved, or a block of addresses; wide
 * blocks hold the shares of narrower ones. The shares of a block take turns. When the queue is full, the newest of the largest share gives
 * way (longest queue drop, RFC 7567 section 4.4): a flood costs its own block the place, and nobody else.
 */
import { addressBlocksOf } from './ip-address.ts'

/** Which share a caller waits in. */
export interface QueueShare {
  /** From the widest block to the narrowest. Places of one kind have paths of one length. */
  readonly path: readonly string[]
  /** Who waits has proved something about the account: of shares that are equally large, another gives way first. */
  readonly isKnown: boolean
}

/** What no caller waits for: work of the host itself. It is one share among all others. */
export const HOST_SHARE: QueueShare = { path: ['host'], isKnown: false }

/** For who has shown a device, a session, a link or the password of this account. */
export const accountShare = (accountId: string): QueueShare => ({ path: [`account ${accountId}`], isKnown: true })

export const addressShare = (address: string | undefined): QueueShare => ({
  path: addressBlocksOf(address)
    .map(({ name }) => name)
    .toReversed(),
  isKnown: false,
})

interface Waiter {
  /** @param mayEnter false: it has given way */
  readonly end: (mayEnter: boolean) => void
}

interface ShareNode {
  /** How many wait in it, those of narrower blocks included. */
  size: number
  readonly isKnown: boolean
  /** Narrower blocks, in the order of their turns. */
  readonly within: Map<string, ShareNode>
  /** In the order in which they came; only in the narrowest block. */
  readonly waiting: Waiter[]
}

const emptyShareNode = (isKnown: boolean): ShareNode => ({ size: 0, isKnown, within: new Map(), waiting: [] })

export class FairQueue {
  readonly #atOnceMax: number
  readonly #waitingMax: number
  readonly #all = emptyShareNode(false)
  #running = 0

  /** @param limits how many run at once, and how many more wait */
  constructor(limits: { readonly atOnceMax: number; readonly waitingMax: number }) {
    this.#atOnceMax = limits.atOnceMax
    this.#waitingMax = limits.waitingMax
  }

  /** Resolves when it is the caller's turn, who then calls `leave` when done; or false, at once or later: the caller has given way. */
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

  /** Hands the turn on, so that a newcomer does not overtake those who wait. */
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

  /** The first of the share whose turn it is; that share then goes to the end of the turns. */
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
 * @param coming the share of who comes. Of shares that are equally large, known ones stay, and who waits stays: else they would only
 *   replace each other
 */
function largestOf({ within }: ShareNode, coming: string | undefined): [string, ShareNode] {
  const rank = ([name, { size, isKnown }]: [string, ShareNode]): number =>
    4 * size + (isKnown ? 0 : 2) + (name === coming ? 1 : 0)
  return [...within].reduce((largest, each) => (rank(each) >= rank(largest) ? each : largest))
}
