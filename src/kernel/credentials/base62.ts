/**
 * Base62: letters and digits only. A double click selects the whole text, and URLs, shells and file
 * systems need no escaping.
 */
import { randomBytes } from 'node:crypto'

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * The largest multiple of 62 below 256. Bytes from here on are skipped, because they would favour the
 * first characters.
 */
const UNBIASED_BELOW = 248

/**
 * @param bytes random by default; must not end before `length` characters are made
 * @returns `length` characters, each of 5.95 bits if the bytes are random
 */
export function base62(length: number, bytes: Iterable<number> = randomStream()): string {
  let text = ''
  for (const byte of bytes) {
    if (byte < UNBIASED_BELOW) text += BASE62.charAt(byte % BASE62.length)
    if (text.length === length) break
  }
  return text
}

function* randomStream(): Generator<number, never> {
  for (;;) yield* randomBytes(64)
}
