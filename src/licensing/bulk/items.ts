/**
 * The targets of a bulk and their progress. Written before the event, so that no bulk is without
 * its items.
 */
import type { Pool } from 'pg'

export interface BulkItem {
  readonly nth: number
  readonly target: string
}

export type BulkItemStatus = 'DONE' | 'SKIPPED' | 'FAILED'

export interface BulkProgress {
  readonly done: number
  readonly skipped: number
  readonly failed: number
}

const AT_ONCE = 100
const PROBLEMS_SHOWN = 100

const ADD = `INSERT INTO telemetry.bulk_item (bulk_id, nth, target, at)
  SELECT $1, item.nth, item.target, $3 FROM unnest($2::uuid[]) WITH ORDINALITY AS item(target, nth)`
const PENDING = `SELECT nth, target FROM telemetry.bulk_item WHERE bulk_id = $1 AND status = 'PENDING' ORDER BY nth LIMIT ${AT_ONCE}`
const NOTE = `UPDATE telemetry.bulk_item SET status = $3, message = $4 WHERE bulk_id = $1 AND nth = $2 AND status = 'PENDING'`
const PROGRESS = `SELECT count(*) FILTER (WHERE status = 'DONE') AS done, count(*) FILTER (WHERE status = 'SKIPPED') AS skipped,
  count(*) FILTER (WHERE status = 'FAILED') AS failed FROM telemetry.bulk_item WHERE bulk_id = $1`
const PROBLEMS = `SELECT target, status, message FROM telemetry.bulk_item WHERE bulk_id = $1 AND message IS NOT NULL
  ORDER BY nth LIMIT ${PROBLEMS_SHOWN}`
const FORGET = 'DELETE FROM telemetry.bulk_item WHERE at < $1'

export async function addItems(pool: Pool, bulkId: string, targets: readonly string[], at: Date): Promise<void> {
  await pool.query(ADD, [bulkId, targets, at])
}

/** The next pending items, in order. */
export const pendingItems = async (pool: Pool, bulkId: string): Promise<BulkItem[]> =>
  (await pool.query<BulkItem>(PENDING, [bulkId])).rows

export async function noteItem(
  pool: Pool,
  bulkId: string,
  { nth, status, message }: { nth: number; status: BulkItemStatus; message: string | null },
): Promise<void> {
  await pool.query(NOTE, [bulkId, nth, status, message])
}

export const progressOf = async (pool: Pool, bulkId: string): Promise<BulkProgress> =>
  (await pool.query<BulkProgress>(PROGRESS, [bulkId])).rows[0]!

export interface BulkProblem {
  readonly target: string
  readonly status: 'SKIPPED' | 'FAILED'
  readonly message: string
}

export const problemsOf = async (pool: Pool, bulkId: string): Promise<BulkProblem[]> =>
  (await pool.query<BulkProblem>(PROBLEMS, [bulkId])).rows

export async function forgetItems(pool: Pool, before: Date): Promise<void> {
  await pool.query(FORGET, [before])
}
