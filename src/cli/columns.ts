/** Text for a terminal. */

/** No line of ours is longer. */
export const COLUMNS = 100
/** Between the left column and the right one. */
const GAP = 3

/** Two of them, the right one as wide as is left. */
export function columns(rows: readonly (readonly [left: string, right: string])[], margin: string): string[] {
  const width = Math.max(...rows.map(([left]) => left.length)) + GAP
  return rows.flatMap(([left, right]) =>
    wrapped(right, COLUMNS - margin.length - width).map(
      (line, nth) => `${margin}${(nth === 0 ? left : '').padEnd(width)}${line}`,
    ),
  )
}

/** @param width what a line may have */
export function wrapped(text: string, width = COLUMNS): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}
