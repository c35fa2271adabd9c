/** Writes the rows of one request with new ids into the twin's tables: one INSERT for each table. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { PoolClient, QueryConfig } from 'pg'
import { copyOf } from '../written-rows.ts'
import type { WrittenRows, WrittenTable } from '../written-rows.ts'

const POSITIONS: readonly string[] = ['pos', 'to_pos', 'position']
const UUID_LENGTH = 36

/** New values for what is new in each request. */
export interface Fresh {
  readonly values: readonly string[]
  /** Added to the positions of the pattern. */
  readonly positions: number
}

type Filled = (fresh: Fresh) => string | null

export interface RowWriter {
  readonly fresh: () => Fresh
  readonly answer: (fresh: Fresh) => string
  readonly write: (client: PoolClient, fresh: Fresh) => Promise<void>
}

export function rowWriter({ tables, fresh, answer, position }: WrittenRows): RowWriter {
  const filled = fillerOf(fresh)
  const inserts = tables.map((table) => insertOf(table, filled, fresh))
  const events = tables.find(({ table }) => table === 'store.event')!.rows.length
  return {
    fresh() {
      const positions = nextPosition - position
      nextPosition += events
      return { values: fresh.map(newValue), positions }
    },
    answer: filled(answer) as (fresh: Fresh) => string,
    async write(client, values) {
      for (const insert of inserts) await client.query(insert(values))
    },
  }
}

/** One log for all that the twin writes, counted in its process. */
let nextPosition = 1

const newValue = (like: string): string =>
  like.length === UUID_LENGTH ? randomUUID() : randomBytes(like.length).toString('base64url').slice(0, like.length)

const escaped = (text: string): string => text.replaceAll(/[^A-Za-z0-9]/g, String.raw`\$&`)

/** @param ids longest first */
function fillerOf(ids: readonly string[]): (text: string | null) => Filled {
  const pattern = new RegExp(`(${ids.map(escaped).join('|')})`)
  return (text) => {
    const parts = text?.split(pattern) ?? []
    if (parts.length < 2) return () => text
    // Every second part is an id.
    const places = parts.map((part, nth) => (nth % 2 === 0 ? part : ids.indexOf(part)))
    return ({ values }) => places.map((each) => (typeof each === 'string' ? each : values[each])).join('')
  }
}

/**
 * A row whose key, its first column, is not new in each request replaces the row that is there in a read model, and is
 * left out where it is a data key: the one of the hour is in the rows of a request that was the first of its hour.
 */
function conflictOf({ table, columns, rows }: WrittenTable, fresh: readonly string[]): string {
  if (table === 'vault.data_key') return ` ON CONFLICT (${columns[0]}) DO NOTHING`
  const isNew = (row: readonly (string | null)[]) => fresh.some((id) => row[0]?.includes(id))
  if (!table.startsWith('read.') || rows.every(isNew)) return ''
  return ` ON CONFLICT (${columns[0]}) DO UPDATE SET ${columns.map((name) => `${name} = excluded.${name}`).join(', ')}`
}

function insertOf(
  written: WrittenTable,
  filled: (text: string | null) => Filled,
  ids: readonly string[],
): (fresh: Fresh) => QueryConfig {
  const { table, columns, rows } = written
  const all = rows.flatMap((row) =>
    row.map((text, at): Filled => {
      if (!POSITIONS.includes(columns[at]!)) return filled(text)
      return ({ positions }) => String(Number(text) + positions)
    }),
  )
  const places = rows.map(
    (_row, nth) => `(${columns.map((_name, at) => `$${nth * columns.length + at + 1}`).join(', ')})`,
  )
  const text = `INSERT INTO ${copyOf(table)} (${columns.join(', ')}) VALUES ${places.join(', ')}${conflictOf(written, ids)}`
  const name = `${table} ${rows.length}`
  return (fresh: Fresh): QueryConfig => ({ name, text, values: all.map((each) => each(fresh)) })
}
