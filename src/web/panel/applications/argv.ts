/** A line as a program and its arguments, without a shell: spaces separate, and quotes keep together. */

interface ReadLine {
  readonly argv: readonly string[]
  /** Why it cannot be read. */
  readonly problem: string | undefined
}

/** Runs of what is no space and no quote, and texts in one kind of quotes, which may stand side by side. */
const WORD = /(?:[^\s"']+|"[^"]*"|'[^']*')+/g
const QUOTED = /"([^"]*)"|'([^']*)'/g

export function argvIn(line: string): ReadLine {
  const argv = (line.match(WORD) ?? []).map((word) =>
    word.replaceAll(QUOTED, (_all, double: string | undefined, single: string | undefined) => double ?? single ?? ''),
  )
  const rest = line.replaceAll(WORD, '').trim()
  return { argv, problem: rest === '' ? undefined : 'A quote has no end' }
}
