/**
 * What a stretch of events writes into read models. It is folded in memory first, since a row that changes five times is written once,
 * and a statement of many rows costs little more than one of one row: a stretch is a few round trips instead of some for each event.
 * What cannot be told from the stretch alone, as a change to all rows that look a certain way, keeps its place between the rest.
 */
import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import type { ClientBase } from 'pg'
import { copyTextBlocks } from './copy-text-format.ts'
import type { CopyColumn } from './copy-text-format.ts'
import { snakeCase } from '../lib/snake-case.ts'
import { copyIn } from '../store/binary-copy.ts'

/** Fewer are as fast in a statement, which needs no round trip to be begun and ended. */
const COPIED_ROWS_MIN = 50

type Fields = Readonly<Record<string, unknown>>

export interface TableSchema {
  /** In camelCase, with its schema. */
  readonly name: string
  readonly primaries: readonly string[]
  readonly columns: readonly CopyColumn[]
  /** The same text for every way to spell the same primary key. */
  keyOf(fields: Fields): string
}

interface RowChange {
  readonly where: Fields
  readonly fields: Record<string, unknown>
}

/** Of different rows, but for `everywhere`, and written in this order. */
interface Stage {
  readonly removed: Map<string, Fields>
  readonly changes: Map<string, RowChange>
  readonly rows: Map<string, Record<string, unknown>>
  /** Of these rows, those that are gone again: the database must have had the chance to refuse them. */
  readonly gone: Map<string, Fields>
  /** What ends the stage: it meets any rows. */
  everywhere?: { readonly where: Fields; readonly fields?: Fields }
}

interface BufferedTable {
  readonly table: TableSchema
  readonly stages: Stage[]
  /** Where a row stands that nothing was told of since something met any rows. */
  first: number
  /** Where the others stand: only what is told of the same row has an order. */
  readonly later: Map<string, number>
}

/** Where it is written: COPY needs the transaction's connection itself, and is done without when that is not at hand. */
export interface CopyTransaction {
  readonly transaction: Transaction<any>
  readonly client?: ClientBase | undefined
}

export class RowBuffer {
  readonly #tables = new Map<string, BufferedTable>()
  #size = 0

  /** Rows and changes that wait. */
  get size(): number {
    return this.#size
  }

  /** Whether nothing that waits has to find a row first. */
  get isInsertsOnly(): boolean {
    return [...this.#tables.values()].every(({ stages }) =>
      stages.every(
        ({ removed, changes, gone, everywhere }) => removed.size + changes.size + gone.size === 0 && !everywhere,
      ),
    )
  }

  insert(table: TableSchema, row: Fields): void {
    const folded = this.#of(table)
    const key = table.keyOf(row)
    // A second row of the same key is for the database to refuse.
    const stage = stageOf(folded, key).rows.has(key) ? nextStageOf(folded, key) : stageOf(folded, key)
    stage.rows.set(key, { ...row })
    this.#size += 1
  }

  update(table: TableSchema, where: Fields, given: Fields): void {
    const fields = defined(given)
    if (fields === undefined) return
    const folded = this.#of(table)
    if (!hasKey(table, where) || table.primaries.some((field) => field in fields))
      return this.#everywhere(folded, { where, fields })
    const key = table.keyOf(where)
    const { rows, changes, removed, gone } = stageOf(folded, key)
    if (gone.size > 0 && gone.has(key)) return
    const change = changes.size > 0 ? changes.get(key) : undefined
    const waiting = rows.get(key) ?? (change && isOnlyKey(table, change.where) ? change.fields : undefined)
    const meets = waiting && matchesRow(table, waiting, where)
    if (meets === false || (!waiting && removed.has(key))) return
    if (meets) return void Object.assign(waiting, fields)
    const stage = waiting || change ? nextStageOf(folded, key) : stageOf(folded, key)
    stage.changes.set(key, { where, fields: { ...fields } })
    this.#size += 1
  }

  remove(table: TableSchema, where: Fields): void {
    const folded = this.#of(table)
    if (!hasKey(table, where) || !isOnlyKey(table, where)) return this.#everywhere(folded, { where })
    const key = table.keyOf(where)
    const { rows, changes, removed, gone } = stageOf(folded, key)
    if (rows.has(key)) return void gone.set(key, where)
    changes.delete(key)
    removed.set(key, where)
    this.#size += 1
  }

