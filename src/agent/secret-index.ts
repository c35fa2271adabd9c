/**
 * Finds texts in a text, in time that grows with its length alone: the automaton of Aho and Corasick, behind the shifts of Wu
 * and Manber, which pass over what begins none of the texts. The tree has a node for each character that a text does not
 * share with the one before it in their order, so that most nodes have one child, the next node, which needs no memory.
 * Where a node leads on a mismatch is found when it is first needed: output needs that of few nodes, and a file of keys has
 * millions. Sources: Aho, Corasick, "Efficient String Matching", 1975; Wu, Manber, "A Fast Algorithm for Multi-Pattern
 * Searching", 1994.
 */
import { shiftsOf } from './secret-shifts.ts'
import { branchesOf, otherChildren, ROOT } from './secret-tree.ts'
import type { Place } from './secret-tree.ts'

export { ROOT } from './secret-tree.ts'
export type { Place } from './secret-tree.ts'

export interface SecretIndex {
  /**
   * Goes on with more text.
   * @param onFound called for each end of texts in it, in their order, with the length of the longest one that ends there
   */
  read(from: Place, text: string, onFound: (end: number, length: number) => void): Place
  /** The length of the begun text. */
  begun(at: Place): number
}

const UNITS = 65_536
const [HAS_NEXT, HAS_OTHERS, IS_FIRST] = [1, 2, 4]
/** The depth of a node is beside its kind: this one, or a greater one. */
const [DEPTH_BITS, DEPTH_MAX] = [3, 31]

/** @param texts of at least one character */
export function secretIndex(texts: readonly string[]): SecretIndex {
  const { branches, size, branchOf } = branchesOf(texts)
  const { shortest, skip } = shiftsOf(branches.map(({ text }) => text))
  const units = new Uint16Array(size + 1)
  const kinds = new Uint8Array(size)
  const fromRoot = new Int32Array(UNITS)
  const others = otherChildren(branches.length, units)
  /** One more than the place; 0: not known yet. */
  const fails = new Int32Array(size)
  /** Of the longest text that ends at the node, once its mismatch is known. */
  const lengths = new Int32Array(size)

  for (const { text, shared, first, parent } of branches) {
    const own = text.length - shared
    for (let at = 0; at < own; at += 1) units[first + at] = text.charCodeAt(shared + at)
    kinds.fill(HAS_NEXT | (DEPTH_MAX << DEPTH_BITS), first, first + own)
    for (let at = 0; at < own && shared + at + 1 < DEPTH_MAX; at += 1)
      kinds[first + at] = HAS_NEXT | ((shared + at + 1) << DEPTH_BITS)
    kinds[first + own - 1]! &= ~HAS_NEXT
    kinds[first]! |= IS_FIRST
    lengths[first + own - 1] = text.length
    if (parent === ROOT) fromRoot[units[first]!] = first
    else {
      kinds[parent]! |= HAS_OTHERS
      others.add(parent, first)
    }
  }

  const child = (at: Place, unit: number): Place => {
    if (at === ROOT) return fromRoot[unit]!
    const kind = kinds[at]!
    if ((kind & HAS_NEXT) !== 0 && units[at + 1] === unit) return at + 1
    return (kind & HAS_OTHERS) === 0 ? ROOT : others.find(at, unit)
  }
  const parentOf = (node: Place): Place => ((kinds[node]! & IS_FIRST) === 0 ? node - 1 : branchOf(node).parent)

  /** Nodes whose mismatches wait for those of the nodes above them here, and how far each has come. */
  const waiting: Place[] = []
  const reached: (Place | undefined)[] = []
  const wait = (node: Place): void => {
    waiting.push(node)
    reached.push(undefined)
  }

  /** @returns another node whose mismatch must be known first; undefined: it is known now */
  function settle(node: Place, nth: number): Place | undefined {
    const parent = parentOf(node)
    if (parent !== ROOT && fails[parent] === 0) return parent
    const unit = units[node]!
    let at = (reached[nth] ??= parent === ROOT ? ROOT : fails[parent]! - 1)
    let found = parent === ROOT ? ROOT : child(at, unit)
    while (found === ROOT && at !== ROOT) {
      reached[nth] = at
      if (fails[at] === 0) return at
      at = fails[at]! - 1
      found = child(at, unit)
    }
    reached[nth] = at
    if (found !== ROOT && fails[found] === 0) return found
    fails[node] = found + 1
    if (lengths[node] === 0) lengths[node] = lengths[found]!
    return undefined
  }

  function know(node: Place): void {
    wait(node)
    while (waiting.length > 0) {
      const before = settle(waiting.at(-1)!, waiting.length - 1)
      if (before !== undefined) wait(before)
      else {
        waiting.pop()
        reached.pop()
      }
    }
  }

  return {
    read(from, text, onFound) {
      let [at, next] = [from, 0]
      for (;;) {
        if (at === ROOT) next = skip(text, next)
        if (next >= text.length) return at
        const found = child(at, text.charCodeAt(next))
        if (found !== ROOT) {
          at = found
          next += 1
          if (kinds[at]! >> DEPTH_BITS < shortest) continue
          if (fails[at] === 0) know(at)
          if (lengths[at] !== 0) onFound(next, lengths[at]!)
          continue
        }
        const depth = kinds[at]! >> DEPTH_BITS
        if (at === ROOT) next += 1
        else if (depth < shortest && depth <= next) {
          // Too short to hold another one: what begins after its first character is looked for anew.
          at = ROOT
          next -= depth - 1
        } else {
          if (fails[at] === 0) know(at)
          at = fails[at]! - 1
        }
      }
    },
    begun(at) {
      const depth = kinds[at]! >> DEPTH_BITS
      if (depth < DEPTH_MAX) return depth
      const { first, shared } = branchOf(at)
      return at - first + shared + 1
    },
  }
}
