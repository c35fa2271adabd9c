/** Texts as JSON that fit in lines, which are no longer than `LINE_BYTES_MAX`. */
import { LINE_BYTES_MAX } from '../../tasks/protocol.ts'

/** Of the other members of a line. */
const BESIDE_BYTES = 500
const JSON_BYTES_MAX = LINE_BYTES_MAX - BESIDE_BYTES
const LESS = 0.6

const fits = (text: string): boolean => Buffer.byteLength(JSON.stringify(text)) <= JSON_BYTES_MAX

/** The same text makes the same pieces. An empty one is one piece. No column of the panel holds NUL. */
export function textPieces(text: string): string[] {
  const pieces: string[] = []
  let rest = text.toWellFormed().replaceAll('\0', '\uFFFD')
  while (!fits(rest)) {
    let length = Math.min(rest.length, JSON_BYTES_MAX)
    while (!fits(rest.slice(0, length))) length = Math.floor(length * LESS)
    if (isHighSurrogate(rest, length - 1)) length -= 1
    pieces.push(rest.slice(0, length))
    rest = rest.slice(length)
  }
  return pieces.length > 0 && rest === '' ? pieces : [...pieces, rest]
}

/** The second half of its character follows. */
const isHighSurrogate = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xd800