  /** Everything, in the order that it was given; what waited waits no more. */
  async flush(place: CopyTransaction): Promise<void> {
    const tables = [...this.#tables.values()]
    this.#tables.clear()
    this.#size = 0
    const few = tables.filter(isFewRows)
    if (few.length > 1) await insertInto(place, few)
    for (const { table, stages } of tables.filter((each) => few.length < 2 || !few.includes(each)))
      for (const stage of stages) await writeStage(place, table, stage)
  }

  #of(table: TableSchema): BufferedTable {
    const known = this.#tables.get(table.name)
    if (known) return known
    const folded = { table, stages: [newStage()], first: 0, later: new Map() }
    this.#tables.set(table.name, folded)
    return folded
  }

  #everywhere(folded: BufferedTable, what: Stage['everywhere'] & {}): void {
    folded.stages.at(-1)!.everywhere = what
    folded.first = folded.stages.push(newStage()) - 1
    folded.later.clear()
    this.#size += 1
  }
}

const newStage = (): Stage => ({ removed: new Map(), changes: new Map(), rows: new Map(), gone: new Map() })

const stageOf = ({ stages, first, later }: BufferedTable, key: string): Stage =>
  stages[(later.size > 0 ? later.get(key) : undefined) ?? first]!

/** Behind everything that was told of this row. */
function nextStageOf({ stages, first, later }: BufferedTable, key: string): Stage {
  const next = (later.get(key) ?? first) + 1
  later.set(key, next)
  return (stages[next] ??= newStage())
}

/** Beyond its key, by what is known of the row. Undefined where only the database can tell: two texts may be the same moment. */
function matchesRow(table: TableSchema, row: Fields, where: Fields): boolean | undefined {
  if (isOnlyKey(table, where)) return true
  const same = table.columns
    .filter(({ field }) => field in where && !table.primaries.includes(field))
    .map(({ field, kind }) => (field in row ? isSame(kind, row[field] ?? null, where[field] ?? null) : undefined))
  if (same.includes(false)) return false
  return same.includes(undefined) ? undefined : true
}

function isSame(kind: CopyColumn['kind'], one: unknown, other: unknown): boolean | undefined {
  if (one === other) return true
  if (one === null || other === null) return false
  if (kind !== 'uuid' || typeof one !== 'string' || typeof other !== 'string') return undefined
  return one.toLowerCase() === other.toLowerCase()
}

async function writeStage(place: CopyTransaction, table: TableSchema, stage: Stage): Promise<void> {
  const { removed, changes, rows, gone, everywhere } = stage
  if (removed.size > 0) await removeAll(place, table, [...removed.values()])
  for (const alike of Map.groupBy(changes.values(), shapeOf).values()) await updateAll(place, table, alike)
  if (rows.size > 0) await insertAll(place, table, [...rows.values()])
  if (gone.size > 0) await removeAll(place, table, [...gone.values()])
  if (everywhere?.fields) await updateAll(place, table, [{ where: everywhere.where, fields: everywhere.fields }])
  else if (everywhere) await removeAll(place, table, [everywhere.where])
}

/** As after one command: rows for the audit trail and for what it made. */
const isFewRows = ({
  stages: [{ removed, changes, rows, gone, everywhere } = newStage(), ...others],
}: BufferedTable): boolean =>
  others.length === 0 &&
  !everywhere &&
  removed.size + changes.size + gone.size === 0 &&
  rows.size > 0 &&
  rows.size < COPIED_ROWS_MIN

/** Into all of these tables with one statement. */
async function insertInto({ transaction }: CopyTransaction, tables: readonly BufferedTable[]): Promise<void> {
  const all = tables.map(({ table, stages: [stage] }) => insertOf(table, [...stage!.rows.values()]))
  const named = all.map((insert, nth) => sql`${sql.id(`table_${nth}`)} AS (${insert})`)
  await sql`WITH ${sql.join(named)} SELECT`.execute(transaction)
}

