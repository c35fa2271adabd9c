/**
 * Moves checkpoints and writes the rows of a small batch, as of one command, in one statement: one round trip instead of
 * four, and planned once for each set of tables.
 */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Position } from '../events/store-port.ts'
import { LruMap } from '../lib/lru-map.ts'
import type { ProjectionCheckpoint } from './checkpoints.ts'
import { poolOf } from './read-database.ts'
import type { ReadDatabase } from './read-database.ts'
import type { ReadModel } from './read-model.ts'
import { namedStatements } from './row-buffer.ts'
import type { RowBuffer } from './row-buffer.ts'

/** A connection keeps the plans of named statements: of so many at most, and only of those that come again. */
const NAMED_MAX = 200
const SEEN_MAX = 1_000

const seen = new LruMap<true>(SEEN_MAX)
const named = new Map<string, string>()

export interface CheckpointMove {
  readonly group: readonly ReadModel[]
  readonly from: Position
  readonly to: Position
}

/**
 * Moves all of the checkpoints and writes everything, or nothing when another process has moved one or has parked events.
 * @returns the checkpoints; [] when nothing was written; undefined when the rows need several statements
 */
export async function writeAtOnce(
  database: ReadDatabase,
  { group, from, to }: CheckpointMove,
  writes: RowBuffer,
): Promise<readonly ProjectionCheckpoint[] | undefined> {
  const pool = poolOf(database)
  const statements = writes.statements(sql`EXISTS (SELECT FROM moved)`)
  if (!pool || !statements) return undefined
  const names = group.map(({ name }) => name)
  const versions = group.map(({ version }) => version)
  // FOR UPDATE waits for another process and then sees its checkpoint, unlike a plain count.
  const moving = sql<ProjectionCheckpoint>`WITH
    held AS (SELECT p.name FROM read.projection AS p
      JOIN unnest(${names}::text[], ${versions}::int[]) AS own (name, version) USING (name, version)
      WHERE p.position = ${from} AND p.parked = 0 FOR UPDATE OF p),
    moved AS (UPDATE read.projection AS p SET position = ${to} FROM held
      WHERE p.name = held.name AND (SELECT count(*) FROM held) = ${group.length}
      RETURNING p.name, p.version, p.position, p.parked)
    ${sql.join(
      namedStatements(statements).map((statement) => sql`, ${statement}`),
      sql` `,
    )}
    SELECT * FROM moved`
  const { sql: text, parameters } = moving.compile(database)
  const { rows } = await pool.query<ProjectionCheckpoint>({ name: nameOf(text), text, values: [...parameters] })
  return rows
}

function nameOf(text: string): string | undefined {
  if (!seen.get(text)) seen.set(text, true)
  else if (named.size < NAMED_MAX && !named.has(text))
    named.set(text, createHash('sha256').update(text).digest('base64url'))
  return named.get(text)
}
