/** Webhook deliveries in telemetry: which are waiting, which are next, and their results. */
import type { Pool } from 'pg'
import type { Position } from '#kernel/events/store-port'
import type { TimerOccurrence } from '#kernel/jobs/timer'
import type { DeliveryAttempt } from '#projections/licensing/webhooks'

/** The delay before each attempt, after the failure of the one before; the first attempt is immediate. */
export const ATTEMPT_AFTER_MS = [0, 5e3, 60e3, 300e3, 1_800e3, 7_200e3, 18_000e3, 36_000e3, 50_400e3, 72_000e3] as const
export const ATTEMPTS_MAX = ATTEMPT_AFTER_MS.length
const DAYS_KEPT = 30
const FORGOTTEN_AT_ONCE = 10_000

/** Longer than one attempt may take. */
const ATTEMPT_LOCK_MS = 20_000
/**
 * Concurrent attempts per webhook, and one per failing webhook: a slow receiver must not take the
 * capacity of all others.
 */
export const CONCURRENT_ATTEMPTS_MAX = 4
/** Due deliveries of one webhook per scan. */
const DUE_EACH = 16
const TRIES_KEPT = 50

export interface Delivery {
  readonly id: string
  readonly webhookId: string
  readonly position: Position
  readonly type: string
  readonly subjectType: string
  readonly subjectId: string
  readonly payload: string
  readonly isPing: boolean
  readonly attemptsMax: number
}

const EARLIER_ROW = `EXISTS (SELECT FROM telemetry.webhook_delivery AS earlier
    WHERE earlier.webhook_id = delivery.webhook_id AND earlier.subject_type = delivery.subject_type
      AND earlier.subject_id = delivery.subject_id AND earlier.status = 'WAITING' AND NOT earlier.out_of_turn
      AND earlier.position < delivery.position)`
/** An earlier event without a row yet may concern the same subject, because reactions run concurrently. */
const EARLIER_EVENT = `EXISTS (SELECT FROM telemetry.work_pending AS pending
    WHERE pending.reaction = 'webhooks' AND pending.position < delivery.position)`

const ADD = `INSERT INTO telemetry.webhook_delivery
    (id, webhook_id, position, type, subject_type, subject_id, payload, is_ping, out_of_turn, attempts_max, next_at, created_at)
  SELECT id, webhook_id, position, type, subject_type, subject_id, payload, is_ping, is_ping, attempts_max, $2::timestamptz, $2::timestamptz
  FROM jsonb_to_recordset($1) AS given (id uuid, webhook_id uuid, position bigint, type text, subject_type text,
    subject_id text, payload text, is_ping boolean, attempts_max int)
  ON CONFLICT DO NOTHING`

const OF_WHOM = `SELECT webhook_id AS "webhookId", is_ping AS "isPing", NOT out_of_turn AND EXISTS (
    SELECT FROM telemetry.work_pending AS pending WHERE pending.reaction = 'webhooks'
      AND pending.position < delivery.position AND pending.since > clock_timestamp() - interval '10 seconds') AS "isEarly"
  FROM telemetry.webhook_delivery AS delivery WHERE id = $1 AND status = 'WAITING' AND next_at <= $2`

const ACQUIRE = `UPDATE telemetry.webhook_delivery AS delivery SET next_at = $3, trying_until = $3
  WHERE id = $1 AND status = 'WAITING' AND next_at <= $2
    AND ($4 OR out_of_turn OR NOT (${EARLIER_ROW} OR ${EARLIER_EVENT}))
    AND (SELECT count(*) FROM telemetry.webhook_delivery AS tried
      WHERE tried.webhook_id = delivery.webhook_id AND tried.trying_until > $2)
      < CASE WHEN EXISTS (SELECT FROM telemetry.webhook_failing AS failing WHERE failing.webhook_id = delivery.webhook_id)
        THEN 1 ELSE ${CONCURRENT_ATTEMPTS_MAX} END
  RETURNING id, webhook_id AS "webhookId", position, type, subject_type AS "subjectType", subject_id AS "subjectId",
    payload, is_ping AS "isPing", attempts, attempts_max AS "attemptsMax"`

