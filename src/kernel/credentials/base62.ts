/** Letters and digits only: what a double click selects whole, and no URL, shell or file system minds. */
import { randomBytes } from 'node:crypto'

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The largest multiple of 62 that a byte can reach: bytes from here on would favour the alphabet's beginning. */
const UNBIASED_BELOW = 248

/** `length` characters, each of 5.95 bits if the bytes are random, which by default they are. `bytes` must not run out. */
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
