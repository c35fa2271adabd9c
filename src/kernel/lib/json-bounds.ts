/** Bounds of JSON from strangers: schemas recurse into it, and small values take much more memory than their text. */

/** @param levels of arrays and objects; a text or a number has none */
export const isShallow = (value: unknown, levels: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((each) => isShallow(each, levels - 1)))

interface JsonBounds {
  readonly levels: number
  readonly values: number
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b])
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d])

/**
 * Looks at a text before it is parsed, whatever its encoding in UTF-8 is cut into.
 * @returns whether the pieces so far are within the bounds
 */
export function jsonMeter({ levels, values }: JsonBounds): (piece: Uint8Array) => boolean {
  let [level, count, isText, isEscaped, isWithin] = [0, 1, false, false, true]
  function takeByte(byte: number): void {
    if (isText) {
      if (isEscaped) isEscaped = false
      else if (byte === BACKSLASH) isEscaped = true
      else if (byte === QUOTE) isText = false
    } else if (byte === QUOTE) isText = true
    else if (byte === COMMA) count += 1
    else if (OPENING.has(byte)) {
      level += 1
      count += 1
    } else if (CLOSING.has(byte)) level -= 1
  }
  return (piece) => {
    for (const byte of piece) {
      takeByte(byte)
      if (level > levels || count > values) isWithin = false
      if (!isWithin) break
    }
    return isWithin
  }
}
