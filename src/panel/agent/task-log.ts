/**
 * What a task says while it runs: telemetry. Each line has a number, and is kept once. Of a long log the head and the
 * tail are kept.
 */
import type { Pool } from 'pg'
import type { LogLine } from '../../tasks/protocol.ts'

const HEAD_BYTES = 2 * 1_024 * 1_024
const TAIL_BYTES = 8 * 1_024 * 1_024
/** A log is cut only when it is so much longer, because that reads all of it. */
const SLACK_BYTES = 1_024 * 1_024
export const LINES_MAX = 500
/** What a line takes beside its text, so that empty lines fill a log, too. */
const LINE_BYTES = 64
const SIZE = `octet_length(line) + ${LINE_BYTES}`

const BEGIN = 'INSERT INTO telemetry.task_progress (task_id) VALUES ($1) ON CONFLICT DO NOTHING'
/** The lock lets one request at a time add lines, so that a repeated one finds those of the first. */
const ADD = `WITH
  own AS (SELECT next_seq FROM telemetry.task_progress WHERE task_id = $1 FOR UPDATE),
  fresh AS (SELECT said.* FROM unnest($2::int[], $3::timestamptz[], $4::text[], $5::text[])
    AS said (seq, at, source, line), own WHERE said.seq >= own.next_seq),
  added AS (INSERT INTO telemetry.task_line (task_id, seq, at, source, line) SELECT $1, fresh.* FROM fresh)
  UPDATE telemetry.task_progress AS own SET
    next_seq = greatest(own.next_seq, coalesce((SELECT max(seq) + 1 FROM fresh), 1)),
    bytes = own.bytes + coalesce((SELECT sum(${SIZE}) FROM fresh), 0),
    percent = coalesce($6, own.percent), at = clock_timestamp()
  WHERE task_id = $1 RETURNING own.next_seq AS "nextSeq", own.bytes::int AS bytes`
const CUT = `WITH
  sized AS (SELECT seq, sum(${SIZE}) OVER (ORDER BY seq) AS until,
    sum(${SIZE}) OVER (ORDER BY seq DESC) AS rest FROM telemetry.task_line WHERE task_id = $1),
  gone AS (DELETE FROM telemetry.task_line AS said USING sized
    WHERE said.task_id = $1 AND said.seq = sized.seq AND until > ${HEAD_BYTES} AND rest > ${TAIL_BYTES}
    RETURNING ${SIZE} AS bytes)
  UPDATE telemetry.task_progress SET cut = cut + (SELECT count(*) FROM gone),
    bytes = bytes - coalesce((SELECT sum(gone.bytes) FROM gone), 0) WHERE task_id = $1`
const AFTER = `SELECT seq, at, source AS of, line AS text FROM telemetry.task_line WHERE task_id = $1 AND seq > $2
  ORDER BY seq LIMIT ${LINES_MAX}`
const PROGRESS = 'SELECT cut, percent FROM telemetry.task_progress WHERE task_id = $1'
/** Of several tasks, in the order of their ids here. */
const LAST = `SELECT at, source AS of, line AS text, "all" FROM (
    SELECT said.*, place, sum(${SIZE}) OVER (ORDER BY place DESC, seq DESC) AS rest, (count(*) OVER ())::int AS "all"
    FROM telemetry.task_line AS said JOIN unnest($1::uuid[]) WITH ORDINALITY AS own (task_id, place) USING (task_id)
    WHERE $2::timestamptz IS NULL OR at >= $2) AS sized
  WHERE rest <= $4 ORDER BY place DESC, seq DESC LIMIT $3`
const LAST_BYTES_MAX = 1_024 * 1_024

const FORGET = `WITH old AS (DELETE FROM telemetry.task_progress WHERE at < $1 RETURNING task_id)
  DELETE FROM telemetry.task_line USING old WHERE task_line.task_id = old.task_id`

/** @returns the first line that is not kept yet */
export async function addLines(
  telemetry: Pool,
  taskId: string,
  lines: readonly LogLine[],
  percent: number | null,
): Promise<number> {
  await telemetry.query(BEGIN, [taskId])
  const { rows } = await telemetry.query<{ nextSeq: number; bytes: number }>(ADD, [
    taskId,
    lines.map(({ seq }) => seq),
    lines.map(({ at }) => at),
    lines.map(({ of }) => of),
    lines.map(({ text }) => text),
    percent,
  ])
  const { nextSeq, bytes } = rows[0]!
  if (bytes > HEAD_BYTES + TAIL_BYTES + SLACK_BYTES) await telemetry.query(CUT, [taskId])
  return nextSeq
}

export interface ReadLog {
  readonly lines: (Omit<LogLine, 'at'> & { readonly at: string })[]
  /** Lines that were removed from the middle. */
  readonly cut: number
  readonly percent: number | null
}

/** @param after the number of the last line that the reader has */
export async function readLog(telemetry: Pool, taskId: string, after: number): Promise<ReadLog> {
  const [lines, progress] = await Promise.all([
    telemetry.query<ReadLog['lines'][number]>(AFTER, [taskId, after]),
    telemetry.query<Pick<ReadLog, 'cut' | 'percent'>>(PROGRESS, [taskId]),
  ])
  const { cut = 0, percent = null } = progress.rows[0] ?? {}
  return { lines: lines.rows, cut, percent }
}

export type TaskLine = Pick<ReadLog['lines'][number], 'at' | 'of' | 'text'>

interface LastLines {
  readonly lines: TaskLine[]
  /** There are older ones. */
  readonly isCut: boolean
}

/**
 * The newest lines of several tasks in their order, at most 1 MiB of them.
 * @param since an RFC 3339 moment; null: from the first line on
 */
export async function lastLines(
  telemetry: Pool,
  taskIds: readonly string[],
  { since, most }: { readonly since: string | null; readonly most: number },
): Promise<LastLines> {
  const { rows } = await telemetry.query<TaskLine & { all: number }>(LAST, [taskIds, since, most, LAST_BYTES_MAX])
  const isCut = (rows[0]?.all ?? 0) > rows.length
  return { lines: rows.map(({ at, of, text }) => ({ at, of, text })).toReversed(), isCut }
}

export const forgetLogs = async (telemetry: Pool, before: Date): Promise<void> => {
  await telemetry.query(FORGET, [before])
}
