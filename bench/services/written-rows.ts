/**
 * The rows that one request writes, as a pattern for its twin: which tables, which values, and which of them are new
 * each time.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'

export interface WrittenTable {
  /** With its schema. */
  readonly table: string
  readonly columns: readonly string[]
  /** Values as Postgres prints them. */
  readonly rows: readonly (readonly (string | null)[])[]
}

export interface WrittenRows {
  readonly tables: readonly WrittenTable[]
  /** Ids and keys of unique constraints that are new in each request. */
  readonly fresh: readonly string[]
  /** The least position of its events. */
  readonly position: number
  /** The body of its answer. */
  readonly answer: string
}

/**
 * What a read model shows, and what must be durable before the answer: not telemetry, and not how far the read models
 * are.
 */
const TABLES = `
  SELECT schemaname || '.' || tablename AS name FROM pg_tables
  WHERE schemaname IN ('store', 'vault', 'read') AND tablename NOT IN ('projection')`
const COLUMNS = `
  SELECT attname AS name FROM pg_attribute
  WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`

/** Until every read model shows every event. @throws if that takes longer than any load leaves to do */
export async function untilProjected(client: pg.Client): Promise<void> {
  const until = performance.now() + PROJECTED_WITHIN_MS
  while (performance.now() < until) {
    const { rows } = await client.query<{ isShown: boolean }>(
      `SELECT (SELECT min(position) FROM read.projection) >= (SELECT max(pos) FROM store.event) AS "isShown"`,
    )
    if (rows[0]!.isShown) return
    await pause(PROJECTED_POLL_MS)
  }
  throw new Error('The read models do not catch up with the log')
}

const PROJECTED_POLL_MS = 20
const PROJECTED_WITHIN_MS = 60_000

/** The request is sent twice: what only the second one wrote is new in each. Nothing else may be written meanwhile. */
export async function writtenRows(client: pg.Client, request: () => Promise<object>): Promise<WrittenRows> {
  const before = JSON.stringify(await writtenBy(client, request))
  const { answer, tables } = await writtenBy(client, request)
  const events = tables.find(({ table }) => table === 'store.event')!
  const at = events.columns.indexOf('pos')
  const fresh = idsIn(tables).filter((id) => !before.includes(id))
  return { tables, fresh, answer, position: Math.min(...events.rows.map((row) => Number(row[at]))) }
}

/** Longest first, because one may contain another. */
export function idsIn(tables: readonly WrittenTable[]): string[] {
  const text = JSON.stringify(tables)
  const claims = tables.find(({ table }) => table === 'store.claim')
  const keyAt = claims?.columns.indexOf('key') ?? -1
  const keys = claims?.rows.map((row) => row[keyAt]!) ?? []
  return [...new Set([...keys, ...(text.match(ID) ?? [])])].toSorted((one, other) => other.length - one.length)
}

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

async function writtenBy(client: pg.Client, request: () => Promise<object>) {
  await untilProjected(client)
  const { rows: began } = await client.query<{ xid: string }>('SELECT pg_current_xact_id()::text AS xid')
  const answer = JSON.stringify(await request())
  await untilProjected(client)
  const { rows: names } = await client.query<{ name: string }>(TABLES)
  const tables: WrittenTable[] = []
  for (const { name: table } of names) {
    const { rows: found } = await client.query<{ name: string }>(COLUMNS, [table])
    const columns = found.map(({ name }) => name)
    const texts = columns.map((name) => `${client.escapeIdentifier(name)}::text`).join(', ')
    const { rows } = await client.query<(string | null)[]>({
      text: `SELECT ${texts} FROM ${table} WHERE xmin::text::bigint > $1`,
      values: [began[0]!.xid],
      rowMode: 'array',
    })
    if (rows.length > 0) tables.push({ table, columns, rows })
  }
  return { answer, tables }
}

/** Empty copies of the tables with their indexes, in the schema of the twin. */
export async function copyTables(client: pg.Client, names: Iterable<string>): Promise<void> {
  await client.query('CREATE SCHEMA IF NOT EXISTS bare')
  for (const name of names)
    await client.query(`CREATE TABLE IF NOT EXISTS ${copyOf(name)} (LIKE ${name} INCLUDING ALL)`)
}

export const copyOf = (table: string): string => `bare.${table.split('.')[1]}`
