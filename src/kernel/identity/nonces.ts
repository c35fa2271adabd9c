/** What may be said once: a signed request that comes a second time is somebody else's copy. */
import { createHash } from 'node:crypto'
import type { Pool } from 'pg'
import { Batch } from '../batch.ts'
import { Rejection } from '../rejection.ts'

/** Longer than any signature holds that a verifier takes. */
const KEPT_MINUTES = 20
const SWEEP_EVERY_MS = 60_000

/** In the order of their hashes, so that the writers of two processes cannot wait for each other. */
const STORE = `
  INSERT INTO telemetry.request_nonce (hash)
  SELECT hash FROM unnest($1::bytea[]) AS asked (hash) ORDER BY hash
  ON CONFLICT DO NOTHING
  RETURNING hash`

const SWEEP = `DELETE FROM telemetry.request_nonce WHERE at < clock_timestamp() - make_interval(mins => $1)`

export class Nonces {
  readonly #pool: Pool
  readonly #batch: Batch<string, boolean>
  #sweptMs = performance.now()

  constructor(pool: Pool) {
    this.#pool = pool
    this.#batch = new Batch((hashes) => this.#store(hashes), { keyOf: (hash) => hash })
  }

  /**
   * By one statement that commits by itself. @returns whether it is the first time that `nonce` is used with this key
   * @throws Rejection 503 when that cannot be told: then nothing may be done
   */
  async take(keyId: string, nonce: string): Promise<boolean> {
    const hash = createHash('sha256')
      .update(JSON.stringify([keyId, nonce]))
      .digest('hex')
    try {
      return await this.#batch.add(hash)
    } catch (cause) {
      const refusal = new Rejection(
        'unavailable',
        'Signed requests cannot be checked right now',
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

  /** Beside the way: a row that is kept too long refuses nothing that would have been taken. */
  #sweep(): void {
    if (performance.now() - this.#sweptMs < SWEEP_EVERY_MS) return
    this.#sweptMs = performance.now()
    this.#pool.query(SWEEP, [KEPT_MINUTES]).catch(() => {})
  }
}
