/**
 * A read model: a table whose columns are declared once, and the event handlers that fill it. The DDL, the row type,
 * the writes and the opening of sealed columns are derived. Any read model can be rebuilt from the events at any
 * time.
 */
import { sql } from 'kysely'
import type { AliasedExpression, RawBuilder, SelectQueryBuilder } from 'kysely'
import type { EventType, Metadata, Stream } from '../events/event.ts'
import type { JsonObject, Position, Revision } from '../events/store-port.ts'
import { snakeCase } from '../lib/snake-case.ts'
import type { Vault } from '../vault/vault.ts'
import type { CopyColumn } from './copy-text-format.ts'
import type { ReadDatabase } from './read-database.ts'
import type { TableSchema, RowBuffer } from './row-buffer.ts'

/** An event as projections get it: in its newest version, with sealed fields still sealed. */
export interface ProjectedEvent {
  readonly type: string
  readonly eventType: EventType
  readonly data: JsonObject
  readonly id: string
  readonly position: Position
  readonly stream: string
  readonly revision: Revision
  /** RFC 3339. */
  readonly at: string
  readonly metadata: Metadata
}

export interface Column<Value = unknown> {
  readonly sql: string
  readonly primary?: boolean
  readonly sealed?: ColumnSeal
  readonly value?: Value
}

interface ColumnSeal {
  readonly field: string
  /** The subject whose key opens the column. A method, because each seal says which fields of the row it reads. */
  subject(row: object): string
}

const column = <Value>(type: string, more: Partial<Column<Value>> = {}): Column<Value> => ({ sql: type, ...more })
const orNull = <Value>(one: Column<Value>): Column<Value | null> => ({ ...one, sql: one.sql.replace(' NOT NULL', '') })

export const key = column<string>('uuid NOT NULL', { primary: true })
export const id = column<string>('uuid NOT NULL')
export const text = column<string>('text COLLATE "C" NOT NULL')
/** A text from a fixed set of words. */
export const oneOf = <Value extends string>(): Column<Value> => column<Value>('text COLLATE "C" NOT NULL')
export const texts = column<string[]>('text[] NOT NULL')
export const integer = column<number>('bigint NOT NULL')
export const bool = column<boolean>('boolean NOT NULL')
/** RFC 3339 in rows, timestamptz in the table. */
export const timestamptz = column<string>('timestamptz NOT NULL')
export const json = <Value>(): Column<Value> => column<Value>('jsonb NOT NULL')
export const nullable = orNull
export const primary = <Value>(one: Column<Value>): Column<Value> => ({ ...one, primary: true })
/** The ciphertext of an event's field; `field` is the name of that field. */
export const sealedText = <Row extends object>(field: string, subject: (row: Row) => string): Column<string> =>
  column<string>('text NOT NULL', { sealed: { field, subject } })

export type Columns = Readonly<Record<string, Column>>
export type RowOf<C extends Columns> = { [Name in keyof C]: C[Name] extends Column<infer Value> ? Value : never }

/** Buffers changes, which are written later together with those of other events. */
export interface TableWriter<Row> {
  insert(row: Row): undefined
  update(where: Partial<Row>, change: Partial<Row>): undefined
  remove(where: Partial<Row>): undefined
  /** The rows with these fields. A read model that is `recalling` finds those that it names for the event. */
  find(where: Partial<Row>): readonly Row[]
}

/** The rows that the handler of an event reads. A method, so that read models of all rows fit in one list. */
export interface Recall<Row> {
  rows(event: ProjectedEvent): readonly Partial<Row>[]
}

type Fields = Readonly<Record<string, unknown>>
/** Must be synchronous: the result of a promise would be ignored, so an async handler does not compile. */
type Handler<Row, Data> = (table: TableWriter<Row>, data: Data, event: ProjectedEvent) => undefined
type Handlers<Row, S> =
  S extends Stream<infer Types>
    ? {
        [T in Types[number] as T['type']]?: T extends EventType<string, infer Data> ? Handler<Row, Data> : never
      }
    : never

export interface ReadModel<
  C extends Columns = Columns,
  Row = RowOf<C>,
  Name extends string = string,
> extends Table<Row> {
  readonly name: Name
  /** To be raised when columns or handlers change; the table is then rebuilt. */
  readonly version: number
  readonly columns: C
  readonly table: string
  readonly indexes: readonly string[]
  /**
   * Whether authentication or authorization reads this table.
   * Then the reply to a strict event waits until the table shows it.
   */
  readonly isForGate: boolean
  isFedBy(eventType: string): boolean
  forGate(): ReadModel<C, Row, Name>
  from<S extends Stream>(stream: S, handlers: Handlers<Row, S>): ReadModel<C, Row, Name>
  /** As `from`, of one event type: for declarations that compute the names of their events. */
  on<Data>(eventType: EventType<string, Data>, handler: Handler<Row, Data>): ReadModel<C, Row, Name>
  fromAll(handler: Handler<Row, JsonObject>): ReadModel<C, Row, Name>
  /**
   * For a table whose rows follow from earlier rows. Handlers find the rows that are named here, each by one field, and
   * only insert: an inserted row replaces the row with the same key.
   */
  recalling(of: Recall<Row>): ReadModel<C, Row, Name>
  readonly recall: Recall<Row> | undefined
  schema(into?: string): TableSchema
  /** @param into the table that a rebuild fills, in camelCase; the default is its own table */
  writer(writes: RowBuffer, into?: string): TableWriter<Row>
  /** @param table a writer of this read model */
  apply(table: TableWriter<Row>, event: ProjectedEvent): void
  /** The column in a fragment of SQL, for queries that name the table as `queryIn` does. */
  ref<Field extends keyof Row & string>(field: Field): RawBuilder<Row[Field]>
  /** `SELECT … FROM read.<table>`, under the name of the read model. */
  queryIn(read: ReadDatabase): SelectQueryBuilder<Record<Name, Row>, Name, {}>
  /** Opens the sealed columns of rows, with one query for all keys. Columns of erased subjects read ERASED. */
  open<R extends object>(vault: Vault, rows: readonly R[]): Promise<R[]>
}

