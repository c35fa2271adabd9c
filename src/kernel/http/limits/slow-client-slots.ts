/**
 * Places for what waits for its client: a body that is still coming, or an answer that is not taken yet. When all are taken, one more
 * takes the place of the oldest one of the address block that holds the most. So no block can turn another away.
 */
import { addressBlocksOf } from '../../credentials/ip-address.ts'

interface Slot {
  /** The widest first. */
  readonly blocks: readonly string[]
  readonly onLost: () => void
}

export class SlowClientSlots {
  readonly #max: number
  /** By the widest block of the address; each in the order in which they were taken. */
  readonly #byBlock = new Map<string, Set<Slot>>()
  #size = 0

  constructor(max: number) {
    this.#max = max
  }

  get size(): number {
    return this.#size
  }

  /** @param onLost told when the place is needed for another. @returns the way to give it back */
  take(ip: string | undefined, onLost: () => void): () => void {
    const blocks = addressBlocksOf(ip).map(({ name }) => name)
    const place = { blocks: blocks.toReversed(), onLost }
    this.#add(place)
    if (this.#size > this.#max) this.#shed()
    return () => this.#remove(place)
  }

  #add(place: Slot): void {
    const [block] = place.blocks as [string]
    const members = this.#byBlock.get(block) ?? new Set()
    this.#byBlock.set(block, members.add(place))
    this.#size += 1
  }

  #remove(place: Slot): void {
    const [block] = place.blocks as [string]
    const members = this.#byBlock.get(block)
    if (!members?.delete(place)) return
    if (members.size === 0) this.#byBlock.delete(block)
    this.#size -= 1
  }

  #shed(): void {
    const crowd = largest(this.#byBlock.values(), ({ size }) => size)
    const place = oldestOf([...crowd], 1)
    this.#remove(place)
    place.onLost()
  }
}

/** Inside a block the same holds: of its parts the one that holds the most gives way. */
function oldestOf(places: readonly Slot[], level: number): Slot {
  const [oldest] = places as [Slot, ...Slot[]]
  if (level >= oldest.blocks.length) return oldest
  const parts = Map.groupBy(places, ({ blocks }) => blocks[level]!)
  const crowd = largest(parts.values(), ({ length }) => length)
  return oldestOf(crowd, level + 1)
}

/** The first of those that are equally large. */
function largest<Group>(groups: Iterable<Group>, sizeOf: (group: Group) => number): Group {
  const [first, ...others] = groups as Iterable<Group> & [Group]
  return others.reduce((most, each) => (sizeOf(each) > sizeOf(most) ? each : most), first)
}
