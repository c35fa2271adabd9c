/**
 * Refuses values that some store cannot hold before the append, so that all stores refuse the same ones and none is
 * partly written. PostgreSQL refuses NUL in text but accepts it in `json`, and silently turns a lone surrogate into
 * U+FFFD.
 */
import { reject } from '../lib/rejection.ts'

export const JSON_DEPTH_MAX = 32
/**
 * The scope and key of a unique constraint and a tuple header must fit into one b-tree entry of
 * PostgreSQL (2704 bytes).
 */
export const NAME_BYTES_MAX = 1000

const CONTROL = /\p{Cc}/u
/** Fast checks that nearly every text passes: an append runs them on some thirty texts. */
const MAYBE_UNSTORABLE = /[\0\uD800-\uDFFF]/
const NOT_PRINTABLE_ASCII = /[^ -~]/

/** @throws Rejection 400 for NUL and for lone surrogates */
export function refuseUnstorableText(text: string, what: string): void {
  if (!MAYBE_UNSTORABLE.test(text)) return
  if (text.includes('\0')) reject('invalid', `${what} must not contain the character U+0000`, 'TEXT_NOT_STORABLE')
  if (!text.isWellFormed()) reject('invalid', `${what} must be well-formed Unicode`, 'TEXT_NOT_STORABLE')
}

/**
 * Names of streams and types, and scopes, keys and holders of unique constraints must have 1 to 1000 bytes of UTF-8
 * without control characters: U+001F and U+001E separate fields and events in the canonical form of the chain.
 * @throws Rejection 400
 */
export function refuseBadName(name: string, what: string): void {
  if (name.length > 0 && name.length <= NAME_BYTES_MAX && !NOT_PRINTABLE_ASCII.test(name)) return
  refuseUnstorableText(name, what)
  if (CONTROL.test(name)) reject('invalid', `${what} must not contain control characters`, 'TEXT_NOT_STORABLE')
  const bytes = Buffer.byteLength(name)
  if (bytes === 0 || bytes > NAME_BYTES_MAX) reject('invalid', `${what} must have 1 to ${NAME_BYTES_MAX} bytes`)
}

/**
 * Checks all texts and property names at any depth, that numbers are finite, and that there are at most 32 levels.
 * @throws Rejection 400 · TypeError for a value that is not JSON, which is a bug of the caller
 */
export function refuseBadJson(value: unknown, what: string, levels: number = JSON_DEPTH_MAX): void {
  if (typeof value === 'string') return refuseUnstorableText(value, what)
  if (typeof value === 'number') return refuseUnwritable(value, what)
  if (value === null || typeof value === 'boolean') return
  if (levels === 0) reject('invalid', `${what} must not be nested deeper than ${JSON_DEPTH_MAX} levels`)
  if (Array.isArray(value)) return value.forEach((item) => refuseBadJson(item, what, levels - 1))
  if (!isPlainObject(value)) throw new TypeError(`${what} holds a ${typeof value} that is not JSON`)
  for (const name of Object.keys(value)) {
    const item = value[name]
    refuseUnstorableText(name, what)
    if (item !== undefined) refuseBadJson(item, what, levels - 1)
  }
}

function refuseUnwritable(value: number, what: string): void {
  if (!Number.isFinite(value)) reject('invalid', `${what} must hold finite numbers only`)
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
