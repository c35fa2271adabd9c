/**
 * Finds the row in a broken range that was written later than its neighbours. Appending transactions run one after
 * another, so unaltered rows were written in the order of their positions. Each chain row was written in the
 * transaction of its events. PostgreSQL stores the number of that transaction, xmin, in every row. An attacker can
 * imitate xmin with effort, so this is only a hint; the hash is the proof.
 */
import type { Pool } from 'pg'
import type { Position } from '../events/store-port.ts'

/** Reading every row of a longer range takes too long for a hint. */
const STRETCH_MAX = 100_000

/** Reads some rows after the range too, so that its last row has later neighbours. An older row has the greater age. */
const WRITTEN_LATE = `
  WITH written AS (
    SELECT pos AS position, pos AS at, 0 AS kind, age(xmin) AS age FROM store.event WHERE pos BETWEEN $1 AND $3
    UNION ALL
    SELECT lag(to_pos, 1, $1 - 1) OVER (ORDER BY to_pos) + 1, to_pos, 1, age(xmin) FROM store.chain WHERE to_pos BETWEEN $1 AND $3
  ), compared AS (
    SELECT *, max(age) OVER (ORDER BY at DESC, kind DESC) AS oldest_since FROM written
  )
  SELECT
    (SELECT min(position) FROM compared WHERE age < oldest_since AND at <= $2 AND kind = 0) AS event,
    (SELECT min(position) FROM compared WHERE age < oldest_since AND at <= $2) AS anything`

const NEIGHBOURS = 1_000

/** @returns the first position of the range that seems altered; undefined when none does */
export async function findSuspectRow(
  pool: Pool,
  { position, through }: { position: Position; through: Position },
): Promise<Position | undefined> {
  if (through - position > STRETCH_MAX) return undefined
  const { rows } = await pool.query<Record<'event' | 'anything', Position | null>>(WRITTEN_LATE, [
    position,
    through,
    through + NEIGHBOURS,
  ])
  return rows[0]!.event ?? rows[0]!.anything ?? undefined
}
