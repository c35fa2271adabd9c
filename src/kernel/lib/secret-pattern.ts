/**
 * Secrets that are recognized by their prefix. The module that makes or accepts such a secret declares its pattern
 * here. The log masks every text that matches a declared pattern, so that no separate list of prefixes is needed.
 */

export interface SecretPattern {
  /** Whether the whole text has this form. The secret may still be unknown or revoked. */
  matches(text: string): boolean
}

export interface SecretPatternOptions {
  /** The source of a regular expression for the prefix. */
  readonly prefix: string
  /** The source of a regular expression for one of the characters after the prefix. */
  readonly character: string
  /** Fewest and most characters after the prefix. */
  readonly least: number
  readonly most: number
}

/** So many characters after the prefix may be shown: lists identify secrets by them. */
const SHOWN_MAX = 8

/** The start of a word, also after a percent-encoded character of a URL (RFC 3986, 2.1), such as `%20`. */
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

/**
 * `anywhere` finds each text that has the form of a declared secret or of a truncated one;
 * `begins` is a cheap first test.
 */
export function secretRegExps(): { readonly anywhere: RegExp; readonly begins: RegExp } {
  const forms = declaredPatterns.map(({ prefix, character }) => `(?:${prefix})${character}{${SHOWN_MAX + 1},}`)
  return (compiledRegExps ??= {
    anywhere: new RegExp(`(?:${STARTS})(?:${forms.join('|')})`, 'g'),
    begins: new RegExp(declaredPatterns.map(({ prefix }) => prefix).join('|')),
  })
}