async function insertAll(
  { transaction, client }: CopyTransaction,
  table: TableSchema,
  rows: readonly Fields[],
): Promise<void> {
  if (client && rows.length >= COPIED_ROWS_MIN) {
    const names = table.columns.map(({ field }) => snakeCase(field)).join(', ')
    await copyIn(client, `${snakeCase(table.name)} (${names})`, copyTextBlocks(table.columns, rows), 'text')
    return
  }
  await insertOf(table, rows).execute(transaction)
}

const insertOf = ({ name }: TableSchema, rows: readonly Fields[]) =>
  sql`INSERT INTO ${sql.table(name)} SELECT * FROM ${recordsOf(name, rows)}`

/** All of them look for the same columns and change the same ones. */
async function updateAll(
  { transaction }: CopyTransaction,
  { name, primaries }: TableSchema,
  changes: readonly RowChange[],
) {
  const [{ where, fields }] = changes as [RowChange]
  const set = Object.keys(fields).map((field) => sql`${column(field)} = ${qualifiedColumn('fresh', field)}`)
  const isPlain = Object.keys(where).every((field) => primaries.includes(field) && !(field in fields))
  const from = isPlain
    ? sql`${recordsOf(
        name,
        changes.map((each) => ({ ...each.where, ...each.fields })),
      )} AS fresh`
    : pairsOf(name, changes)
  const found = matchCondition(Object.keys(where), primaries, isPlain ? 'fresh' : 'sought')
  await sql`UPDATE ${sql.table(name)} AS old SET ${sql.join(set)} FROM ${from} WHERE ${found}`.execute(transaction)
}

async function removeAll(
  { transaction }: CopyTransaction,
  { name, primaries }: TableSchema,
  wheres: readonly Fields[],
) {
  const found = matchCondition(Object.keys(wheres[0]!), primaries, 'sought')
  await sql`DELETE FROM ${sql.table(name)} AS old USING ${recordsOf(name, wheres)} AS sought WHERE ${found}`.execute(
    transaction,
  )
}

/** An absent value is found as well; a primary key is never absent, and its index is not asked whether it is. */
function matchCondition(fields: readonly string[], primaries: readonly string[], sought: string) {
  const all = fields.map((field) =>
    primaries.includes(field)
      ? sql`${qualifiedColumn('old', field)} = ${qualifiedColumn(sought, field)}`
      : sql`${qualifiedColumn('old', field)} IS NOT DISTINCT FROM ${qualifiedColumn(sought, field)}`,
  )
  return all.length === 0 ? sql`true` : sql.join(all, sql` AND `)
}

const column = (field: string) => sql.id(snakeCase(field))
const qualifiedColumn = (table: string, field: string) => sql`${sql.id(table)}.${column(field)}`

/** Values travel as one JSON text, which Postgres takes apart by the types of the table's own columns. */
const recordsOf = (name: string, rows: readonly Fields[]) =>
  sql<any>`json_populate_recordset(NULL::${sql.table(name)}, ${JSON.stringify(rows.map(withColumnNames))})`

const pairsOf = (name: string, changes: readonly RowChange[]) => sql`
  json_array_elements(${JSON.stringify(changes.map(({ where, fields }) => [withColumnNames(where), withColumnNames(fields)]))}::json) AS pair,
  json_populate_record(NULL::${sql.table(name)}, pair -> 0) AS sought,
  json_populate_record(NULL::${sql.table(name)}, pair -> 1) AS fresh`

const withColumnNames = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([field, value]) => [snakeCase(field), value]))

/** Mostly all of them, and then without a copy, since this is done for every event that changes a row. */
function defined(given: Fields): Fields | undefined {
  const all = Object.keys(given)
  const fields = all.filter((field) => given[field] !== undefined)
  if (fields.length === 0) return undefined
  return fields.length === all.length ? given : Object.fromEntries(fields.map((field) => [field, given[field]]))
}

const shapeOf = ({ where, fields }: RowChange): string =>
  `${Object.keys(where).toSorted().join()} ${Object.keys(fields).toSorted().join()}`

const hasKey = ({ primaries }: TableSchema, where: Fields): boolean => primaries.every((field) => field in where)

const isOnlyKey = ({ primaries }: TableSchema, where: Fields): boolean => Object.keys(where).length === primaries.length
