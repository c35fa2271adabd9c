/**
 * Buffers the writes of a chunk of events to read models. A row that changes five times is written once, and a
 * statement for many rows costs little more than for one: a chunk takes a few round trips instead of some for each
 * event. Updates by a condition other than the primary key are executed in order between the buffered rows.
 */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { snakeCase } from '../lib/snake-case.ts'
import { copyIn } from '../store/binary-copy.ts'
import { copyTextBlocks } from './copy-text-format.ts'
import type { CopyColumn } from './copy-text-format.ts'
import type { CopyTransaction } from './read-database.ts'

/** Fewer rows are as fast in one INSERT, which needs no extra round trips to start and end a COPY. */
const COPIED_ROWS_MIN = 50

type Fields = Readonly<Record<string, unknown>>

export interface TableSchema {
  /** In camelCase, with its schema. */
  readonly name: string
  readonly primaries: readonly string[]
  readonly columns: readonly CopyColumn[]
  /** An inserted row replaces the row with the same key. Nothing else changes the table. */
  readonly isReplaced?: boolean
  /** One canonical text for each primary key: UUIDs in lower case. */
  keyOf(fields: Fields): string
}

interface RowChange {
  readonly where: Fields
  readonly fields: Record<string, unknown>
}

/** Changes of different rows, except `everywhere`; written in the order of the fields. */
interface Stage {
  readonly removed: Map<string, Fields>
  readonly changes: Map<string, RowChange>
  readonly rows: Map<string, Record<string, unknown>>
  /** Inserted rows that were removed again. They are inserted first, because the database may refuse them. */
  readonly gone: Map<string, Fields>
  /** Ends the stage: a change whose condition may match any row. */
  everywhere?: { readonly where: Fields; readonly fields?: Fields }
}

interface BufferedTable {
  readonly table: TableSchema
  readonly stages: Stage[]
  /** The stage of a row without changes since the last `everywhere`. */
  first: number
  /** The stages of the other rows; only changes of the same row have an order. */
  readonly later: Map<string, number>
}

export class RowBuffer {
  readonly #tables = new Map<string, BufferedTable>()
  /** Rows of the database that handlers read, by table and key. */
  readonly #recalled = new Map<string, Map<string, Fields>>()
  #size = 0

  /** The number of buffered rows and changes. */
  get size(): number {
    return this.#size
  }

  /** Whether no buffered change needs to find an existing row. */
  get isInsertsOnly(): boolean {
    return [...this.#tables.values()].every(
      ({ table, stages }) =>
        !table.isReplaced &&
        stages.every(
          ({ removed, changes, gone, everywhere }) => removed.size + changes.size + gone.size === 0 && !everywhere,
        ),
    )
  }

  /** Keeps rows of the database for `find`. */
  recall(table: TableSchema, rows: readonly Fields[]): void {
    const known = this.#recalled.get(table.name) ?? new Map<string, Fields>()
    for (const row of rows) known.set(table.keyOf(row), row)
    this.#recalled.set(table.name, known)
  }

  /** The buffered and the recalled rows of a replaced table whose fields are these. */
  find(table: TableSchema, where: Fields): Fields[] {
    const recalled = this.#recalled.get(table.name) ?? new Map<string, Fields>()
    const buffered = this.#tables.get(table.name)?.stages[0]?.rows ?? new Map<string, Fields>()
    if (isOnlyKey(table, where) && hasKey(table, where)) {
      const key = table.keyOf(where)
      return [buffered.get(key) ?? recalled.get(key)].filter((row) => row !== undefined)
    }
    const wanted = Object.entries(where)
    return [...new Map([...recalled, ...buffered]).values()].filter((row) =>
      wanted.every(([field, value]) => row[field] === value),
    )
  }

