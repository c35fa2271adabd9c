/**
 * What one transaction writes into read models. Rows and changes to single rows gather until something else touches their table,
 * since a statement of many rows costs little more than one of one row: a batch of events is a few round trips instead of some
 * for each event. Values travel as one JSON text, which Postgres takes apart by the types of the table's own columns.
 */
import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import { snake } from './snake.ts'

/** Rows and changes that wait, so that memory stays bounded. */
const WAITING_MAX = 2_000

type Fields = Readonly<Record<string, unknown>>

export interface WrittenTable {
  /** In camelCase, with its schema. */
  readonly name: string
  readonly primaries: readonly string[]
  /** The same text for every way to spell the same primary key. */
  keyOf(fields: Fields): string
}

interface Waiting {
  readonly table: WrittenTable
  /** By primary key; each has the key's fields. */
  readonly rows: Map<string, Record<string, unknown>>
  readonly changes: Map<string, Record<string, unknown>>
}

export class Writes {
  readonly #transaction: Transaction<any>
  readonly #waiting = new Map<string, Waiting>()

  constructor(transaction: Transaction<any>) {
    this.#transaction = transaction
  }

  async insert(table: WrittenTable, row: Fields): Promise<void> {
    const key = table.keyOf(row)
    // A second row of the same key is for the database to refuse.
    if (this.#waiting.get(table.name)?.rows.has(key)) await this.#flush(table.name)
    await this.#wait(table, 'rows', key, { ...row })
  }

  async update(table: WrittenTable, where: Fields, given: Fields): Promise<void> {
    const change = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
    if (Object.keys(change).length === 0) return
    if (!isOfOneRow(table, where) || table.primaries.some((field) => field in change))
      return this.#updateNow(table, where, change)
    const key = table.keyOf(where)
    const { rows, changes } = this.#waiting.get(table.name) ?? {}
    const waiting = rows?.get(key) ?? changes?.get(key)
    if (waiting) return void Object.assign(waiting, change)
    return this.#wait(table, 'changes', key, { ...where, ...change })
  }

  async remove(table: WrittenTable, where: Fields): Promise<void> {
    await this.#flush(table.name)
    await this.#transaction.deleteFrom(table.name).where(all(where)).execute()
  }

  /** Before the transaction ends. */
  async end(): Promise<void> {
    for (const name of this.#waiting.keys()) await this.#flush(name)
  }

  async #wait(table: WrittenTable, kind: 'rows' | 'changes', key: string, fields: Record<string, unknown>) {
    const waiting = this.#waiting.get(table.name) ?? { table, rows: new Map(), changes: new Map() }
    this.#waiting.set(table.name, waiting)
    waiting[kind].set(key, fields)
    if (waiting.rows.size + waiting.changes.size >= WAITING_MAX) await this.#flush(table.name)
  }

  async #flush(name: string): Promise<void> {
    const waiting = this.#waiting.get(name)
    if (!waiting) return
    this.#waiting.delete(name)
    const { table, rows, changes } = waiting
    if (rows.size > 0)
      await sql`INSERT INTO ${sql.table(name)} SELECT * FROM ${recordsOf(name, [...rows.values()])}`.execute(
        this.#transaction,
      )
    for (const alike of Map.groupBy(changes.values(), columnsOf).values()) await this.#updateAll(table, alike)
  }

  /** All of them change the same columns. */
  async #updateAll({ name, primaries }: WrittenTable, changes: readonly Fields[]): Promise<void> {
    const changed = Object.keys(changes[0]!).filter((field) => !primaries.includes(field))
    const set = changed.map((field) => sql`${sql.id(snake(field))} = fresh.${sql.id(snake(field))}`)
    const same = primaries.map((field) => sql`old.${sql.id(snake(field))} = fresh.${sql.id(snake(field))}`)
    await sql`UPDATE ${sql.table(name)} AS old SET ${sql.join(set)}
      FROM ${recordsOf(name, changes)} AS fresh WHERE ${sql.join(same, sql` AND `)}`.execute(this.#transaction)
  }

  async #updateNow({ name }: WrittenTable, where: Fields, change: Fields): Promise<void> {
    await this.#flush(name)
    await this.#transaction
      .updateTable(name)
      .from(recordsOf(name, [change]).as('fresh'))
      .set(Object.fromEntries(Object.keys(change).map((field) => [field, sql.ref(`fresh.${field}`)])))
      .where(all(Object.fromEntries(Object.entries(where).map(([field, value]) => [`${name}.${field}`, value]))))
      .execute()
  }
}

const recordsOf = (name: string, rows: readonly Fields[]) =>
  sql<any>`json_populate_recordset(NULL::${sql.table(name)}, ${JSON.stringify(rows.map(spelled))})`

const spelled = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([field, value]) => [snake(field), value]))

const columnsOf = (fields: Fields): string => Object.keys(fields).toSorted().join()

const isOfOneRow = ({ primaries }: WrittenTable, where: Fields): boolean =>
  Object.keys(where).length === primaries.length && primaries.every((field) => field in where)

const all = (where: Fields) => (expression: any) => expression.and(where)
