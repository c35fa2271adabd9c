/** Learns of appends by any process through LISTEN on a separate connection. It is only a hint: readers also poll. */
import pg from 'pg'
import type { PoolConfig } from 'pg'
import { AppendSignal } from '../signal.ts'

const RETRY_MIN_MS = 100
const RETRY_MAX_MS = 5_000

export class PostgresAppendListener {
  readonly signal = new AppendSignal()
  readonly #config: PoolConfig
  #client: pg.Client | undefined
  #retry: NodeJS.Timeout | undefined
  #retryMs = RETRY_MIN_MS
  #started = false
  #closed = false

  constructor(config: PoolConfig) {
    this.#config = config
  }

  /** Connects with the first listener, so that a process without listeners needs no connection. */
  listen(listener: () => void): () => void {
    if (!this.#started) void this.#connect()
    this.#started = true
    return this.signal.listen(listener)
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#retry)
    this.signal.removeListeners()
    await this.#client?.end().catch(() => {})
  }

  async #connect(): Promise<void> {
    const client = new pg.Client(this.#config)
    this.#client = client
    client.on('error', () => {})
    client.once('end', () => this.#reconnect())
    client.on('notification', () => this.signal.notify())
    try {
      await client.connect()
      await client.query('LISTEN daybook_appended')
      this.#retryMs = RETRY_MIN_MS
      // Events may have been appended while the connection did not listen.
      this.signal.notify()
    } catch {
      await client.end().catch(() => {})
      this.#reconnect()
    }
  }

  #reconnect(): void {
    clearTimeout(this.#retry)
    if (this.#closed) return
    this.#retry = setTimeout(() => void this.#connect(), this.#retryMs)
    this.#retryMs = Math.min(this.#retryMs * 2, RETRY_MAX_MS)
  }
}
