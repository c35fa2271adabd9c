/**
 * Patterns of paths, matched in a time that grows with their length alone: users write them.
 * Source: path/filepath of Go, Match, and `**` of the Dockerfile reference.
 */

interface Token {
  accepts(character: string): boolean
  /** Of one that takes any number of characters: after which of them the next one may begin. */
  readonly leaves?: (character: string) => boolean
}

const isNoSlash = (character: string): boolean => character !== '/'
const isAny = (): boolean => true
const isSlash = (character: string): boolean => character === '/'

const WILDCARDS: Readonly<Record<string, Token>> = {
  '**/': { accepts: isAny, leaves: isSlash },
  '**': { accepts: isAny, leaves: isAny },
  '*': { accepts: isNoSlash, leaves: isAny },
  '?': { accepts: isNoSlash },
}

const TOKENS = /\*\*\/|\*\*|\*|\?|\[\^?(?:\\.|[^\]\\])+\]|\\.|[\s\S]/gu

/** @returns undefined for what is no pattern */
export function globOf(pattern: string): ((path: string) => boolean) | undefined {
  try {
    const tokens = pattern.match(TOKENS)!.map((text) => WILDCARDS[text] ?? characterOf(text))
    return (path) => isMatch(tokens, path)
  } catch {
    return undefined
  }
}

/** @throws SyntaxError for what is no class of characters */
function characterOf(text: string): Token {
  if (text.length > 1 && text.startsWith('[')) {
    const inner = text.slice(1).replaceAll('[', '\\[')
    const ofClass = new RegExp(`^[${inner}$`, 'u')
    return { accepts: (character) => isNoSlash(character) && ofClass.test(character) }
  }
  const wanted = text.length > 1 && text.startsWith('\\') ? text.slice(1) : text
  return { accepts: (character) => character === wanted }
}

function isMatch(tokens: readonly Token[], path: string): boolean {
  let places = new Set<number>()
  const enter = (all: Set<number>, place: number): void => {
    all.add(place)
    if (tokens[place]?.leaves) enter(all, place + 1)
  }
  enter(places, 0)
  for (const character of path) {
    const next = new Set<number>()
    for (const place of places) {
      const token = tokens[place]
      if (!token?.accepts(character)) continue
      if (token.leaves) next.add(place)
      if (!token.leaves || token.leaves(character)) enter(next, place + 1)
    }
    places = next
  }
  return places.has(tokens.length)
}
