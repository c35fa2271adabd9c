/**
 * What one transaction writes into read models. Rows gather until something else touches their table, since a statement of
 * many rows costs little more than one of one row: a batch of events is a few round trips instead of some for each event.
 */
import type { Transaction } from 'kysely'

/** Far from the 65,535 parameters that a statement may have, even with a hundred columns. */
const ROWS_MAX = 500

type Fields = Record<string, unknown>

export class Writes {
  readonly #transaction: Transaction<any>
  readonly #rows = new Map<string, Fields[]>()

  constructor(transaction: Transaction<any>) {
    this.#transaction = transaction
  }

  async insert(table: string, row: Fields): Promise<void> {
    const rows = this.#rows.get(table) ?? []
    this.#rows.set(table, rows)
    if (rows.push({ ...row }) >= ROWS_MAX) await this.#flush(table)
  }

  /** `isOneRow`: `where` names a whole primary key, so that a row that waits and matches is the only one that is meant. */
  async update(table: string, where: Fields, change: Fields, isOneRow: boolean): Promise<void> {
    const waiting = isOneRow && this.#rows.get(table)?.find((row) => matches(row, where))
    if (waiting) return void Object.assign(waiting, change)
    await this.#flush(table)
    await this.#transaction.updateTable(table).set(change).where(all(where)).execute()
  }

  async remove(table: string, where: Fields): Promise<void> {
    await this.#flush(table)
    await this.#transaction.deleteFrom(table).where(all(where)).execute()
  }

  /** Before the transaction ends. */
  async end(): Promise<void> {
    for (const table of this.#rows.keys()) await this.#flush(table)
  }

  async #flush(table: string): Promise<void> {
    const rows = this.#rows.get(table)
    if (!rows) return
    this.#rows.delete(table)
    await this.#transaction.insertInto(table).values(rows).execute()
  }
}

const matches = (row: Fields, where: Fields): boolean =>
  Object.entries(where).every(([field, value]) => row[field] === value)

const all = (where: Fields) => (expression: any) => expression.and(where)
