/**
 * Finds texts in a text, in time that grows with its length alone: the automaton of Aho and Corasick. Its tree has a node for
 * each character that a text does not share with the one before it in their order, so that most nodes have one child, the
 * next node, which needs no memory. Source: Aho, Corasick, "Efficient String Matching", 1975.
 */

/** A place in the tree: the longest end of the text so far that begins one of the texts. 0: none. */
export type Place = number

export interface SecretIndex {
  /**
   * Goes on with more text.
   * @param onFound called for each end of texts in it, in their order, with the length of the longest one that ends there
   */
  read(from: Place, text: string, onFound: (end: number, length: number) => void): Place
  /** The length of the begun text. */
  begun(at: Place): number
}

const ROOT = 0
const UNITS = 65_536
const [HAS_NEXT, HAS_OTHERS] = [1, 2]

/** What one of the texts adds to the tree. */
interface Branch {
  readonly text: string
  /** Of the characters that it shares with the one before it. */
  readonly shared: number
  /** Of its first own character. */
  readonly first: Place
  /** The node before that. */
  readonly parent: Place
}

/** @param texts of at least one character */
export function secretIndex(texts: readonly string[]): SecretIndex {
  const branches = branchesOf([...new Set(texts)].toSorted(byUnits))
  const last = branches.at(-1)
  const size = last ? last.first + last.text.length - last.shared : 1
  const units = new Uint16Array(size + 1)
  const kinds = new Uint8Array(size)
  const fails = new Int32Array(size)
  const lengths = new Int32Array(size)
  const fromRoot = new Int32Array(UNITS)
  const others = new Map<number, Place>()

  const child = (at: Place, unit: number): Place => {
    if (at === ROOT) return fromRoot[unit]!
    const kind = kinds[at]!
    if ((kind & HAS_NEXT) !== 0 && units[at + 1] === unit) return at + 1
    return (kind & HAS_OTHERS) === 0 ? ROOT : (others.get(at * UNITS + unit) ?? ROOT)
  }
  const next = (from: Place, unit: number): Place => {
    let at = from
    for (;;) {
      const found = child(at, unit)
      if (found !== ROOT || at === ROOT) return found
      at = fails[at]!
    }
  }

  for (const { text, shared, first, parent } of branches) {
    for (let at = shared; at < text.length; at += 1) units[first + at - shared] = text.charCodeAt(at)
    kinds.fill(HAS_NEXT, first, first + text.length - shared - 1)
    if (parent === ROOT) fromRoot[units[first]!] = first
    else {
      kinds[parent]! |= HAS_OTHERS
      others.set(parent * UNITS + units[first]!, first)
    }
  }
  byDepth(branches, (node, parent, end) => {
    fails[node] = parent === ROOT ? ROOT : next(fails[parent]!, units[node]!)
    lengths[node] = end > 0 ? end : lengths[fails[node]]!
  })
  return {
    read(from, text, onFound) {
      let at = from
      for (let end = 1; end <= text.length; end += 1) {
        const unit = text.charCodeAt(end - 1)
        at = at === ROOT ? fromRoot[unit]! : next(at, unit)
        if (lengths[at] !== 0) onFound(end, lengths[at]!)
      }
      return at
    },
    begun: (at) => (at === ROOT ? 0 : depthOf(branches, at)),
  }
}

const byUnits = (one: string, other: string): number => (one < other ? -1 : 1)

function branchesOf(sorted: readonly string[]): Branch[] {
  const branches: Branch[] = []
  /** The nodes of the text before, by their depth. */
  const path: Place[] = [ROOT]
  let [before, free] = ['', ROOT + 1]
  for (const text of sorted) {
    const shared = sharedBy(before, text)
    branches.push({ text, shared, first: free, parent: path[shared]! })
    path.length = shared + 1
    for (let at = shared; at < text.length; at += 1) {
      path.push(free)
      free += 1
    }
    before = text
  }
  return branches
}

function sharedBy(one: string, other: string): number {
  let length = 0
  while (length < one.length && one.charCodeAt(length) === other.charCodeAt(length)) length += 1
  return length
}

/**
 * All nodes, those nearer to the root first.
 * @param visit `end` is the length of the text that ends at the node; 0: none
 */
function byDepth(branches: readonly Branch[], visit: (node: Place, parent: Place, end: number) => void): void {
  const beginning = Map.groupBy(branches, ({ shared }) => shared)
  let open: Branch[] = []
  for (let depth = 1; open.length > 0 || beginning.size > 0; depth += 1) {
    const begin = beginning.get(depth - 1)
    beginning.delete(depth - 1)
    if (begin) open = [...open, ...begin]
    let ended = 0
    for (const { text, shared, first, parent } of open) {
      const node = first + depth - shared - 1
      const isEnd = depth === text.length
      if (isEnd) ended += 1
      visit(node, node === first ? parent : node - 1, isEnd ? depth : 0)
    }
    if (ended > 0) open = open.filter(({ text }) => text.length > depth)
  }
}

/** By the branch that the node is of. */
function depthOf(branches: readonly Branch[], node: Place): number {
  let [low, high] = [0, branches.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (branches[middle]!.first <= node) low = middle
    else high = middle - 1
  }
  const { first, shared } = branches[low]!
  return node - first + shared + 1
}
