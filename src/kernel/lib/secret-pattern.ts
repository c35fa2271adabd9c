/**
 * Secrets that can be told by how they begin. Whoever makes or takes such a secret declares its form here, checks texts by it, and the
 * log masks all of that form wherever they stand, so that no list of prefixes has to be kept beside the code that knows them.
 */

export interface SecretPattern {
  /** Whether the whole text is spelled so. Says nothing about it being good for anything. */
  matches(text: string): boolean
}

export interface SecretPatternOptions {
  /** What it begins with, as the source of a regular expression. */
  readonly prefix: string
  /** One of the characters that follow, likewise. */
  readonly character: string
  /** How many of these follow. */
  readonly least: number
  readonly most: number
}

/** Of a secret that is cut off, so much behind its beginning may be shown: lists know secrets by it. */
const SHOWN_MAX = 8

/** Where a word starts, also behind an escaped character of an address (RFC 3986, 2.1), such as `%20`. */
const STARTS = '(?<![0-9A-Za-z])|(?<=%[0-9A-Fa-f]{2})'

const declaredPatterns: SecretPatternOptions[] = []
let compiledRegExps: { readonly anywhere: RegExp; readonly begins: RegExp } | undefined

export function secretPattern(spelling: SecretPatternOptions): SecretPattern {
  declaredPatterns.push(spelling)
  compiledRegExps = undefined
  const { prefix, character, least, most } = spelling
  const whole = new RegExp(`^(?:${prefix})${character}{${least},${most}}$`)
  return { matches: (text) => whole.test(text) }
}

/** Finds everything in a text that is spelled like a declared secret, or like the larger part of one; `begins` finds where it might be. */
export function secretRegExps(): { readonly anywhere: RegExp; readonly begins: RegExp } {
  const forms = declaredPatterns.map(({ prefix, character }) => `(?:${prefix})${character}{${SHOWN_MAX + 1},}`)
  return (compiledRegExps ??= {
    anywhere: new RegExp(`(?:${STARTS})(?:${forms.join('|')})`, 'g'),
    begins: new RegExp(declaredPatterns.map(({ prefix }) => prefix).join('|')),
  })
}
