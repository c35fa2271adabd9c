/** Texts of Compose files that stand for something else: times, sizes, and programs with their arguments. */

const SECONDS_OF: Readonly<Record<string, number>> = { h: 3_600, m: 60, s: 1, ms: 0.001, us: 0.000_001 }
const MIB_OF: Readonly<Record<string, number>> = { b: 1 / 1_048_576, k: 1 / 1_024, m: 1, g: 1_024 }

/** `1m30s`, in whole seconds, rounded up. Undefined for what is no time. */
export function secondsIn(text: string): number | undefined {
  if (!/^(?:\d{1,6}(?:\.\d{1,3})?(?:h|ms|us|m|s))+$/.test(text)) return undefined
  const parts = [...text.matchAll(/([\d.]+)([a-z]+)/g)]
  return Math.ceil(parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * SECONDS_OF[unit!]!, 0))
}

/** `512m` or a number of bytes, in whole MiB, rounded down. Undefined for what is no size. */
export function mebibytesIn(text: string): number | undefined {
  const parts = /^(\d{1,15}(?:\.\d{1,3})?)([bkmg])?b?$/i.exec(text)
  return parts ? Math.floor(Number(parts[1]) * MIB_OF[(parts[2] ?? 'b').toLowerCase()]!) : undefined
}

/** A part of a word: plain, in single quotes, in double quotes, or one character behind a backslash. */
const PART = /[^\s'"\\]+|'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])/y

/** Splits as a shell splits words, and does nothing else that a shell does. Undefined for an open quote. */
export function wordsIn(text: string): string[] | undefined {
  const words: string[] = []
  let at = 0
  let word: string | undefined
  while (at < text.length) {
    PART.lastIndex = at
    const part = PART.exec(text)
    if (part) {
      word = (word ?? '') + meantBy(part)
      at += part[0].length
    } else if (/\s/.test(text[at]!)) {
      if (word !== undefined) words.push(word)
      word = undefined
      at += 1
    } else return undefined
  }
  return word === undefined ? words : [...words, word]
}

const meantBy = ([all, single, double, escaped]: RegExpExecArray): string =>
  single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? escaped ?? all
