/** What was delivered to an application in the last 24 hours: telemetry. One delivery is taken once, by one process. */
import { hash } from 'node:crypto'
import type { Pool } from 'pg'

export const OUTCOMES = ['QUEUED', 'UNCHANGED', 'IGNORED', 'DUPLICATE'] as const
/** Of a delivery that was taken. One that was refused may come again. */
export const SHOWN_OUTCOMES = ['QUEUED', 'UNCHANGED', 'IGNORED', 'REFUSED'] as const
export type DeliveryOutcome = (typeof OUTCOMES)[number]

const KEPT_MS = 24 * 3_600_000
/** No delivery is worked on for so long, so the process that has taken it has died. */
const ABANDONED_MS = 60_000
const SHOWN_MAX = 100

const FORGET_STALE = `DELETE FROM telemetry.application_delivery
  WHERE application_id = $1 AND (at <= $2 OR (outcome IS NULL AND at <= $3))`
const TAKE = `INSERT INTO telemetry.application_delivery (application_id, delivery_id, body_hash, event, at)
  VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING id`
const END = 'UPDATE telemetry.application_delivery SET outcome = $2, status = $3 WHERE id = $1'
const END_AND_FREE = `UPDATE telemetry.application_delivery
  SET outcome = 'REFUSED', status = $2, delivery_id = NULL, body_hash = NULL WHERE id = $1`
const RECENT = `SELECT at, event, outcome, status FROM telemetry.application_delivery
  WHERE application_id = $1 AND at > $2 AND outcome IS NOT NULL ORDER BY at DESC, id DESC LIMIT ${SHOWN_MAX}`
const FORGET = 'DELETE FROM telemetry.application_delivery WHERE at <= $1'

export interface ArrivedDelivery {
  readonly applicationId: string
  /** Null: the provider gives none. */
  readonly deliveryId: string | null
  readonly event: string
  readonly body: Buffer
  readonly now: Date
}

const before = (now: Date, ms: number): Date => new Date(now.getTime() - ms)

/** @returns undefined if its id or its bytes came before */
export async function takeDelivery(pool: Pool, arrived: ArrivedDelivery): Promise<string | undefined> {
  const { applicationId, deliveryId, event, body, now } = arrived
  await pool.query(FORGET_STALE, [applicationId, before(now, KEPT_MS), before(now, ABANDONED_MS)])
  const bodyHash = hash('sha256', body, 'buffer')
  const { rows } = await pool.query<{ id: string }>(TAKE, [applicationId, deliveryId, bodyHash, event, now])
  return rows[0]?.id
}

export async function endDelivery(pool: Pool, id: string, outcome: DeliveryOutcome, status: number): Promise<void> {
  await pool.query(END, [id, outcome, status])
}

/** The provider may send it again. */
export async function refuseDelivery(pool: Pool, id: string, status: number): Promise<void> {
  await pool.query(END_AND_FREE, [id, status])
}

export interface ShownDelivery {
  readonly at: string
  readonly event: string
  readonly outcome: (typeof SHOWN_OUTCOMES)[number]
  readonly status: number
}

/** The newest 100, newest first. */
export async function recentDeliveries(pool: Pool, applicationId: string, now: Date): Promise<ShownDelivery[]> {
  const { rows } = await pool.query<Omit<ShownDelivery, 'at'> & { readonly at: string | Date }>(RECENT, [
    applicationId,
    before(now, KEPT_MS),
  ])
  return rows.map(({ at, ...shown }) => ({ ...shown, at: new Date(at).toISOString() }))
}

export async function forgetDeliveries(pool: Pool, now: Date): Promise<void> {
  await pool.query(FORGET, [before(now, KEPT_MS)])
}
