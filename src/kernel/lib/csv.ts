/**
 * Tables as CSV (RFC 4180), for spreadsheets. A spreadsheet computes a cell that begins with = + - or @, full-width ones as well, so
 * such a cell gets an apostrophe before it (https://owasp.org/www-community/attacks/CSV_Injection). So does what follows a semicolon, a
 * tab or a line end inside a cell: where a spreadsheet splits at those, quotes inside a line hold nothing together, and what follows
 * them is a cell of its own. Numbers are left alone.
 */
import { stringify } from 'csv-stringify/sync'

/** Where a cell may begin for some spreadsheet, and what it may skip before the sign that makes a formula of it. */
const FORMULA = /(?<=^|[;\t\r\n])(?=[[\p{White_Space}\p{Default_Ignorable_Code_Point}"]--[\t\r\n]]*[=+\-@＝＋－＠])/gv

/** Each row ends with a line feed. Objects become JSON, null and undefined nothing. */
export const csv = (rows: readonly (readonly unknown[])[]): string => stringify(rows.map((row) => row.map(cellOf)))

function cellOf(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) return plain(JSON.stringify(value))
  if (typeof value === 'boolean') return String(value)
  return typeof value === 'string' ? plain(value) : value
}

const plain = (text: string): string => text.replaceAll(FORMULA, "'")
