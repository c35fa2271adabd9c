/** Sends requests to the server and replaces a client that lost its connection. */
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

/** A replaced client may still have requests in flight; none takes longer. */
const DISPOSED_AFTER_MS = 9_000
/** During an outage, at most one new client is made in this time. */
const RENEWED_AGAIN_AFTER_MS = 1_000

const NOT_NOW = [UnavailableError, DeadlineExceededError, CancelledError, TimeoutError, NotLeaderError]
/** gRPC status codes of an outage, which the client passes on when it requests the server's features. */
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

  /** The present client. An outage replaces it, so callers must not store it. */
  get client(): KurrentDBClient {
    return this.#client
  }

  /**
   * A retry is safe: a read changes nothing, and an append that was already committed is found by its event ids.
   * @throws StoreUnavailable · Rejection 413 APPEND_TOO_LARGE when the append exceeds the limit of the server
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
      reject('tooLarge', 'The change is larger than the event store accepts at once; split it', 'APPEND_TOO_LARGE')
    if (!isServerUnavailable(error)) return 'never'
    this.#renew(client)
    return 'atOnce'
  }

  #connected(): KurrentDBClient {
    checkEventStoreUrl(this.#url)
    try {
      return KurrentDBClient.connectionString(this.#url)
    } catch {
      // Not passed on: the client's error contains the URL with its password, which a log could show.
      throw new Error(
        'The URL of the event store is not valid, or a file that it names cannot be read; check EVENT_STORE_URL',
      )
    }
  }

  /**
   * After a few failed connections, the reading half of a client never connects again, so the client is replaced.
   * The old client may finish its requests.
   */
  #renew(failed: KurrentDBClient): void {
    if (this.#client !== failed || performance.now() - this.#renewedAt < RENEWED_AGAIN_AFTER_MS) return
    this.#renewedAt = performance.now()
    this.#client = this.#connected()
    setTimeout(() => void failed.dispose(), DISPOSED_AFTER_MS).unref()
  }
}

/** Broken connections have no code in errors of the reading half of the client. */
export function isServerUnavailable(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (error instanceof UnknownError && code === undefined) return true
  return NOT_NOW_CODES.has(code) || NOT_NOW.some((kind) => error instanceof kind)
}
