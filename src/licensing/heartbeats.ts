/** Signs of life of instances: one row each, written at every heartbeat and no event (licensing.md 7). */
import type { Pool } from 'pg'
import { Batch } from '#kernel/batch'
import { shareOf, tooOften } from '#kernel/identity/rates'
import type { Rate } from '#kernel/identity/rates'

export interface Beat {
  readonly instanceId: string
  /** The lease that answers it. */
  readonly lease: string
  /** The lease that it goes on from; null: whoever sends it does not know what it was answered last. */
  readonly prevLease: string | null
  readonly usage: Readonly<Record<string, number>> | null
  /** The database's time. */
  readonly now: Date
}

interface Written {
  readonly forked: boolean
  readonly paidUntil: string
  /** Absent: too often. */
  readonly taken: boolean
}

/**
 * A lease is gone on from once. Whoever goes on from another one than was given last shows that somebody else has gone on from it
 * before: two panels have one key. In the order of ids, so that the writers of two processes cannot wait for each other.
 */
const BEAT = `
  WITH asked AS (
    SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::jsonb[], $5::timestamptz[])
      AS asked (instance_id, lease, prev, usage, now) ORDER BY instance_id
  ), written AS (
    INSERT INTO telemetry.heartbeat AS h (instance_id, at, lease, prev, usage, paid_until)
    SELECT instance_id, now, lease, prev, usage, now + make_interval(secs => $6) FROM asked
    ON CONFLICT (instance_id) DO UPDATE SET
      at = greatest(h.at, excluded.at), lease = excluded.lease, usage = coalesce(excluded.usage, h.usage),
      prev = excluded.prev, forked = excluded.prev IS NOT NULL AND excluded.prev <> h.lease,
      paid_until = greatest(h.paid_until, excluded.at) + make_interval(secs => $6)
    WHERE greatest(h.paid_until, excluded.at) <= excluded.at + make_interval(secs => $7)
    RETURNING h.instance_id, h.forked, h.paid_until
  )
  SELECT asked.instance_id, written.forked, written.paid_until, h.paid_until AS unpaid_until
  FROM asked LEFT JOIN written USING (instance_id) LEFT JOIN telemetry.heartbeat AS h USING (instance_id)`

const ACTIVATED = `
  INSERT INTO telemetry.heartbeat AS h (instance_id, at, lease, paid_until) VALUES ($1, $2, $3, $2)
  ON CONFLICT (instance_id) DO UPDATE SET at = greatest(h.at, excluded.at), lease = excluded.lease, prev = NULL, forked = false`

export class Heartbeats {
  readonly #pool: Pool
  readonly #rate: Rate
  readonly #batch: Batch<Beat, Written>

  constructor(pool: Pool, rate: Rate) {
    this.#pool = pool
    this.#rate = rate
    this.#batch = new Batch((beats) => this.#write(beats), { keyOf: ({ instanceId }) => instanceId })
  }

  /** @returns whether two panels go on from one lease @throws Rejection 429 */
  async beat(beat: Beat): Promise<boolean> {
    const { taken, forked, paidUntil } = await this.#batch.add(beat)
    if (!taken) throw tooOften(this.#rate, beat.now, paidUntil)
    return forked
  }

  /** An activation is a sign of life as well, and what it is answered is gone on from. */
  async activated({ instanceId, lease, now }: Pick<Beat, 'instanceId' | 'lease' | 'now'>): Promise<void> {
    await this.#pool.query(ACTIVATED, [instanceId, now, lease])
  }

  async #write(beats: readonly Beat[]): Promise<Written[]> {
    const { step, slack } = shareOf(this.#rate)
    const values = [
      beats.map(({ instanceId }) => instanceId),
      beats.map(({ lease }) => lease),
      beats.map(({ prevLease }) => prevLease),
      beats.map(({ usage }) => usage && JSON.stringify(usage)),
      beats.map(({ now }) => now.toISOString()),
      step,
      slack,
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
