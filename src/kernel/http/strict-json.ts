/**
 * Strict JSON. Rejects input that two parsers could read differently, that JavaScript would round, or
 * that no store can hold. RFC 8259 allows such input, RFC 7493 advises against it. Error messages never
 * repeat the input.
 */
import type { Json } from '../events/store-port.ts'
import { reject } from '../lib/rejection.ts'

const DEPTH_MAX = 32
const KEYS_MAX = 10_000
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * The relevant tokens of a valid JSON text: strings (a key is followed by a colon), brackets, numbers. Names for the
 * groups and the flag `u`, which changes nothing here, would triple the time of an inspection.
 */
const TOKEN = /("[^"\\]*(?:\\.[^"\\]*)*")([ \t\n\r]*:)?|[{[]|[}\]]|-?\d[\d.eE+-]*/g

/** @throws Rejection 400 INVALID_JSON for anything but UTF-8 JSON that every parser reads in the same way */
export function parseJson(bytes: Uint8Array): Json {
  const text = decoded(bytes)
  const value = parsed(text)
  new Inspection().inspect(text)
  return value
}

const refuse = (why: string): never => reject('invalid', why, 'INVALID_JSON')

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return refuse('The body is not valid UTF-8')
  }
}

/**
 * V8 parses without recursion, so nesting needs no stack. On valid JSON the pattern above does not
 * backtrack.
 */
function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return refuse('The body is not valid JSON')
  }
}

class Inspection {
  /** The keys of each open object; an open array has none. */
  readonly #open: Set<string>[] = []
  #keys = 0

  inspect(text: string): void {
    for (const [token, quoted, colon] of text.matchAll(TOKEN)) {
      if (quoted === undefined) this.#mark(token)
      else if (colon === undefined) inspectedText(quoted)
      else this.#key(inspectedText(quoted))
    }
  }

  #mark(token: string): void {
    if (token === '{' || token === '[') {
      if (this.#open.push(new Set()) > DEPTH_MAX) refuse(`The JSON is nested deeper than ${DEPTH_MAX} levels`)
    } else if (token === '}' || token === ']') this.#open.pop()
    else if (Math.abs(Number(token)) > Number.MAX_SAFE_INTEGER)
      refuse('The JSON contains a number beyond 2^53 - 1, which cannot be stored exactly')
  }

  #key(key: string): void {
    const known = this.#open.at(-1)!
    if (FORBIDDEN_KEYS.has(key)) refuse('The JSON contains a field name that is not allowed')
    if (known.has(key)) refuse('The JSON contains a field twice in one object')
    if ((this.#keys += 1) > KEYS_MAX) refuse(`The JSON contains more than ${KEYS_MAX} fields`)
    known.add(key)
  }
}

/** NUL and lone surrogates can only come from escapes: UTF-8 and the JSON grammar reject them otherwise. */
function inspectedText(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1)
  const text = JSON.parse(quoted) as string
  if (!text.isWellFormed() || text.includes('\0')) refuse('The JSON contains text with NUL or a lone surrogate')
  return text
}
