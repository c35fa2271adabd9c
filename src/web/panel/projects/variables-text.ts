/** Variables as a text: one `NAME=value` a line. */

export interface Variable {
  readonly name: string
  readonly value: string
}

/** What a plain line would lose: line ends, spaces at the ends, and quotes that stand for themselves. */
const NEEDS_QUOTES = /[\r\n]|^\s|\s$|^"/

export const textOfVariables = (variables: readonly Variable[]): string =>
  variables.map(({ name, value }) => `${name}=${NEEDS_QUOTES.test(value) ? JSON.stringify(value) : value}`).join('\n')

interface ReadText {
  readonly variables: readonly Variable[]
  /** Why a line cannot be read; its variable is left out. */
  readonly problem: string | undefined
}

/** Empty lines and lines that begin with # are left out, so that a file of variables can be pasted. */
export function variablesIn(text: string): ReadText {
  const variables: Variable[] = []
  let problem: string | undefined
  for (const [nth, raw] of text.split('\n').entries()) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) continue
    const [, name, written = ''] = /^([^=\s]+)\s*=\s*(.*)$/.exec(line) ?? []
    const value = valueOf(written)
    if (name !== undefined && value !== undefined) variables.push({ name, value })
    else problem ??= `Line ${nth + 1} is not NAME=value, or its quotes do not match`
  }
  return { variables, problem }
}

/** @returns undefined for quotes that do not match */
function valueOf(written: string): string | undefined {
  if (!written.startsWith('"')) return written
  try {
    const value: unknown = JSON.parse(written)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}
