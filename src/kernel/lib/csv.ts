/**
 * Tables as CSV (RFC 4180), safe to open in spreadsheets (https://owasp.org/www-community/attacks/CSV_Injection).
 * A spreadsheet computes a cell that begins with = + - or @, full-width forms included, so an apostrophe goes before
 * it. The same holds after a semicolon, tab or line end inside a cell: a spreadsheet that splits there ignores the
 * quotes. Numbers stay as they are.
 */
import { stringify } from 'csv-stringify/sync'

/**
 * A place where a spreadsheet may begin a cell, followed by ignorable characters and the sign that starts a formula.
 */
const FORMULA = /(?<=^|[;\t\r\n])(?=[[\p{White_Space}\p{Default_Ignorable_Code_Point}"]--[\t\r\n]]*[=+\-@＝＋－＠])/gv

/** Each row ends with a line feed. Objects become JSON; null and undefined become empty cells. */
export const csv = (rows: readonly (readonly unknown[])[]): string => stringify(rows.map((row) => row.map(cellOf)))

function cellOf(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) return plain(JSON.stringify(value))
  if (typeof value === 'boolean') return String(value)
  return typeof value === 'string' ? plain(value) : value
}

const plain = (text: string): string => text.replaceAll(FORMULA, "'")