const BUSY = `SELECT webhook_id AS id FROM telemetry.webhook_delivery
  WHERE webhook_id = ANY ($1) AND trying_until > $2 GROUP BY webhook_id HAVING count(*) >= ${CONCURRENT_ATTEMPTS_MAX}`

const NOTE = `UPDATE telemetry.webhook_delivery SET status = $2, next_at = $3, delivered_at = $4, attempts = attempts + 1,
    trying_until = NULL,
    tries = CASE WHEN jsonb_array_length(tries) < ${TRIES_KEPT} THEN tries ELSE tries - 0 END || jsonb_build_array($5::jsonb)
  WHERE id = $1`

/** The deliveries of one webhook that may be attempted by then. */
const WHOSE_TURN_IT_IS = `telemetry.webhook_delivery AS delivery
  WHERE delivery.webhook_id = webhook.id AND delivery.status = 'WAITING' AND delivery.next_at <= $1
    AND (webhook.status = 'ACTIVE' OR webhook.status = 'PENDING' AND is_ping)
    AND (webhook.ordering = 'none' OR out_of_turn OR NOT ${EARLIER_ROW})`

const DUE = `SELECT due.id AS key, due.next_at AS at FROM read.webhooks AS webhook CROSS JOIN LATERAL (
    SELECT delivery.id, next_at, position FROM ${WHOSE_TURN_IT_IS} ORDER BY next_at, position LIMIT ${DUE_EACH}
  ) AS due
  WHERE $3::uuid IS NULL OR webhook.id = $3 ORDER BY due.next_at, due.position LIMIT $2`

const REPEAT = `UPDATE telemetry.webhook_delivery
  SET status = 'WAITING', attempts = 0, attempts_max = ${ATTEMPTS_MAX}, next_at = $3, out_of_turn = true, repeated = $2
  WHERE id = $1 AND repeated < $2`
/** Deliveries that were waiting when a webhook was disabled restart when it is enabled. */
const RESUME = `UPDATE telemetry.webhook_delivery SET attempts = 0, next_at = $2
  WHERE webhook_id = $1 AND status = 'WAITING' AND NOT is_ping`

const FORGET_OLD = `DELETE FROM telemetry.webhook_delivery WHERE id IN (
    SELECT id FROM telemetry.webhook_delivery WHERE created_at < $1 LIMIT ${FORGOTTEN_AT_ONCE})`

const COUNTED = `SELECT
    (SELECT count(*) FROM telemetry.webhook_delivery WHERE status = 'WAITING') AS waiting,
    (SELECT count(*) FROM telemetry.webhook_delivery WHERE status = 'FAILED') AS failed,
    (SELECT coalesce(sum((SELECT count(*) FROM ${WHOSE_TURN_IT_IS})), 0)::bigint FROM read.webhooks AS webhook) AS overdue`
const WEBHOOKS = `SELECT lower(status) AS state, count(*) AS number FROM read.webhooks GROUP BY status
  UNION ALL SELECT 'failing', count(*) FROM telemetry.webhook_failing JOIN read.webhooks ON id = webhook_id`

const FAILS = `INSERT INTO telemetry.webhook_failing AS known (webhook_id, since) VALUES ($1, $2)
  ON CONFLICT (webhook_id) DO UPDATE SET since = known.since RETURNING since`

/**
 * Adds the missing deliveries.
 * @param now the time of the first attempt
 */
export async function addDeliveries(pool: Pool, all: readonly Delivery[], now: Date): Promise<void> {
  const rows = all.map(({ webhookId, subjectType, subjectId, isPing, attemptsMax, ...rest }) => ({
    ...rest,
    webhook_id: webhookId,
    subject_type: subjectType,
    subject_id: subjectId,
    is_ping: isPing,
    attempts_max: attemptsMax,
  }))
  if (rows.length > 0) await pool.query(ADD, [JSON.stringify(rows), now.toISOString()])
}

export interface DueDelivery extends Pick<Delivery, 'webhookId' | 'isPing'> {
  /** An earlier delivery is being decided, so the order is not known yet. */
  readonly isEarly: boolean
}

export async function dueDelivery(pool: Pool, id: string, now: Date): Promise<DueDelivery | undefined> {
  return (await pool.query<DueDelivery>(OF_WHOM, [id, now.toISOString()])).rows[0]
}

export interface AcquiredDelivery extends Delivery {
  /** The number of earlier attempts. */
  readonly attempts: number
}

