/** The tree of the beginnings of texts: its nodes are numbers, in the order of the texts. */

/** A place in the tree: the longest end of the text so far that begins one of the texts. 0: none. */
export type Place = number

export const ROOT: Place = 0

/** What one of the texts adds to the tree. */
export interface Branch {
  readonly text: string
  /** Of the characters that it shares with the one before it. */
  readonly shared: number
  /** Of its first own character. */
  readonly first: Place
  /** The node before that. */
  readonly parent: Place
}

export interface Branches {
  readonly branches: readonly Branch[]
  /** Of all nodes, the root included. */
  readonly size: number
  /** @param node none but the root */
  branchOf(node: Place): Branch
}

/** @param texts of at least one character */
export function branchesOf(texts: readonly string[]): Branches {
  const branches: Branch[] = []
  /** Those that the text before is made of, each with the characters after the one before it. */
  const path: Branch[] = []
  let [before, size] = ['', ROOT + 1]
  for (const text of [...new Set(texts)].toSorted(byUnits)) {
    const shared = sharedBy(before, text)
    while (path.length > 0 && path.at(-1)!.shared >= shared) path.pop()
    const above = path.at(-1)
    const branch = { text, shared, first: size, parent: above ? above.first + shared - above.shared - 1 : ROOT }
    branches.push(branch)
    path.push(branch)
    size += text.length - shared
    before = text
  }
  return {
    branches,
    size,
    branchOf(node) {
      let [low, high] = [0, branches.length - 1]
      while (low < high) {
        const middle = Math.ceil((low + high) / 2)
        if (branches[middle]!.first <= node) low = middle
        else high = middle - 1
      }
      return branches[low]!
    },
  }
}

const byUnits = (one: string, other: string): number => (one < other ? -1 : 1)

function sharedBy(one: string, other: string): number {
  let length = 0
  while (length < one.length && one.charCodeAt(length) === other.charCodeAt(length)) length += 1
  return length
}

/**
 * Children of nodes, but their next nodes: a table with open addresses, which is several times as fast here as a Map.
 * @param most of them @param units the character of each node
 */
export function otherChildren(most: number, units: Uint16Array) {
  const bits = Math.max(4, Math.ceil(Math.log2(most * 2 + 1)))
  const parents = new Int32Array(2 ** bits)
  const children = new Int32Array(2 ** bits)
  /** Where the child is, or would be. */
  const placeOf = (parent: Place, unit: number): number => {
    let at = Math.imul(Math.imul(parent, 0x9e3779b1) ^ unit, 0x85ebca6b) >>> (32 - bits)
    while (children[at] !== ROOT && (parents[at] !== parent || units[children[at]!] !== unit))
      at = (at + 1) & (parents.length - 1)
    return at
  }
  return {
    add(parent: Place, child: Place): void {
      const at = placeOf(parent, units[child]!)
      parents[at] = parent
      children[at] = child
    },
    /** 0: none. */
    find: (parent: Place, unit: number): Place => children[placeOf(parent, unit)]!,
  }
}
