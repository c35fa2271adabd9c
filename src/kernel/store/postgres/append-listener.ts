/**
 * Learns of appends by any process through LISTEN on a separate connection. On the same connection it asks once a second
 * for the newest event, because a notification or the connection can be lost. While it has no answer, it calls the
 * listeners once a second. So readers need not poll.
 */
import pg from 'pg'
import type { PoolConfig } from 'pg'
import { AppendSignal } from '../signal.ts'

const RETRY_MIN_MS = 100
const RETRY_MAX_MS = 1_000
const PULSE_MS = 1_000
/** A connection without an answer for this time counts as lost. */
const PULSE_TIMEOUT_MS = 2_000
const SILENT_MS_MAX = 1_200
const NEWEST = 'SELECT coalesce(max(pos), 0) AS newest FROM store.event'

export class PostgresAppendListener {
  readonly #all = new AppendSignal()
  readonly #others = new AppendSignal()
  readonly #config: PoolConfig
  readonly #isOwn: (backendId: number) => boolean
  #client: pg.Client | undefined
  /** The newest event as of the last pulse. */
  #newest: number | undefined
  #timer: NodeJS.Timeout | undefined
  #watch: NodeJS.Timeout | undefined
  #answeredMs = -Infinity
  #retryMs = RETRY_MIN_MS
  #started = false
  #closed = false

  /** @param isOwn whether a notification of this backend is of an append of which `notifyOwn` told */
  constructor(config: PoolConfig, isOwn: (backendId: number) => boolean) {
    this.#config = config
    this.#isOwn = isOwn
  }

  /** Connects with the first listener, so that a process without listeners needs no connection. */
  listen(listener: () => void, whose: 'all' | 'others' = 'all'): () => void {
    if (!this.#started) void this.#connect()
    this.#started = true
    this.#watch ??= setInterval(() => {
      if (performance.now() - this.#answeredMs > SILENT_MS_MAX) this.#notify()
    }, PULSE_MS).unref()
    return (whose === 'all' ? this.#all : this.#others).listen(listener)
  }

  /** This process has appended. */
  notifyOwn(): void {
    this.#all.notify()
  }

  #notify(): void {
    this.#all.notify()
    this.#others.notify()
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    clearInterval(this.#watch)
    this.#all.removeListeners()
    this.#others.removeListeners()
    await this.#client?.end().catch(() => {})
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({ ...this.#config, query_timeout: PULSE_TIMEOUT_MS })
    this.#client = client
    client.on('error', () => {})
    client.once('end', () => {
      if (this.#client === client) this.#reconnect()
    })
    client.on('notification', ({ processId }) => {
      if (!this.#isOwn(processId)) this.#notify()
    })
    try {
      await client.connect()
      await client.query('LISTEN daybook_appended')
      this.#retryMs = RETRY_MIN_MS
      // Events may have been appended while the connection did not listen.
      this.#notify()
      this.#answeredMs = performance.now()
      this.#pulseLater(client)
    } catch {
      await client.end().catch(() => {})
      this.#reconnect()
    }
  }

  async #pulse(client: pg.Client): Promise<void> {
    try {
      const { rows } = await client.query<{ newest: number }>(NEWEST)
      const { newest } = rows[0]!
      if (newest !== this.#newest) this.#notify()
      this.#newest = newest
      this.#answeredMs = performance.now()
      this.#pulseLater(client)
    } catch {
      // Its end starts the next connection.
      client.end().catch(() => {})
    }
  }

  #pulseLater(client: pg.Client): void {
    if (!this.#closed) this.#timer = setTimeout(() => void this.#pulse(client), PULSE_MS).unref()
  }

  #reconnect(): void {
    clearTimeout(this.#timer)
    if (this.#closed) return
    this.#notify()
    this.#timer = setTimeout(() => void this.#connect(), this.#retryMs)
    this.#retryMs = Math.min(this.#retryMs * 2, RETRY_MAX_MS)
  }
}
