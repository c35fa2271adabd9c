/**
 * Slots for requests that wait for their client: for the rest of a body, or until a response is read.
 * If all are taken, a new request takes the slot of the oldest one in the address block with the most
 * slots. So one block cannot displace another.
 */
import { addressBlocksOf } from '../../credentials/ip-address.ts'

interface Slot {
  /** Address blocks, the widest first. */
  readonly blocks: readonly string[]
  readonly onLost: () => void
}

export class SlowClientSlots {
  readonly #max: number
  /** By the widest block of the address, each in the order in which the slots were taken. */
  readonly #byBlock = new Map<string, Set<Slot>>()
  #size = 0

  constructor(max: number) {
    this.#max = max
  }

  get size(): number {
    return this.#size
  }

  /**
   * @param onLost called when another request takes the slot
   * @returns a function that releases the slot
   */
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

/** Applies the same rule within a block: the part with the most slots loses its oldest one. */
function oldestOf(places: readonly Slot[], level: number): Slot {
  const [oldest] = places as [Slot, ...Slot[]]
  if (level >= oldest.blocks.length) return oldest
  const parts = Map.groupBy(places, ({ blocks }) => blocks[level]!)
  const crowd = largest(parts.values(), ({ length }) => length)
  return oldestOf(crowd, level + 1)
}

/** Of equally large groups the first. */
function largest<Group>(groups: Iterable<Group>, sizeOf: (group: Group) => number): Group {
  const [first, ...others] = groups as Iterable<Group> & [Group]
  return others.reduce((most, each) => (sizeOf(each) > sizeOf(most) ? each : most), first)
}
