/**
 * The event store on PostgreSQL: waiting appends share one call of store.append (migrations/0001) in one transaction.
 */
import type { Pool, QueryArrayConfig } from 'pg'
import type {
  Append,
  AppendResult,
  UniqueConstraint,
  EventStore,
  Position,
  RecordedEvent,
  Revision,
} from '../../events/store-port.ts'
import { RequestCoalescer } from '../../lib/request-coalescer.ts'
import { servicePool } from '../connection.ts'
import { isConnectionLost, isUnavailable } from '../outage.ts'
import { readWithoutGaps } from '../read-ahead.ts'
import { retryLostConnection as asked } from '../retry-lost-connection.ts'
import type { RetryPolicy } from '../retry-lost-connection.ts'
import { validateAppend } from '../validate-append.ts'
import { refuseBadName } from '../validate-names.ts'
import { encodeAppend } from './append-call.ts'
import { AppendConnection } from './append-connection.ts'
import { PostgresAppendListener } from './append-listener.ts'
import { readEventsByCopy } from './copied-event.ts'
import { EventRow, selectAt, selectStream } from './event-row.ts'
import { GroupCommit } from './group-commit.ts'
import { lookupPool } from './lookup-pool.ts'

const READERS_MAX = 5
/**
 * One row for each constraint, in the order of the parameters. Not a join: while the table is small, a plan would read
 * it whole, and it is kept when the table has grown.
 */
const HOLDERS = `SELECT (SELECT holder FROM store.claim WHERE scope = asked.scope AND key = asked.key) AS holder
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (scope, key, nth) ORDER BY asked.nth`

/**
 * The store makes its own connections, `max` for reads.
 * @param on a URL, or a pool of `servicePool` whose options it uses
 */
export function postgresStore(on: { url: string; max?: number } | { pool: Pool }): EventStore {
  if ('pool' in on) return new PostgresStore(on.pool, READERS_MAX)
  return new PostgresStore(servicePool(on.url, { role: 'daybook_service' }), on.max ?? READERS_MAX)
}

class PostgresStore implements EventStore {
  readonly #pool: Pool
  readonly #wakeUp: PostgresAppendListener
  readonly #batcher: GroupCommit
  readonly #holders = new RequestCoalescer<UniqueConstraint, string | undefined>((asked) => this.#holdersOf(asked))

  constructor(pool: Pool, readersMax: number) {
    this.#pool = lookupPool(pool, readersMax)
    const appends = new AppendConnection(pool.options)
    this.#wakeUp = new PostgresAppendListener(pool.options, (backendId) => backendId === appends.backendId)
    this.#batcher = new GroupCommit(appends, () => this.#wakeUp.notifyOwn())
  }

  append(append: Append): Promise<AppendResult> {
    return this.#batcher.append(() => {
      validateAppend(append)
      return encodeAppend(append)
    })
  }

  async readStream(stream: string, after: Revision = 0): Promise<RecordedEvent[]> {
    refuseBadName(stream, 'A stream')
    return this.#events(selectStream(stream, after))
  }

  async readAll(after: Position, limit: number): Promise<RecordedEvent[]> {
    return withRetry(() => readEventsByCopy(this.#pool, after, limit))
  }

  async eventAt(position: Position): Promise<RecordedEvent | undefined> {
    return (await this.#events(selectAt(position)))[0]
  }

  readBatches(after: Position, { batch }: { readonly batch?: number } = {}): AsyncIterable<readonly RecordedEvent[]> {
    return readWithoutGaps((from, limit) => this.readAll(from, limit), after, batch)
  }

  async head(): Promise<Position> {
    const query = { name: 'head', text: 'SELECT coalesce(max(pos), 0) AS head FROM store.event' }
    const { rows } = await withRetry(() => this.#pool.query<{ head: Position }>(query))
    return rows[0]?.head ?? 0
  }

  async hasMoreThan(after: Position, max: number): Promise<boolean> {
    return (await this.head()) - after > max
  }

  async holderOf({ scope, key }: UniqueConstraint): Promise<string | undefined> {
    refuseBadName(scope, 'The scope of a unique constraint')
    refuseBadName(key, 'The key of a unique constraint')
    return this.#holders.add({ scope, key })
  }

  onAppended(listener: () => void, whose?: 'all' | 'others'): () => void {
    return this.#wakeUp.listen(listener, whose)
  }

  async close(): Promise<void> {
    await this.#batcher.close()
    await this.#wakeUp.close()
    await this.#pool.end()
  }

  async #holdersOf(asked: readonly UniqueConstraint[]): Promise<(string | undefined)[]> {
    const query = {
      name: 'holders',
      text: HOLDERS,
      values: [asked.map(({ scope }) => scope), asked.map(({ key }) => key)],
    }
    const { rows } = await withRetry(() => this.#pool.query<{ holder: string | null }>(query))
    return rows.map(({ holder }) => holder ?? undefined)
  }

  async #events(query: QueryArrayConfig): Promise<RecordedEvent[]> {
    const { rows } = await withRetry(() => this.#pool.query(query))
    return rows.map((row) => new EventRow(row))
  }
}

/** Retries reads only, which are safe to repeat. */
const withRetry = <Answer>(ask: () => Promise<Answer>): Promise<Answer> => asked(ask, retryPolicyOf)

function retryPolicyOf(error: unknown): ReturnType<RetryPolicy> {
  if (isConnectionLost(error)) return 'atOnce'
  return isUnavailable(error) ? 'later' : 'never'
}
