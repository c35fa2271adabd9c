/**
 * Look-ups by key, for the gate and for reads of one row. The statement of a look-up is fixed, so each connection
 * prepares it once. Look-ups that concurrent requests ask for are gathered into one statement. Nothing is cached: each
 * is answered by a statement that was sent after it was asked.
 */
import { CompiledQuery, sql } from 'kysely'
import type { RawBuilder, SelectQueryBuilder, Expression } from 'kysely'
import { RequestCoalescer } from '../lib/request-coalescer.ts'
import { lookupDatabaseOf } from './read-database.ts'
import type { ReadDatabase } from './read-database.ts'
import type { Columns, ReadModel, RowOf } from './read-model.ts'

/** @returns undefined if no row has the key. Rows may be shared: two callers that ask for one key get the same object. */
export type Lookup<Key, Found> = (read: ReadDatabase, key: Key) => Promise<Readonly<Found> | undefined>

/** The parameters of one look-up, as columns that its query may compare with. */
type Asked<C extends Columns> = { readonly [Name in keyof C]: RawBuilder<RowOf<C>[Name]> }

type Key = Readonly<Record<string, unknown>>

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

interface ParameterType {
  readonly list: RawBuilder<unknown>
  /** One bad value would make the statement fail for all that share it. */
  accepts(value: unknown): boolean
}

interface Parameter extends ParameterType {
  readonly field: string
}

const PARAMETER_TYPES: Readonly<Record<string, ParameterType>> = {
  uuid: { list: sql`uuid[]`, accepts: (value) => typeof value === 'string' && UUID.test(value) },
  text: { list: sql`text[]`, accepts: (value) => typeof value === 'string' && !value.includes('\0') },
}

/**
 * Declares a look-up. A key with a value that its column cannot hold finds nothing.
 * @param by the columns of the key; at most one row has a key
 * @param select what is read of the row, with joins if it needs any
 * @param others parameters besides the key
 */
export function lookup<
  C extends Columns,
  Row extends object,
  Name extends string,
  By extends keyof Row & keyof C & string,
  Found extends object,
  Others extends Columns = {},
>(
  table: ReadModel<C, Row, Name>,
  by: readonly By[],
  select: (rows: SelectQueryBuilder<Record<Name, Row>, Name, {}>, asked: Asked<Others>) => Expression<Found>,
  others?: Others,
): Lookup<Pick<Row, By> & RowOf<Others>, Found> {
  const parameters = parametersOf({
    ...Object.fromEntries(by.map((field) => [field, table.columns[field]!])),
    ...others,
  })
  const asked = Object.fromEntries(parameters.map(({ field }) => [field, askedColumn(field)])) as Asked<Others>
  const coalescers = new WeakMap<ReadDatabase, RequestCoalescer<Key, Found | undefined>>()

  function coalescerFor(read: ReadDatabase): RequestCoalescer<Key, Found | undefined> {
    const known = coalescers.get(read)
    if (known) return known
    const keyed = by.reduce(
      (rows, field) => rows.where(sql<boolean>`${table.ref(field)} = ${askedColumn(field)}`),
      table.queryIn(read),
    )
    const made = new RequestCoalescer(gathered(read, parameters, select(keyed, asked)))
    coalescers.set(read, made)
    return made
  }

  const isAccepted = (key: Key): boolean =>
    parameters.every(({ field, accepts }) => key[field] === null || accepts(key[field]))
  return async (read, key) => (isAccepted(key) ? coalescerFor(lookupDatabaseOf(read)).add(key) : undefined)
}

const askedColumn = <Value>(field: string): RawBuilder<Value> => sql.ref(`asked.${field}`)

/** @throws Error for a column of another type */
const parametersOf = (columns: Columns): readonly Parameter[] =>
  Object.entries(columns).map(([field, { sql: declared }]) => {
    const type = PARAMETER_TYPES[declared.split(' ')[0]!]
    if (!type) throw new Error(`A look-up has no parameters such as ${field}, which is ${declared}`)
    return { field, ...type }
  })

/**
 * A statement for any number of keys. Equal keys are asked for once. LIMIT keeps the query of a key apart: a join with
 * the keys would read a small table whole, and its plan is kept when the table has grown.
 */
function gathered<Found extends object>(
  read: ReadDatabase,
  parameters: readonly Parameter[],
  found: Expression<Found>,
): (keys: readonly Key[]) => Promise<readonly (Found | undefined)[]> {
  const fields = parameters.map(({ field }) => field)
  const statement = sql`
    SELECT found.*, asked.nth::int AS asked_nth
    FROM unnest(${sql.join(parameters.map((each) => sql`${sql.val(each)}::${each.list}`))})
      WITH ORDINALITY AS asked (${sql.join([...fields, 'nth'].map((name) => sql.ref(name)))})
    CROSS JOIN LATERAL (${found} LIMIT 1) AS found`.compile(read)

  return async (keys) => {
    const { asked, nths } = distinct(keys, fields)
    const values = statement.parameters.map((value) => {
      const parameter = parameters.find((each) => each === value)
      return parameter ? asked.map((key) => key[parameter.field]) : value
    })
    const { rows } = await read.executeQuery<Found & Numbered>(CompiledQuery.raw(statement.sql, values))
    const answers = new Map(rows.map((row) => [takeNumber(row), row]))
    return nths.map((nth) => answers.get(nth))
  }
}

interface Numbered {
  askedNth?: number
}

/** Deleting the last property costs nothing. A copy of the row without it would take longer than reading the row. */
function takeNumber(row: Numbered): number {
  const { askedNth } = row
  delete row.askedNth
  return askedNth!
}

/** The different keys, and for each given key its place among them, from 1 on. */
function distinct(keys: readonly Key[], fields: readonly string[]): { asked: readonly Key[]; nths: readonly number[] } {
  const asked: Key[] = []
  const places = new Map<string, number>()
  const nths = keys.map((key) => {
    const spelling = JSON.stringify(fields.map((field) => key[field]))
    const nth = places.get(spelling) ?? asked.push(key)
    places.set(spelling, nth)
    return nth
  })
  return { asked, nths }
}

/** Look-ups of whole rows, by table, and then by the names of the key's columns. */
const rowLookups = new WeakMap<object, Map<string, Lookup<Key, object>>>()

/**
 * The row with these values, of which there is at most one.
 * The columns are named, so that a rebuilt table with more of them does not change the statement.
 */
export async function findRow<C extends Columns, Row extends object, Name extends string>(
  read: ReadDatabase,
  table: ReadModel<C, Row, Name>,
  where: Partial<Row>,
): Promise<Readonly<Row> | undefined> {
  const by = Object.keys(where)
  if (by.length === 0) throw new Error('One row is read by at least one value')
  const known = rowLookups.get(table) ?? new Map<string, Lookup<Key, object>>()
  rowLookups.set(table, known)
  const find =
    known.get(by.join()) ?? lookup(table, by as never[], (rows) => rows.select(Object.keys(table.columns) as never))
  known.set(by.join(), find)
  return (await find(read, where)) as Row | undefined
}
