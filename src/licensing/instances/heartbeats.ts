/**
 * Heartbeats of instances: one row per instance, updated at every heartbeat; they are not events
 * (licensing.md 7).
 */
import type { Pool } from 'pg'
import { rateCostOf, rateLimitRejection } from '#kernel/credentials/rate-limit'
import type { RateLimit } from '#kernel/credentials/rate-limit'
import { RequestCoalescer } from '#kernel/lib/request-coalescer'

export interface HeartbeatRecord {
  readonly instanceId: string
  /** The lease of the reply. */
  readonly lease: string
  /** The lease that the panel continues; null: the panel does not know its last lease. */
  readonly prevLease: string | null
  readonly usage: Readonly<Record<string, number>> | null
  /** The database's time. */
  readonly now: Date
  /** Seconds until the next heartbeat is due. */
  readonly seconds: number
}

/** An activation names no lease that it continues. */
type ActivationRecord = Omit<HeartbeatRecord, 'prevLease' | 'usage'>

interface HeartbeatResult {
  readonly forked: boolean
  readonly paidUntil: string
  /** False if the rate limit refuses the heartbeat. */
  readonly taken: boolean
}

/** Consecutive heartbeats without a named lease after which two panels are suspected. */
const UNNAMED_MAX = 6

/** The time between two heartbeats of one panel. */
const PERIOD = '(excluded.due_at - excluded.at)'
/**
 * Earlier than the reply asked for, with a tolerance of a tenth for clock differences. A panel that
 * received its reply waits for that time.
 */
const IS_EARLY = `excluded.at < h.due_at - ${PERIOD} / 10`
/** Retries after lost replies follow closely and count once. */
const IS_COUNTED = `coalesce(excluded.prev IS NULL AND ${IS_EARLY} AND excluded.at >= coalesce(h.unnamed_at + ${PERIOD}, excluded.at), false)`
/** The count restarts at zero when the lease is named, and at one after a long pause. */
const UNNAMED = `CASE
  WHEN excluded.prev = h.lease THEN 0
  WHEN NOT ${IS_COUNTED} THEN h.unnamed
  WHEN h.unnamed_at < excluded.at - ${UNNAMED_MAX} * ${PERIOD} THEN 1
  ELSE least(h.unnamed + 1, ${UNNAMED_MAX}) END`

/**
 * Each lease is continued once. A panel that continues an older lease than the last one shows that
 * a second panel continued it before: two panels have one key. A panel that names no lease may have
 * lost a reply. Two panels that never name one would stay undetected, so such heartbeats are
 * counted.
 */
const GOES_ON = `at = greatest(h.at, excluded.at), lease = excluded.lease, prev = excluded.prev, due_at = excluded.due_at,
  forked = coalesce(excluded.prev <> h.lease, false) OR (${IS_COUNTED} AND ${UNNAMED} = ${UNNAMED_MAX}),
  unnamed = ${UNNAMED}, unnamed_at = CASE WHEN ${IS_COUNTED} THEN excluded.at ELSE h.unnamed_at END`

/** Ordered by id, so that writers in two processes cannot deadlock. */
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
  SELECT instance_id, now, lease, now, now + make_interval(secs => seconds)
  FROM unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::int[]) AS asked (instance_id, lease, now, seconds)
  ORDER BY instance_id
  ON CONFLICT (instance_id) DO UPDATE SET ${GOES_ON}
  RETURNING instance_id, forked`

const instanceIdOf = <Beat extends ActivationRecord>({ instanceId }: Beat): string => instanceId

export class Heartbeats {
  readonly #pool: Pool
  readonly #rate: RateLimit
  readonly #batch: RequestCoalescer<HeartbeatRecord, HeartbeatResult>
  readonly #activations: RequestCoalescer<ActivationRecord, boolean>

  constructor(pool: Pool, rate: RateLimit) {
    this.#pool = pool
    this.#rate = rate
    this.#batch = new RequestCoalescer((beats) => this.#write(beats), { keyOf: instanceIdOf })
    this.#activations = new RequestCoalescer((beats) => this.#writeActivations(beats), { keyOf: instanceIdOf })
  }

  /**
   * @returns whether two panels continue the same lease
   * @throws Rejection 429
   */
  async record(beat: HeartbeatRecord): Promise<boolean> {
    const { taken, forked, paidUntil } = await this.#batch.add(beat)
    if (!taken) throw rateLimitRejection(this.#rate, beat.now, paidUntil)
    return forked
  }

  /**
   * An activation is a sign of life that names no lease; its reply's lease is the one to continue.
   * @returns as `record`
   */
  recordActivation(beat: ActivationRecord): Promise<boolean> {
    return this.#activations.add(beat)
  }

  async #write(beats: readonly HeartbeatRecord[]): Promise<HeartbeatResult[]> {
    const { step, slack } = rateCostOf(this.#rate)
    const values = [
      beats.map(instanceIdOf),
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

  async #writeActivations(beats: readonly ActivationRecord[]): Promise<boolean[]> {
    const values = [
      beats.map(instanceIdOf),
      beats.map(({ lease }) => lease),
      beats.map(({ now }) => now.toISOString()),
      beats.map(({ seconds }) => seconds),
    ]
    const { rows } = await this.#pool.query({ name: 'write-activations', text: ACTIVATED, values })
    const forked = new Map(rows.map((row) => [row.instance_id as string, row.forked as boolean]))
    return beats.map(({ instanceId }) => forked.get(instanceId)!)
  }
}
