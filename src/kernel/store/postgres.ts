/** The event store on Postgres: all appends that wait are one call of store.append (migrations/0001), one round trip, one transaction. */
import type { Pool } from 'pg'
import { admit } from './admission.ts'
import { answered as asked } from './answered.ts'
import type { Judge } from './answered.ts'
import { written } from './append-call.ts'
import { AppendConnection } from './append-connection.ts'
import { Batcher } from './batcher.ts'
import { servicePool } from './connection.ts'
import { copyEvents } from './copied-event.ts'
import { EventRow, selectEvents } from './event-row.ts'
import { isConnectionLost, isUnavailable } from './outage.ts'
import type { Append, Appended, Claim, EventStore, Position, RecordedEvent, Revision } from './port.ts'
import { readWithoutGaps } from './read-ahead.ts'
import { refuseBadName } from './text.ts'
import { WakeUp } from './wake-up.ts'

/** `pool` must come from servicePool and stays open when the store closes; with `url` the store has a pool of its own. */
export function postgresStore(on: { url: string; max?: number } | { pool: Pool }): EventStore {
  if ('pool' in on) return new PostgresStore(on.pool, false)
  return new PostgresStore(servicePool(on.url, { role: 'daybook_service', max: on.max }), true)
}

class PostgresStore implements EventStore {
  readonly #pool: Pool
  readonly #ownsPool: boolean
  readonly #wakeUp: WakeUp
  readonly #batcher: Batcher

  constructor(pool: Pool, ownsPool: boolean) {
    this.#pool = pool
    this.#ownsPool = ownsPool
    this.#wakeUp = new WakeUp(pool.options)
    this.#batcher = new Batcher(new AppendConnection(pool.options), () => this.#wakeUp.signal.give())
  }

  append(append: Append): Promise<Appended> {
    return this.#batcher.append(() => {
      admit(append)
      return written(append)
    })
  }

  async readStream(stream: string, after: Revision = 0): Promise<RecordedEvent[]> {
    refuseBadName(stream, 'A stream')
    return this.#events('WHERE stream = $1 AND revision > $2 ORDER BY revision', [stream, after])
  }

  async readAll(after: Position, limit: number): Promise<RecordedEvent[]> {
    return answered(() => copyEvents(this.#pool, after, limit))
  }

  async eventAt(position: Position): Promise<RecordedEvent | undefined> {
    return (await this.readAll(position - 1, 1)).find((event) => event.position === position)
  }

  read(after: Position, { batch }: { readonly batch?: number } = {}): AsyncIterable<readonly RecordedEvent[]> {
    return readWithoutGaps((from, limit) => this.readAll(from, limit), after, batch)
  }

  async head(): Promise<Position> {
    const text = 'SELECT coalesce(max(pos), 0) AS head FROM store.event'
    const { rows } = await answered(() => this.#pool.query<{ head: Position }>(text))
    return rows[0]?.head ?? 0
  }

  async holderOf({ scope, key }: Claim): Promise<string | undefined> {
    refuseBadName(scope, 'A claim scope')
    refuseBadName(key, 'A claim key')
    const text = 'SELECT holder FROM store.claim WHERE scope = $1 AND key = $2'
    const { rows } = await answered(() => this.#pool.query<{ holder: string }>(text, [scope, key]))
    return rows[0]?.holder
  }

  onAppended(listener: () => void): () => void {
    return this.#wakeUp.listen(listener)
  }

  async close(): Promise<void> {
    await this.#batcher.close()
    await this.#wakeUp.close()
    if (this.#ownsPool) await this.#pool.end()
  }

  async #events(rest: string, values: unknown[]): Promise<RecordedEvent[]> {
    const { rows } = await answered(() => this.#pool.query(selectEvents(rest, values)))
    return rows.map((row) => new EventRow(row))
  }
}

/** Reads may be repeated. */
const answered = <Answer>(ask: () => Promise<Answer>): Promise<Answer> => asked(ask, judged)

function judged(error: unknown): ReturnType<Judge> {
  if (isConnectionLost(error)) return 'atOnce'
  return isUnavailable(error) ? 'later' : 'never'
}
