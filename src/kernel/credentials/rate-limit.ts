/**
 * Rate limits that are counted in the database, so that they hold across all processes. Each use costs
 * its share of the period in advance. After an idle period `max` uses are possible at once, and then
 * further ones at the average rate.
 */
import type { Pool } from 'pg'
import { LruMap } from '../lib/lru-map.ts'
import { Rejection } from '../lib/rejection.ts'
import { RequestCoalescer } from '../lib/request-coalescer.ts'

export interface RateLimit {
  /** Lower case and hyphens; each name has its own counters. */
  readonly name: string
  readonly max: number
  readonly perSeconds: number
}

/** In the order of the keys, so that two processes cannot deadlock. */
const TAKE = `
  INSERT INTO telemetry.rate AS r (key, paid_until)
  SELECT key, now + make_interval(secs => $3)
  FROM unnest($1::text[], $2::timestamptz[]) AS asked (key, now) ORDER BY key
  ON CONFLICT (key) DO UPDATE SET paid_until = greatest(r.paid_until + make_interval(secs => $3), excluded.paid_until)
  WHERE r.paid_until + make_interval(secs => $3) <= excluded.paid_until + make_interval(secs => $4)
  RETURNING key`

const LEFT = `SELECT paid_until AS "paidUntil" FROM telemetry.rate WHERE key = $1`
const SWEEP = `DELETE FROM telemetry.rate WHERE paid_until < $1::timestamptz - interval '1 hour'`
const SWEEP_EVERY_MS = 600_000
/** Uses of one cost share a statement. */
const COSTS_MAX = 100

/** A request that was overtaken by a later one still belongs to the same `max`. */
const OVERTAKEN_SECONDS_MAX = 0.5

/** The seconds that one use costs, and the seconds that may be owed before it. */
export function rateCostOf({ max, perSeconds }: RateLimit): { readonly step: number; readonly slack: number } {
  const step = perSeconds / max
  return { step, slack: perSeconds - step + Math.min(step / 2, OVERTAKEN_SECONDS_MAX) }
}

interface RateUse {
  readonly key: string
  readonly now: Date
}

export class RateLimiter {
  readonly #pool: Pool
  readonly #batches = new LruMap<RequestCoalescer<RateUse, boolean>>(COSTS_MAX)
  #sweptMs = performance.now()

  constructor(pool: Pool) {
    this.#pool = pool
  }

  /** @param now the database's time @throws Rejection 429 */
  async take(rate: RateLimit, key: string, now: Date): Promise<void> {
    const whole = `${rate.name}:${key}`
    const isTaken = await this.#batchFor(rate).add({ key: whole, now })
    this.#sweep(now)
    if (isTaken) return
    const { rows } = await this.#pool.query<{ paidUntil: string }>(LEFT, [whole])
    throw rateLimitRejection(rate, now, rows[0]?.paidUntil ?? now.toISOString())
  }

  #batchFor(rate: RateLimit): RequestCoalescer<RateUse, boolean> {
    const { step, slack } = rateCostOf(rate)
    const cost = `${step} ${slack}`
    const known = this.#batches.get(cost)
    if (known) return known
    const write = async (uses: readonly RateUse[]): Promise<boolean[]> => {
      const values = [uses.map(({ key }) => key), uses.map(({ now }) => now.toISOString()), step, slack]
      const { rows } = await this.#pool.query<{ key: string }>({ name: 'take-rates', text: TAKE, values })
      const taken = new Set(rows.map(({ key }) => key))
      return uses.map(({ key }) => taken.has(key))
    }
    const batch = new RequestCoalescer(write, { keyOf: ({ key }) => key })
    this.#batches.set(cost, batch)
    return batch
  }

  /** A row that was paid long ago has the same effect as no row. */
  #sweep(now: Date): void {
    if (performance.now() - this.#sweptMs < SWEEP_EVERY_MS) return
    this.#sweptMs = performance.now()
    this.#pool.query(SWEEP, [now]).catch(() => {})
  }
}

/** Headers of draft-ietf-httpapi-ratelimit-headers-11. */
export function rateLimitRejection(rate: RateLimit, now: Date, paidUntil: string): Rejection {
  const waitMs = Date.parse(paidUntil) - now.getTime() - rateCostOf(rate).slack * 1000
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  return new Rejection('tooMany', `Too many ${rate.name}: try again later`, 'TOO_MANY_REQUESTS', {
    'Retry-After': String(seconds),
    RateLimit: `"${rate.name}";r=0;t=${seconds}`,
    'RateLimit-Policy': `"${rate.name}";q=${rate.max};w=${rate.perSeconds}`,
  })
}
