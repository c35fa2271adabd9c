/** Asking the server, by another client when the one before lost it. */
import {
  AppendRecordSizeExceededError,
  CancelledError,
  DeadlineExceededError,
  KurrentDBClient,
  MaxAppendSizeExceededError,
  NotLeaderError,
  TimeoutError,
  TransactionMaxSizeExceededError,
  UnavailableError,
  UnknownError,
} from '@kurrent/kurrentdb-client'
import { reject } from '../../lib/rejection.ts'
import { retryLostConnection } from '../retry-lost-connection.ts'
import type { RetryPolicy } from '../retry-lost-connection.ts'
import { checkEventStoreUrl } from './url.ts'

/** A client that was replaced may still be answering: no request takes longer. */
const DISPOSED_AFTER_MS = 9_000
/** During an outage one new client in this time is enough. */
const RENEWED_AGAIN_AFTER_MS = 1_000

const NOT_NOW = [UnavailableError, DeadlineExceededError, CancelledError, TimeoutError, NotLeaderError]
/** gRPC's own words for the same, which the client passes on when it asks for the server's features. */
const NOT_NOW_CODES = new Set<unknown>([1, 4, 10, 13, 14, 15])
const TOO_LARGE = [AppendRecordSizeExceededError, TransactionMaxSizeExceededError, MaxAppendSizeExceededError]

export class KurrentDbConnection {
  readonly #url: string
  #client: KurrentDBClient
  #renewedAt = performance.now()

  constructor(url: string) {
    this.#url = url.replace(/^esdb/, 'kurrentdb')
    this.#client = this.#connected()
  }

  /** Of now: another one after an outage, so nobody keeps it. */
  get client(): KurrentDBClient {
    return this.#client
  }

  /**
   * Repeating is safe: a read changes nothing, and an append that was committed after all is found by its event ids.
   * @throws StoreUnavailable · Rejection 413 for more than the server takes in one append
   */
  withRetry<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    let client = this.#client
    const asked = (): Promise<Answer> => {
      client = this.#client
      return ask()
    }
    return retryLostConnection(asked, (error) => this.#judged(error, client))
  }

  async close(): Promise<void> {
    await this.#client.dispose()
  }

  #judged(error: unknown, client: KurrentDBClient): ReturnType<RetryPolicy> {
    if (TOO_LARGE.some((kind) => error instanceof kind))
      reject('tooLarge', 'That is more than the event store takes at once', 'APPEND_TOO_LARGE')
    if (!isServerUnavailable(error)) return 'never'
    this.#renew(client)
    return 'atOnce'
  }

  #connected(): KurrentDBClient {
    checkEventStoreUrl(this.#url)
    try {
      return KurrentDBClient.connectionString(this.#url)
    } catch {
      // The client's own error holds the URL, and so the password, for every log that looks into it.
      throw new Error('The client does not understand the URL of the event store, or cannot read a file that it names')
    }
  }

  /** The reading half of a client that could not connect a few times never tries again. What the old one still does, it ends. */
  #renew(failed: KurrentDBClient): void {
    if (this.#client !== failed || performance.now() - this.#renewedAt < RENEWED_AGAIN_AFTER_MS) return
    this.#renewedAt = performance.now()
    this.#client = this.#connected()
    setTimeout(() => void failed.dispose(), DISPOSED_AFTER_MS).unref()
  }
}

/** The reading half of the client gives broken connections no code. */
export function isServerUnavailable(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (error instanceof UnknownError && code === undefined) return true
  return NOT_NOW_CODES.has(code) || NOT_NOW.some((kind) => error instanceof kind)
}
