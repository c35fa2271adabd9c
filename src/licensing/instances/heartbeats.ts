/** Signs of life of instances: one row each, written at every heartbeat and no event (licensing.md 7). */
import type { Pool } from 'pg'
import { RequestCoalescer } from '#kernel/lib/request-coalescer'
import { rateCostOf, rateLimitRejection } from '#kernel/credentials/rate-limit'
import type { RateLimit } from '#kernel/credentials/rate-limit'

export interface HeartbeatRecord {
  readonly instanceId: string
  /** The lease that answers it. */
  readonly lease: string
  /** The lease that it goes on from; null: whoever sends it does not know what it was answered last. */
  readonly prevLease: string | null
  readonly usage: Readonly<Record<string, number>> | null
  /** The database's time. */
  readonly now: Date
  /** Until the next heartbeat is due. */
  readonly seconds: number
}

interface HeartbeatResult {
  readonly forked: boolean
  readonly paidUntil: string
  /** Absent: too often. */
  readonly taken: boolean
}

/** Times between two heartbeats in which a lease was left unnamed, one soon after the other, until two panels are suspected. */
const UNNAMED_MAX = 6

/** Between two heartbeats of one panel. */
const PERIOD = '(excluded.due_at - excluded.at)'
/** A panel that has its answer waits for the time that it names, give or take what clocks differ by. */
const IS_EARLY = `excluded.at < h.due_at - ${PERIOD} / 10`
/** Retries after lost answers come close together, and count once. */
const IS_COUNTED = `coalesce(excluded.prev IS NULL AND ${IS_EARLY} AND excluded.at >= coalesce(h.unnamed_at + ${PERIOD}, excluded.at), false)`
/** From zero again once the lease is named, and from one where the last time was long ago. */
const UNNAMED = `CASE
  WHEN excluded.prev = h.lease THEN 0
  WHEN NOT ${IS_COUNTED} THEN h.unnamed
  WHEN h.unnamed_at < excluded.at - ${UNNAMED_MAX} * ${PERIOD} THEN 1
  ELSE least(h.unnamed + 1, ${UNNAMED_MAX}) END`

/**
 * A lease is gone on from once. A panel that goes on from another one than was given last shows that a second panel has gone on from
 * it before: two panels have one key. One that names none may have lost an answer. Two that never name any would stay unseen, so
 * these times are counted.
 */
const GOES_ON = `at = greatest(h.at, excluded.at), lease = excluded.lease, prev = excluded.prev, due_at = excluded.due_at,
  forked = coalesce(excluded.prev <> h.lease, false) OR (${IS_COUNTED} AND ${UNNAMED} = ${UNNAMED_MAX}),
  unnamed = ${UNNAMED}, unnamed_at = CASE WHEN ${IS_COUNTED} THEN excluded.at ELSE h.unnamed_at END`

/** In the order of ids, so that the writers of two processes cannot wait for each other. */
const BEAT = `
  WITH asked AS (
    SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::jsonb[], $5::timestamptz[], $8::int[])
      AS asked (instance_id, lease, prev, usage, now, seconds) ORDER BY instance_id
  ), written AS (
    INSERT INTO telemetry.heartbeat AS h (instance_id, at, lease, prev, usage, paid_until, due_at)
    SELECT instance_id, now, lease, prev, usage, now + make_interval(secs => $6), now + make_interval(secs => seconds) FROM asked
    ON CONFLICT (instance_id) DO UPDATE SET
      ${GOES_ON}, usage = coalesce(excluded.usage, h.usage),
      paid_until = greatest(h.paid_until, excluded.at) + make_interval(secs => $6)
    WHERE greatest(h.paid_until, excluded.at) <= excluded.at + make_interval(secs => $7)
    RETURNING h.instance_id, h.forked, h.paid_until
  )
  SELECT asked.instance_id, written.forked, written.paid_until, h.paid_until AS unpaid_until
  FROM asked LEFT JOIN written USING (instance_id) LEFT JOIN telemetry.heartbeat AS h USING (instance_id)`

const ACTIVATED = `
  INSERT INTO telemetry.heartbeat AS h (instance_id, at, lease, paid_until, due_at)
  VALUES ($1, $2, $3, $2, $2::timestamptz + make_interval(secs => $4))
  ON CONFLICT (instance_id) DO UPDATE SET ${GOES_ON}
  RETURNING forked`

export class Heartbeats {
  readonly #pool: Pool
  readonly #rate: RateLimit
  readonly #batch: RequestCoalescer<HeartbeatRecord, HeartbeatResult>

  constructor(pool: Pool, rate: RateLimit) {
    this.#pool = pool
    this.#rate = rate
    this.#batch = new RequestCoalescer((beats) => this.#write(beats), { keyOf: ({ instanceId }) => instanceId })
  }

  /** @returns whether two panels go on from one lease @throws Rejection 429 */
  async record(beat: HeartbeatRecord): Promise<boolean> {
    const { taken, forked, paidUntil } = await this.#batch.add(beat)
    if (!taken) throw rateLimitRejection(this.#rate, beat.now, paidUntil)
    return forked
  }

  /** An activation is a sign of life that names no lease, and what it is answered is gone on from. @returns as `beat` */
  async recordActivation({
    instanceId,
    lease,
    now,
    seconds,
  }: Omit<HeartbeatRecord, 'prevLease' | 'usage'>): Promise<boolean> {
    const { rows } = await this.#pool.query<{ forked: boolean }>(ACTIVATED, [instanceId, now, lease, seconds])
    return rows[0]!.forked
  }

  async #write(beats: readonly HeartbeatRecord[]): Promise<HeartbeatResult[]> {
    const { step, slack } = rateCostOf(this.#rate)
    const values = [
      beats.map(({ instanceId }) => instanceId),
      beats.map(({ lease }) => lease),
      beats.map(({ prevLease }) => prevLease),
      beats.map(({ usage }) => usage && JSON.stringify(usage)),
      beats.map(({ now }) => now.toISOString()),
      step,
      slack,
      beats.map(({ seconds }) => seconds),
    ]
    const { rows } = await this.#pool.query({ name: 'write-heartbeats', text: BEAT, values })
    const byId = new Map(rows.map((row) => [row.instance_id as string, row]))
    return beats.map(({ instanceId }) => {
      const row = byId.get(instanceId)
      const taken = row?.paid_until !== null && row?.paid_until !== undefined
      return { taken, forked: row?.forked ?? false, paidUntil: row?.paid_until ?? row?.unpaid_until ?? '' }
    })
  }
}