  insert(table: TableSchema, row: Fields): void {
    const folded = this.#of(table)
    const key = table.keyOf(row)
    // The database must refuse a second row with the same key, so it goes to the next stage.
    const isRefused = !table.isReplaced && stageOf(folded, key).rows.has(key)
    const stage = isRefused ? nextStageOf(folded, key) : stageOf(folded, key)
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

  /**
   * The buffered changes as one statement for each table, in any order; undefined if a table needs several. The buffer
   * keeps them.
   * @param only the condition under which the statements write
   */
  statements(only: Sql): readonly Sql[] | undefined {
    const tables = [...this.#tables.values()]
    return tables.every(needsOneStatement) ? tables.flatMap((each) => statementsOf(each, only)) : undefined
  }

  /** Writes everything in order and empties the buffer. */
  async flush(place: CopyTransaction): Promise<void> {
    const tables = [...this.#tables.values()]
    this.#tables.clear()
    this.#recalled.clear()
    this.#size = 0
    const single = tables.filter(needsOneStatement)
    if (single.length > 1) await executeTogether(place, single)
    for (const { table, stages } of tables.filter((each) => single.length < 2 || !single.includes(each)))
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

/** The stage after all changes of this row. */
function nextStageOf({ stages, first, later }: BufferedTable, key: string): Stage {
  const next = (later.get(key) ?? first) + 1
  later.set(key, next)
  return (stages[next] ??= newStage())
}

/**
 * Whether the known fields of the row match.
 * Undefined if only the database can tell, as two texts may be the same moment.
 */
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
  const { transaction, client } = place
  const copied = client && isCopied(table, stage) ? [...stage.rows.values()] : undefined
  if (copied && client) {
    for (const statement of statementsBefore(table, stage, ALWAYS)) await statement.execute(transaction)
    const names = table.columns.map(({ field }) => snakeCase(field)).join(', ')
    await copyIn(client, `${snakeCase(table.name)} (${names})`, copyTextBlocks(table.columns, copied), 'text')
    for (const statement of statementsAfter(table, stage, ALWAYS)) await statement.execute(transaction)
    return
  }
  for (const statement of stageStatements(table, stage, ALWAYS)) await statement.execute(transaction)
}

/** COPY cannot replace rows. */
const isCopied = ({ isReplaced = false }: TableSchema, { rows }: Stage): boolean =>
  rows.size >= COPIED_ROWS_MIN && !isReplaced

type Sql = RawBuilder<unknown>

const ALWAYS = sql`true`

/** A small chunk, typically of one command: rows of the audit trail, and of the things that it created or changed. */
function needsOneStatement({ stages: [stage = newStage(), ...others] }: BufferedTable): boolean {
  const { removed, changes, rows, gone, everywhere } = stage
  const shapes = changes.size > 1 ? new Set([...changes.values()].map(shapeOf)).size : changes.size
  const writes = [removed.size, rows.size, gone.size].filter((size) => size > 0).length
  return others.length === 0 && rows.size < COPIED_ROWS_MIN && writes + shapes + (everywhere ? 1 : 0) === 1
}

const statementsOf = ({ table, stages }: BufferedTable, only: Sql): Sql[] =>
  stages.flatMap((stage) => stageStatements(table, stage, only))

function stageStatements(table: TableSchema, stage: Stage, only: Sql): Sql[] {
  const rows = stage.rows.size > 0 ? [insertion(table, [...stage.rows.values()], only)] : []
  return [...statementsBefore(table, stage, only), ...rows, ...statementsAfter(table, stage, only)]
}

/** The statements that must precede the insertion of the stage's rows. */
function statementsBefore(table: TableSchema, { removed, changes }: Stage, only: Sql): Sql[] {
  const removals = removed.size > 0 ? [removal(table, [...removed.values()], only)] : []
  return [...removals, ...[...Map.groupBy(changes.values(), shapeOf).values()].map((all) => update(table, all, only))]
}

function statementsAfter(table: TableSchema, { gone, everywhere }: Stage, only: Sql): Sql[] {
  const removals = gone.size > 0 ? [removal(table, [...gone.values()], only)] : []
  if (!everywhere) return removals
  const { where, fields } = everywhere
  return [...removals, fields ? update(table, [{ where, fields }], only) : removal(table, [where], only)]
}

async function executeTogether({ transaction }: CopyTransaction, tables: readonly BufferedTable[]): Promise<void> {
  const named = namedStatements(tables.flatMap((each) => statementsOf(each, ALWAYS)))
  await sql`WITH ${sql.join(named)} SELECT`.execute(transaction)
}

/** Statements as parts of a WITH. */
export const namedStatements = (statements: readonly Sql[]): Sql[] =>
  statements.map((statement, nth) => sql`${sql.id(`table_${nth}`)} AS (${statement})`)

function insertion({ name, primaries, columns, isReplaced }: TableSchema, rows: readonly Fields[], only: Sql): Sql {
  const insert = sql`INSERT INTO ${sql.table(name)} SELECT * FROM ${recordsOf(name, rows)} WHERE ${only}`
  if (!isReplaced) return insert
  const set = columns.map(({ field }) => sql`${column(field)} = ${qualifiedColumn('excluded', field)}`)
  return sql`${insert} ON CONFLICT (${sql.join(primaries.map(column))}) DO UPDATE SET ${sql.join(set)}`
}

/** All changes have the same columns in their conditions and the same columns to set. */
function update({ name, primaries }: TableSchema, changes: readonly RowChange[], only: Sql): Sql {
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
  return sql`UPDATE ${sql.table(name)} AS old SET ${sql.join(set)} FROM ${from} WHERE ${found} AND ${only}`
}

function removal({ name, primaries }: TableSchema, wheres: readonly Fields[], only: Sql): Sql {
  const found = matchCondition(Object.keys(wheres[0]!), primaries, 'sought')
  const sought = sql`${recordsOf(name, wheres)} AS sought`
  return sql`DELETE FROM ${sql.table(name)} AS old USING ${sought} WHERE ${found} AND ${only}`
}

/**
 * Matches NULL as well, except in primary keys:
 * they are never NULL, and IS NOT DISTINCT FROM would not use their index.
 */
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

/** Values are sent as one JSON text, which PostgreSQL converts to the column types of the table. */
const recordsOf = (name: string, rows: readonly Fields[]) =>
  sql`json_populate_recordset(NULL::${sql.table(name)}, ${JSON.stringify(rows.map(withColumnNames))})`

const pairsOf = (name: string, changes: readonly RowChange[]) => sql`
  json_array_elements(${JSON.stringify(changes.map(({ where, fields }) => [withColumnNames(where), withColumnNames(fields)]))}::json) AS pair,
  json_populate_record(NULL::${sql.table(name)}, pair -> 0) AS sought,
  json_populate_record(NULL::${sql.table(name)}, pair -> 1) AS fresh`

const withColumnNames = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([field, value]) => [snakeCase(field), value]))

/**
 * Returns the fields without undefined ones.
 * It avoids a copy in the usual case, because it runs for every row change.
 */
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
