/** Replay protection: a nonce is accepted once per key, so a captured copy of a signed request is rejected. */
import { hash } from 'node:crypto'
import type { Pool } from 'pg'
import { LruMap } from '../lib/lru-map.ts'
import { Rejection } from '../lib/rejection.ts'
import { RequestCoalescer } from '../lib/request-coalescer.ts'
import { rateCostOf, rateLimitRejection } from './rate-limit.ts'
import type { RateLimit } from './rate-limit.ts'

/** Longer than the validity of any accepted signature. */
const NONCE_KEPT_MINUTES = 20
const SWEEP_EVERY_MS = 60_000
const SIGNERS_MAX = 50_000

export interface NonceUse {
  readonly keyId: string
  readonly nonce: string
  /** The owner of the rate: each signer can only exhaust its own. */
  readonly signer: string
  /** The rate of new nonces per signer, in each process. */
  readonly rate: RateLimit
  /** The database's time. */
  readonly now: Date
}

/** In the order of the hashes, so that two processes cannot deadlock. */
const STORE = `
  INSERT INTO telemetry.request_nonce (hash)
  SELECT hash FROM unnest($1::bytea[]) AS asked (hash) ORDER BY hash
  ON CONFLICT DO NOTHING
  RETURNING hash`

const SWEEP = `DELETE FROM telemetry.request_nonce WHERE at < clock_timestamp() - make_interval(mins => $1)`

export class NonceStore {
  readonly #pool: Pool
  readonly #batch: RequestCoalescer<string, boolean>
  /**
   * The time up to which each signer has used its rate, in ms. In memory, because it only keeps the
   * table small.
   */
  readonly #paidMs = new LruMap<number>(SIGNERS_MAX)
  #sweptMs = performance.now()

  constructor(pool: Pool) {
    this.#pool = pool
    this.#batch = new RequestCoalescer((hashes) => this.#store(hashes), { keyOf: (hash) => hash })
  }

  /**
   * One statement, which commits on its own. A replayed nonce does not count against the signer's rate.
   * @returns whether `nonce` is used with this key for the first time
   * @throws Rejection 429 if the signer exceeds its rate · 503 if the nonce cannot be checked: then
   * reject the request
   */
  async take({ keyId, nonce, signer, rate, now }: NonceUse): Promise<boolean> {
    const paidMs = this.#paidMs.get(signer) ?? 0
    const { step, slack } = rateCostOf(rate)
    if (paidMs > now.getTime() + slack * 1_000) throw rateLimitRejection(rate, now, new Date(paidMs).toISOString())
    const isNew = await this.#isNew(keyId, nonce)
    if (isNew) this.#paidMs.set(signer, Math.max(this.#paidMs.get(signer) ?? 0, now.getTime()) + step * 1_000)
    return isNew
  }

  async #isNew(keyId: string, nonce: string): Promise<boolean> {
    try {
      return await this.#batch.add(hash('sha256', JSON.stringify([keyId, nonce]), 'hex'))
    } catch (cause) {
      const refusal = new Rejection(
        'unavailable',
        'Signed requests cannot be checked at the moment: try again',
        'NONCES_UNAVAILABLE',
        {
          'Retry-After': '1',
        },
      )
      refusal.cause = cause
      throw refusal
    }
  }

  async #store(hashes: readonly string[]): Promise<boolean[]> {
    this.#sweep()
    const values = [hashes.map((hash) => Buffer.from(hash, 'hex'))]
    const { rows } = await this.#pool.query<{ hash: Buffer }>({ name: 'store-nonces', text: STORE, values })
    const fresh = new Set(rows.map(({ hash }) => hash.toString('hex')))
    return hashes.map((hash) => fresh.has(hash))
  }

  /** In the background: a row that is kept too long does not reject a valid request. */
  #sweep(): void {
    if (performance.now() - this.#sweptMs < SWEEP_EVERY_MS) return
    this.#sweptMs = performance.now()
    this.#pool.query(SWEEP, [NONCE_KEPT_MINUTES]).catch(() => {})
  }
}
