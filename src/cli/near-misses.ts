/** Finds mistyped environment variables, which would otherwise be ignored silently. */

/** Prefixes that only Daybook's variables have. */
const OWN_PREFIXES = ['DAYBOOK', 'LICENSING', 'PANEL']
/** Shorter words differ by one letter from too many other words: MAIL and EMAIL, URL and URI. */
const WORD_LETTERS_MIN = 6
/** From this length on, two letters may differ. */
const LONG_LETTERS = 8

export interface NearMiss {
  readonly found: string
  readonly meant: string
}

/**
 * A near miss differs slightly from a variable of Daybook that is not set. With a prefix that only
 * Daybook uses, the rest may differ by one letter, or by two if it is long. Other names may belong to
 * other programs, so only clear typing errors count: two swapped neighbours, or one letter wrong,
 * missing or added within one long word.
 * @param names the variables of Daybook
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

/** The number of letters to insert, delete, replace or swap with a neighbour (optimal string alignment). */
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
