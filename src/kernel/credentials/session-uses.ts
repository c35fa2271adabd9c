/**
 * When sessions were last used, to the minute. Rows are deleted 31 days after the last use, because no
 * session lasts longer than 30 days.
 */
import type { Pool } from 'pg'
import { LastUseRecorder, plainSqlName } from './last-uses.ts'

/** In the order of ids, so that two processes cannot deadlock. */
const upsertStatement = (table: string) => `
  WITH used AS (
    INSERT INTO telemetry.${table} AS use (session_id, last_used_at)
    SELECT id, date_trunc('minute', at) FROM unnest($1::uuid[], $2::timestamptz[]) AS noted(id, at) ORDER BY id
    ON CONFLICT (session_id) DO UPDATE SET last_used_at = greatest(use.last_used_at, excluded.last_used_at)
  )
  DELETE FROM telemetry.${table} WHERE last_used_at < now() - interval '31 days'`

export interface SessionUseRecorderDependencies {
  readonly pool: Pool
  /** Each realm has its own table. */
  readonly table: string
  readonly onError?: (error: unknown) => void
}

export function sessionUseRecorder({ pool, table, onError }: SessionUseRecorderDependencies): LastUseRecorder {
  const sql = upsertStatement(plainSqlName(table))
  return new LastUseRecorder({
    onError,
    store: (uses) => pool.query(sql, [uses.map(({ id }) => id), uses.map(({ at }) => at.toISOString())]),
  })
}
