/** Encodes rows for COPY (PostgreSQL manual, COPY, “Text Format”). */
const BLOCK_CHARACTERS = 65_536
const SPECIAL = /[\\\n\r\t]/
const SPECIALS = /[\\\n\r\t]/g
const SPELLED: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
const ABSENT = '\\N'

type Fields = Readonly<Record<string, unknown>>

export interface CopyColumn {
  readonly field: string
  readonly kind: 'plain' | 'uuid' | 'array' | 'json'
}

/** A missing field of a row becomes NULL. */
export async function* copyTextBlocks(columns: readonly CopyColumn[], rows: Iterable<Fields>): AsyncGenerator<Buffer> {
  let text = ''
  for (const row of rows) {
    text += lineOf(columns, row)
    if (text.length < BLOCK_CHARACTERS) continue
    yield Buffer.from(text)
    text = ''
  }
  yield Buffer.from(text)
}

function lineOf(columns: readonly CopyColumn[], row: Fields): string {
  let line = ''
  for (const { field, kind } of columns) line += `${encodeField(kind, row[field])}\t`
  return `${line.slice(0, -1)}\n`
}

function encodeField(kind: CopyColumn['kind'], value: unknown): string {
  if (value === null || value === undefined) return ABSENT
  if (typeof value === 'string' && kind !== 'json') return escapeText(value)
  if (kind === 'array' && Array.isArray(value)) return escapeText(arrayOf(value))
  return escapeText(JSON.stringify(value))
}

const escapeText = (text: string): string =>
  SPECIAL.test(text) ? text.replace(SPECIALS, (special) => SPELLED[special]!) : text

/** PostgreSQL manual, “Array Input and Output Syntax”. */
const arrayOf = (values: readonly unknown[]): string => `{${values.map(elementOf).join()}}`

function elementOf(value: unknown): string {
  if (value === null) return 'NULL'
  return `"${(typeof value === 'string' ? value : JSON.stringify(value)).replace(/["\\]/g, '\\$&')}"`
}
