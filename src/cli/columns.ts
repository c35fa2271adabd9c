/** Formats text for a terminal. */

/** The maximum line length of all output. */
export const COLUMNS = 100
/** The space between the left column and the right one. */
const GAP = 3

/** Two columns; the right one uses the remaining width. */
export function columns(rows: readonly (readonly [left: string, right: string])[], margin: string): string[] {
  const width = Math.max(...rows.map(([left]) => left.length)) + GAP
  return rows.flatMap(([left, right]) =>
    wrapped(right, COLUMNS - margin.length - width).map(
      (line, nth) => `${margin}${(nth === 0 ? left : '').padEnd(width)}${line}`,
    ),
  )
}

/** @param width the maximum line length */
export function wrapped(text: string, width = COLUMNS): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}
