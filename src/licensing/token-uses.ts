/**
 * When each machine token was last used, and from where: a sign of life, precise to a minute. Calls are only noted; one writer
 * in the process stores the notes in batches, so no call waits for it or fails with it.
 */
import type { Pool } from 'pg'
import { tokenAddress } from '#projections/licensing/machine-tokens'
import type { Vault } from '#kernel/vault'

const MINUTE_MS = 60_000
const STORE_AFTER_MS = 250
const RETRY_AFTER_MS = 1_000

/** In the order of ids, so that the writers of two processes cannot wait for each other. */
const STORE = `
  INSERT INTO telemetry.machine_token_use AS use (token_id, last_used_at, last_used_ip)
  SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::text[]) AS noted(token_id, at, ip) ORDER BY token_id
  ON CONFLICT (token_id) DO UPDATE SET last_used_at = excluded.last_used_at, last_used_ip = excluded.last_used_ip
  WHERE excluded.last_used_at >= use.last_used_at + interval '1 minute'`

interface Use {
  readonly ip: string | undefined
  readonly at: Date
}

interface TokenUsesParts {
  readonly pool: Pool
  readonly vault: Vault
  /** Hears why a batch could not be stored; it is tried again. */
  readonly onError?: (error: unknown) => void
}

export class TokenUses {
  readonly #parts: TokenUsesParts
  readonly #lastMs = new Map<string, number>()
  #noted = new Map<string, Use>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined

  constructor(parts: TokenUsesParts) {
    this.#parts = parts
  }

  /** Stored within a second, unless a use of the same token was noted within the minute before. */
  note(tokenId: string, ip: string | undefined, at: Date): void {
    if (at.getTime() - (this.#lastMs.get(tokenId) ?? -Infinity) < MINUTE_MS) return
    this.#lastMs.set(tokenId, at.getTime())
    this.#noted.set(tokenId, { ip, at })
    this.#soon(STORE_AFTER_MS)
  }

  /** Stores what is noted. */
  async close(): Promise<void> {
    await this.#writing
    clearTimeout(this.#timer)
    if (this.#noted.size > 0) await this.#write()
    clearTimeout(this.#timer)
  }

  #soon(afterMs: number): void {
    if (this.#writing) return
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#writing = this.#write()
    }, afterMs).unref()
  }

  async #write(): Promise<void> {
    const batch = this.#noted
    this.#noted = new Map()
    const stored = await this.#stored(batch)
    if (!stored) this.#noted = new Map([...batch, ...this.#noted])
    this.#forgetOld()
    this.#writing = undefined
    if (this.#noted.size > 0) this.#soon(stored ? STORE_AFTER_MS : RETRY_AFTER_MS)
  }

  async #stored(batch: ReadonlyMap<string, Use>): Promise<boolean> {
    const { pool, vault, onError } = this.#parts
    try {
      const uses = [...batch]
      const ips = uses.map(async ([id, { ip }]) => (ip === undefined ? null : vault.seal(ip, tokenAddress(id))))
      const ats = uses.map(([, { at }]) => at.toISOString())
      await pool.query(STORE, [uses.map(([id]) => id), ats, await Promise.all(ips)])
      return true
    } catch (error) {
      onError?.(error)
      return false
    }
  }

  #forgetOld(): void {
    const newestMs = Math.max(...this.#lastMs.values())
    for (const [id, ms] of this.#lastMs) if (newestMs - ms >= MINUTE_MS) this.#lastMs.delete(id)
  }
}