/**
 * Reserves a delivery for one attempt.
 * @returns undefined if another worker has it, earlier ones come first or the limit of concurrent
 * attempts is reached
 */
export async function tryAcquireDelivery(
  pool: Pool,
  id: string,
  { now, isOrdered }: { now: Date; isOrdered: boolean },
): Promise<AcquiredDelivery | undefined> {
  const until = new Date(now.getTime() + ATTEMPT_LOCK_MS)
  return (await pool.query(ACQUIRE, [id, now.toISOString(), until.toISOString(), !isOrdered])).rows[0]
}

export interface DeliveryState {
  readonly status: 'WAITING' | 'DELIVERED' | 'FAILED'
  /** The time of the next attempt, or null. */
  readonly nextAt: Date | null
}

export async function noteAttempt(
  pool: Pool,
  id: string,
  { status, nextAt }: DeliveryState,
  made: DeliveryAttempt,
): Promise<void> {
  const deliveredAt = status === 'DELIVERED' ? made.at : null
  await pool.query(NOTE, [id, status, nextAt?.toISOString() ?? null, deliveredAt, JSON.stringify(made)])
}

/**
 * Webhooks at their limit of concurrent attempts. Workers that make those attempts will also find
 * deliveries added before this call.
 */
export async function busyWebhooks(pool: Pool, ids: readonly string[], now: Date): Promise<readonly string[]> {
  return (await pool.query<{ id: string }>(BUSY, [ids, now.toISOString()])).rows.map(({ id }) => id)
}

/** Deliveries that are next, the longest waiting first. */
export async function dueDeliveries(
  pool: Pool,
  until: Date,
  limit: number,
  webhookId?: string,
): Promise<TimerOccurrence[]> {
  return (await pool.query<{ key: string; at: string }>(DUE, [until.toISOString(), limit, webhookId ?? null])).rows
}

/** Out of order, because later events have already been sent. Once per request. */
export async function repeatDelivery(pool: Pool, id: string, position: Position, now: Date): Promise<void> {
  await pool.query(REPEAT, [id, position, now.toISOString()])
}

export async function resumeDeliveries(pool: Pool, webhookId: string, now: Date): Promise<void> {
  await pool.query(RESUME, [webhookId, now.toISOString()])
}

export async function forgetDeliveriesOf(pool: Pool, webhookId: string): Promise<void> {
  await pool.query('DELETE FROM telemetry.webhook_delivery WHERE webhook_id = $1', [webhookId])
  await forgetFailing(pool, webhookId)
}

/** Deliveries older than 30 days, in any state. */
export async function forgetOldDeliveries(pool: Pool, now: Date): Promise<void> {
  const before = new Date(now.getTime() - DAYS_KEPT * 86_400_000).toISOString()
  for (let forgotten = FORGOTTEN_AT_ONCE; forgotten === FORGOTTEN_AT_ONCE;)
    forgotten = (await pool.query(FORGET_OLD, [before])).rowCount ?? 0
}

/** @returns when the present series of failures began */
export async function noteFailing(pool: Pool, webhookId: string, at: Date): Promise<Date> {
  const { rows } = await pool.query<{ since: string }>(FAILS, [webhookId, at.toISOString()])
  return new Date(rows[0]!.since)
}

export async function forgetFailing(pool: Pool, webhookId: string): Promise<void> {
  await pool.query('DELETE FROM telemetry.webhook_failing WHERE webhook_id = $1', [webhookId])
}

/** Workers should have attempted a due delivery by then. */
const OVERDUE_AFTER_MS = 120_000

/** Waiting for any reason; failed permanently; and overdue, because no worker attempts them. */
export async function countDeliveries(
  pool: Pool,
  now: Date,
): Promise<Readonly<Record<'waiting' | 'failed' | 'overdue', number>>> {
  return (await pool.query(COUNTED, [new Date(now.getTime() - OVERDUE_AFTER_MS).toISOString()])).rows[0]
}

/** By status, and the number of failing webhooks. */
export async function countWebhooks(pool: Pool): Promise<Readonly<Record<string, number>>> {
  const { rows } = await pool.query<{ state: string; number: number }>(WEBHOOKS)
  return Object.fromEntries(rows.map(({ state, number }) => [state, number]))
}
