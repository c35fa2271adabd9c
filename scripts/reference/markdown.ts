/** Markdown as a Git host renders it. */

export const code = (text: string): string => `\`${text}\``

/** A pipe ends a cell, within code as well. */
const cell = (text: string): string => text.replaceAll('\n', ' ').replaceAll('|', String.raw`\|`)

/** @returns nothing for no rows; a column without any text is left out */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const used = columns.map((_name, index) => rows.some((row) => row[index] !== ''))
  const line = (cells: readonly string[]) => `| ${cells.filter((_cell, index) => used[index]).join(' | ')} |`
  const parts = [columns, columns.map(() => '---'), ...rows.map((row) => row.map(cell))]
  return rows.length === 0 ? '' : parts.map(line).join('\n')
}

/** The anchor that a Git host gives a heading. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')

/** @param parts of a page; empty ones are left out */
export const page = (...parts: readonly string[]): string => `${parts.filter((part) => part !== '').join('\n\n')}\n`

const SHORT_NAMES = new Set(['api', 'url'])

/** `machine-tokens` becomes `Machine tokens`. */
export function titleOf(section: string): string {
  const words = section.split('-').map((word) => (SHORT_NAMES.has(word) ? word.toUpperCase() : word))
  const text = words.join(' ')
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
