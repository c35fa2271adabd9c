/** Passes over text in which none of some texts begins. Source: Wu, Manber, "A Fast Algorithm for Multi-Pattern Searching", 1994. */

/** So many characters are looked at together. */
const BLOCK = 3
/** More of the texts would make the shifts longer, and fill the table. */
const SHORTEST_MAX = 8
const FEW = 1_000
const [BITS_OF_FEW, BITS_OF_MANY] = [16, 18]

export interface Shifts {
  /** No text has fewer characters than this. At most 8. */
  readonly shortest: number
  /** @returns the first place where one may begin, or where too little is left to tell */
  skip(text: string, from: number): number
}

/** @param texts of at least one character */
export function shiftsOf(texts: readonly string[]): Shifts {
  const shortest = texts.reduce((least, { length }) => Math.min(least, length), SHORTEST_MAX)
  if (shortest < BLOCK) return { shortest, skip: (_text, from) => from }
  const bits = texts.length < FEW ? BITS_OF_FEW : BITS_OF_MANY
  const blockAt = (text: string, at: number): number => {
    const all = (text.charCodeAt(at) << 14) ^ (text.charCodeAt(at + 1) << 7) ^ text.charCodeAt(at + 2)
    return Math.imul(all, 0x9e3779b1) >>> (32 - bits)
  }
  const last = shortest - BLOCK
  /** By the last characters of those that a shortest text would have. */
  const shifts = new Uint8Array(2 ** bits).fill(last + 1)
  for (const text of texts)
    for (let at = 0; at <= last; at += 1) {
      const block = blockAt(text, at)
      shifts[block] = Math.min(shifts[block]!, last - at)
    }
  return {
    shortest,
    skip(text, from) {
      let at = from
      const end = text.length - shortest
      while (at <= end) {
        const shift = shifts[blockAt(text, at + last)]!
        if (shift === 0) break
        at += shift
      }
      return at
    },
  }
}
