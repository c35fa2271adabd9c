/** Colours that programs write into their logs (ECMA-48, SGR). Other sequences of a terminal are left out. */

export interface StyledPart {
  readonly text: string
  /** Names of styles, such as `bold red`; empty: as the rest of the page. */
  readonly style: string
  /** Where it begins in the line. */
  readonly at: number
}

/** By the last digit of 30 to 37 and 90 to 97. Black and white are the ink of the page, which has two themes. */
const COLOURS = ['', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', '']
const WEIGHTS: Readonly<Record<number, string>> = { 1: 'bold', 2: 'dim' }
const [ALL_OFF, WEIGHT_OFF, COLOUR_OFF, EXTENDED] = [0, 22, 39, 38]
/** How many numbers follow 38 and say which colour is meant: `5;n`, or `2;r;g;b`. */
const EXTENDED_LENGTHS: Readonly<Record<number, number>> = { 5: 2, 2: 4 }

const ESCAPE = String.fromCharCode(27)
/** CSI with its numbers and its end, OSC with a text, or a short one. */
const SEQUENCE = new RegExp(
  `${ESCAPE}(?:\\[([0-?]*)[ -/]*([@-~])|\\][^\\p{Cc}]*(?:\\x07|${ESCAPE}\\\\)?|[@-Z\\\\^_])`,
  'gu',
)
/** What a page cannot show. */
const CONTROL = /[^\P{Cc}\t\n]/gu

interface Look {
  readonly weight: string
  readonly colour: string
}

const PLAIN: Look = { weight: '', colour: '' }

/** A line in parts of one style each; no part for an empty line. */
export function styledParts(line: string): readonly StyledPart[] {
  const parts: StyledPart[] = []
  let [look, from] = [PLAIN, 0]
  const take = (to: number): void => {
    const text = line.slice(from, to).replaceAll(CONTROL, '')
    if (text !== '') parts.push({ text, style: [look.weight, look.colour].filter(Boolean).join(' '), at: from })
  }
  for (const { 0: sequence, 1: numbers, 2: end, index } of line.matchAll(SEQUENCE)) {
    take(index)
    from = index + sequence.length
    if (end === 'm') look = lookAfter(look, (numbers ?? '').split(/[;:]/).map(Number))
  }
  take(line.length)
  return parts
}

/** Without sequences and control characters. */
export const plainText = (line: string): string =>
  styledParts(line)
    .map(({ text }) => text)
    .join('')

function lookAfter(before: Look, codes: readonly number[]): Look {
  let look = before
  for (let nth = 0; nth < codes.length; nth += 1) {
    const code = codes[nth]!
    if (code === EXTENDED) nth += EXTENDED_LENGTHS[codes[nth + 1]!] ?? 0
    else look = lookWith(look, code)
  }
  return look
}

function lookWith(look: Look, code: number): Look {
  if (code === ALL_OFF) return PLAIN
  if (code === WEIGHT_OFF) return { ...look, weight: '' }
  if (code === COLOUR_OFF) return { ...look, colour: '' }
  if (code in WEIGHTS) return { ...look, weight: WEIGHTS[code]! }
  const isColour = (code >= 30 && code <= 37) || (code >= 90 && code <= 97)
  return isColour ? { ...look, colour: COLOURS[code % 10]! } : look
}
