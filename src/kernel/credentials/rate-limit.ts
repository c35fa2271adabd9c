/**
 * Rate limits that are counted in the database, so that they hold across all processes. Each use costs
 * its share of the period in advance. After an idle period `max` uses are possible at once, and then
 * further ones at the average rate.
 */
import type { Pool } from 'pg'
import { Rejection } from '../lib/rejection.ts'

export interface RateLimit {
  /** Lower case and hyphens; each name has its own counters. */
  readonly name: string
  readonly max: number
  readonly perSeconds: number
}

const TAKE = `
  INSERT INTO telemetry.rate AS r (key, paid_until) VALUES ($1, $2::timestamptz + make_interval(secs => $3))
  ON CONFLICT (key) DO UPDATE SET paid_until = greatest(r.paid_until, $2) + make_interval(secs => $3)
  WHERE greatest(r.paid_until, $2) <= $2::timestamptz + make_interval(secs => $4)
  RETURNING paid_until`

const LEFT = `SELECT paid_until AS "paidUntil" FROM telemetry.rate WHERE key = $1`
const SWEEP = `DELETE FROM telemetry.rate WHERE paid_until < $1::timestamptz - interval '1 hour'`
const SWEEP_EVERY_MS = 600_000

/** A request that was overtaken by a later one still belongs to the same `max`. */
const OVERTAKEN_SECONDS_MAX = 0.5

/** The seconds that one use costs, and the seconds that may be owed before it. */
export function rateCostOf({ max, perSeconds }: RateLimit): { readonly step: number; readonly slack: number } {
  const step = perSeconds / max
  return { step, slack: perSeconds - step + Math.min(step / 2, OVERTAKEN_SECONDS_MAX) }
}

export class RateLimiter {
  readonly #pool: Pool
  #sweptMs = performance.now()

  constructor(pool: Pool) {
    this.#pool = pool
  }

  /** @param now the database's time @throws Rejection 429 */
  async take(rate: RateLimit, key: string, now: Date): Promise<void> {
    const { step, slack } = rateCostOf(rate)
    const whole = `${rate.name}:${key}`
    const { rowCount } = await this.#pool.query(TAKE, [whole, now, step, slack])
    this.#sweep(now)
    if (rowCount !== 0) return
    const { rows } = await this.#pool.query<{ paidUntil: string }>(LEFT, [whole])
    throw rateLimitRejection(rate, now, rows[0]?.paidUntil ?? now.toISOString())
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
