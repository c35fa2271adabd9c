/** Environment variables that are nearly ours: what is mistyped would else be a default in silence. */

/** What no other program's variables begin with. */
const OWN_PREFIXES = ['DAYBOOK', 'LICENSING', 'PANEL']
/** A shorter word is one letter from too many others: MAIL and EMAIL, URL and URI. */
const WORD_LETTERS_MIN = 6
/** From this length on, two letters may be wrong. */
const LONG_LETTERS = 8

export interface NearMiss {
  readonly found: string
  readonly meant: string
}

/**
 * A name is a near miss of one of ours that is not set. Where it begins with a word of ours alone, what follows may be a letter off, or
 * two when it is long. Else other programs use such names too, so only what makes no other word counts: two neighbours swapped, or one
 * letter wrong, missing or too many inside of one long word.
 * @param names ours
 */
export function nearMisses(env: NodeJS.ProcessEnv, names: readonly string[]): NearMiss[] {
  const isSet = (name: string) => (env[name] ?? '').trim() !== ''
  const open = names.filter((name) => !isSet(name))
  return Object.keys(env)
    .filter((found) => !names.includes(found) && isSet(found))
    .flatMap((found) => {
      const meant = open.find((name) => isNear(found, name))
      return meant === undefined ? [] : [{ found, meant }]
    })
}

function isNear(found: string, name: string): boolean {
  const [first = '', ...rest] = name.split('_')
  if (OWN_PREFIXES.includes(first) && found.startsWith(first)) {
    const [end, ofName] = [found.slice(first.length), `_${rest.join('_')}`]
    return distance(end, ofName) <= (ofName.length > LONG_LETTERS ? 2 : 1)
  }
  const [words, ofName] = [found.split('_'), name.split('_')]
  if (words.length !== ofName.length) return false
  const [wrong, ...more] = words.flatMap((word, nth) => (word === ofName[nth] ? [] : [[word, ofName[nth]!] as const]))
  return wrong !== undefined && more.length === 0 && isSlip(...wrong)
}

function isSlip(word: string, meant: string): boolean {
  if (distance(word, meant) !== 1) return false
  if (isSwap(word, meant)) return true
  return meant.length >= WORD_LETTERS_MIN && word[0] === meant[0] && word.at(-1) === meant.at(-1)
}

const isSwap = (word: string, meant: string): boolean => lettersOf(word) === lettersOf(meant)

const lettersOf = (word: string): string => word.split('').toSorted().join('')

/** How many letters have to be put in, left out, changed or swapped with their neighbour (optimal string alignment). */
function distance(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, at) => at)]
  for (let at = 1; at <= one.length; at += 1) {
    const row = [at]
    for (let to = 1; to <= other.length; to += 1) {
      const isSame = one[at - 1] === other[to - 1]
      const isSwapped = at > 1 && to > 1 && one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1]
      row[to] = Math.min(
        rows[at - 1]![to]! + 1,
        row[to - 1]! + 1,
        rows[at - 1]![to - 1]! + (isSame ? 0 : 1),
        isSwapped ? rows[at - 2]![to - 2]! + 1 : Infinity,
      )
    }
    rows.push(row)
  }
  return rows[one.length]![other.length]!
}