/** A table as queries name it. */
export interface Table<Row> {
  /** `read.users AS owner`, for the FROM or the JOIN of a query. */
  as<Alias extends string>(alias: Alias): AliasedExpression<Row, Alias>
}

/** A table that no read model fills, such as one of telemetry. @param name in camelCase, with its schema */
export const otherTable = <Row>(name: string): Table<Row> => ({
  as: (alias) => sql<Row>`${sql.table(name)}`.as(alias),
})

/** `indexes` are SQL column lists such as `(status, created_at)`. */
export function readModel<C extends Columns, const Name extends string>(
  name: Name,
  version: number,
  columns: C,
  indexes: readonly string[] = [],
): ReadModel<C, RowOf<C>, Name> {
  type Row = RowOf<C>
  const handlers = new Map<string, Handler<Row, any>>()
  let forAll: Handler<Row, JsonObject> | undefined
  let isForGate = false
  let recall: Recall<Row> | undefined
  const own = tableSchemaOf(name, columns)

  const model: ReadModel<C, Row, Name> = {
    name,
    version,
    columns,
    table: snakeCase(name),
    indexes,
    get isForGate() {
      return isForGate
    },
    forGate() {
      isForGate = true
      return model
    },
    isFedBy: (eventType) => forAll !== undefined || handlers.has(eventType),
    from(_stream, given) {
      for (const [type, handler] of Object.entries(given)) handlers.set(type, handler as Handler<Row, any>)
      return model
    },
    on({ type }, handler) {
      handlers.set(type, handler)
      return model
    },
    fromAll(handler) {
      forAll = handler
      return model
    },
    recalling(of) {
      recall = of
      return model
    },
    get recall() {
      return recall
    },
    schema(into = name) {
      if (into === name && !recall) return own
      return { ...own, name: `read.${into}`, isReplaced: recall !== undefined }
    },
    writer: (writes, into) => tableWriter(writes, model.schema(into)),
    apply(table, event) {
      const handler = forAll ?? handlers.get(event.type)
      handler?.(table, event.data, event)
    },
    ...otherTable<Row>(`read.${name}`),
    ref: (field) => sql.ref(`${name}.${field}`),
    queryIn: (read) => read.selectFrom(model.as(name)),
    open: (vault, rows) => openRows(columns, vault, rows),
  }
  return model
}

function tableWriter<Row>(writes: RowBuffer, table: TableSchema): TableWriter<Row> {
  return {
    insert(row) {
      writes.insert(table, row as Fields)
    },
    update(where, change) {
      writes.update(table, where, change)
    },
    remove(where) {
      writes.remove(table, where)
    },
    find: (where) => writes.find(table, where) as Row[],
  }
}

function tableSchemaOf(name: string, columns: Columns): TableSchema {
  const primaries = Object.keys(columns).filter((field) => columns[field]?.primary)
  const spellings = primaries.map((field) => {
    const isUuid = columns[field]!.sql.startsWith('uuid')
    return (fields: Fields) => (isUuid ? String(fields[field]).toLowerCase() : String(fields[field]))
  })
  const [only, ...others] = spellings
  return {
    name: `read.${name}`,
    primaries,
    columns: Object.entries(columns).map(([field, { sql }]) => ({ field, kind: kindOf(sql) })),
    keyOf: only && others.length === 0 ? only : (fields) => JSON.stringify(spellings.map((spell) => spell(fields))),
  }
}

function kindOf(type: string): CopyColumn['kind'] {
  if (type.startsWith('uuid')) return 'uuid'
  if (type.startsWith('json')) return 'json'
  return type.includes('[]') ? 'array' : 'plain'
}

async function openRows<R extends object>(columns: Columns, vault: Vault, rows: readonly R[]): Promise<R[]> {
  const sealedColumns = Object.entries(columns).filter(([, { sealed }]) => sealed)
  if (sealedColumns.length === 0) return [...rows]
  await vault.loadKeys(rows.flatMap((row) => sealedColumns.map(([, { sealed }]) => sealed!.subject(row))))
  return Promise.all(
    rows.map(async (row) => {
      const opened = { ...row } as Record<string, unknown>
      for (const [name, { sealed }] of sealedColumns) {
        const text = opened[name]
        if (typeof text !== 'string') continue
        opened[name] = await vault.open(text, { subject: sealed!.subject(row), field: sealed!.field })
      }
      return opened as R
    }),
  )
}

/** The DDL of the table without indexes, for the projector's role in schema `read`. @param name in camelCase */
export function tableDdl({ columns }: ReadModel, name: string): string {
  const lines = Object.entries(columns).map(([field, { sql }]) => `${snakeCase(field)} ${sql}`)
  return `CREATE TABLE read.${snakeCase(name)} (${lines.join(', ')})`
}

export function primaryKeyDdl({ columns }: ReadModel, name: string): string {
  const primaries = Object.keys(columns).filter((field) => columns[field]!.primary)
  return `ALTER TABLE read.${snakeCase(name)} ADD PRIMARY KEY (${primaries.map(snakeCase).join(', ')})`
}

/** The DDL of the secondary indexes. Creating them on a full table is faster than maintaining them for each row. */
export const indexDdl = ({ indexes }: ReadModel, name: string): string[] =>
  indexes.map((list) => `CREATE INDEX ON read.${snakeCase(name)} ${list}`)

export { sql }
