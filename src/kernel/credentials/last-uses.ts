/**
 * Records when each credential was last used, to the minute. A call only notes the use in memory. One
 * writer per process stores the notes in batches, so that no call waits for the database or fails with
 * it.
 */
const MINUTE_MS = 60_000
const STORE_AFTER_MS = 250
const RETRY_AFTER_MS = 1_000

export interface CredentialUse {
  readonly id: string
  readonly at: Date
  readonly ip: string | undefined
}

export interface LastUseRecorderDependencies {
  /** Stores one batch, at most one use per id. */
  readonly store: (uses: readonly CredentialUse[]) => Promise<unknown>
  /** Called with the error if a batch could not be stored; the batch is retried. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/**
 * Table and column names come from declarations. This check keeps input out of the statement for good.
 * @throws Error for anything but lower-case letters and underscores
 */
export function plainSqlName(name: string): string {
  if (!/^[a-z_]+$/.test(name)) throw new Error(`${name} is not a plain SQL name`)
  return name
}

export class LastUseRecorder {
  readonly #parts: LastUseRecorderDependencies
  readonly #lastMs = new Map<string, number>()
  #noted = new Map<string, CredentialUse>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined

  constructor(parts: LastUseRecorderDependencies) {
    this.#parts = parts
  }

  /** The use is stored within a second, unless the same credential was noted in the minute before. */
  note(id: string, at: Date, ip?: string): void {
    if (at.getTime() - (this.#lastMs.get(id) ?? -Infinity) < MINUTE_MS) return
    this.#lastMs.set(id, at.getTime())
    this.#noted.set(id, { id, at, ip })
    this.#soon(STORE_AFTER_MS)
  }

  /** Stores the remaining notes. */
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
    const stored = await this.#stored([...batch.values()])
    if (!stored) this.#noted = new Map([...batch, ...this.#noted])
    this.#forgetOld()
    this.#writing = undefined
    if (this.#noted.size > 0) this.#soon(stored ? STORE_AFTER_MS : RETRY_AFTER_MS)
  }

  async #stored(uses: readonly CredentialUse[]): Promise<boolean> {
    try {
      await this.#parts.store(uses)
      return true
    } catch (error) {
      this.#parts.onError?.(error)
      return false
    }
  }

  #forgetOld(): void {
    const newestMs = Math.max(...this.#lastMs.values())
    for (const [id, ms] of this.#lastMs) if (newestMs - ms >= MINUTE_MS) this.#lastMs.delete(id)
  }
}
