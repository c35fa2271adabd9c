/**
 * Group commit: all waiting appends are sent as one batch, and appends that arrive meanwhile form the next one. One
 * batch is in flight at a time. It holds the lock of the store for one call and never across a round trip, so that
 * other processes get their turn.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseError } from 'pg'
import type { QueryArrayConfig } from 'pg'
import { StoreUnavailable } from '../../events/store-port.ts'
import type { AppendResult } from '../../events/store-port.ts'
import { isConnectionLost, isUnavailable } from '../outage.ts'
import { appendQuery, appendOneQuery, outcomesOf } from './append-call.ts'
import type { AppendAnswer, AppendOutcome, EncodedAppend } from './append-call.ts'
import type { AppendConnection } from './append-connection.ts'
import { AppendQueue } from './append-queue.ts'

const TRIES_MAX = 3
const PAUSE_MS = 50
/** A request may take at most 10 s. */
const ANSWER_WITHIN_MS = 9_000
const LOOK_EVERY_MS = 250
/**
 * With at least so many waiting appends, half of them are sent first: the process encodes the other half while the
 * database works. With fewer, the second call is not worth it: a call, its flush included, costs as much as encoding
 * about 40 appends (measured).
 */
const CROWD = 96

interface PendingAppend {
  readonly append: EncodedAppend
  readonly since: number
  settle(ending: AppendOutcome): void
}

export class GroupCommit {
  readonly #connection: AppendConnection
  readonly #onAppended: () => void
  readonly #queue = new AppendQueue<PendingAppend>()
  #sent: readonly PendingAppend[] = []
  #run: Promise<void> | undefined
  #isClosed = false

  /** @param onAppended called once for each batch in which an append was written, or may have been */
  constructor(connection: AppendConnection, onAppended: () => void) {
    this.#connection = connection
    this.#onAppended = onAppended
  }

  /**
   * Calls `written` at once and rejects with its error, which needs only one promise for each append.
   * @throws as EventStore.append
   */
  append(written: () => EncodedAppend): Promise<AppendResult> {
    return new Promise((resolve, reject) => {
      const append = written()
      if (this.#isClosed) throw new StoreUnavailable(new Error('The event store is closed'))
      const end = (ending: AppendOutcome) => (ending instanceof Error ? reject(ending) : resolve(ending))
      this.#queue.add({ append, since: performance.now(), settle: end })
      this.#run ??= Promise.resolve().then(() => this.#sendAll())
    })
  }

  /** Sends the waiting appends and refuses new ones. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#run
    await this.#connection.close()
  }

  async #sendAll(): Promise<void> {
    const clock = setInterval(() => this.#endLate(), LOOK_EVERY_MS)
    let sending = this.#sendNext(this.#queue.size < CROWD ? Infinity : Math.ceil(this.#queue.size / 2))
    while (sending) {
      const tell = await sending
      // The next batch is sent before the callers continue, so that the database works meanwhile.
      sending = this.#sendNext(Infinity)
      tell()
    }
    clearInterval(clock)
    this.#run = undefined
  }

  #sendNext(most: number): Promise<() => void> | undefined {
    this.#sent = this.#queue.takeBatch(most)
    return this.#sent.length > 0 ? this.#send(this.#sent) : undefined
  }

  /**
   * Sends a failed batch again in halves, until the failing append is alone.
   * Returns a function that tells the callers the outcomes.
   */
  async #send(batch: readonly PendingAppend[]): Promise<() => void> {
    try {
      const endings = await this.#endings(batch)
      return () => this.#tell(batch, endings)
    } catch (error) {
      if (isUnavailable(error)) return () => this.#tellUnavailable(batch, error)
      if (batch.length === 1) return () => failAll(batch, error as Error)
    }
    const middle = batch.length >> 1
    const first = await this.#send(batch.slice(0, middle))
    const second = await this.#send(batch.slice(middle))
    return () => [first, second].forEach((tell) => tell())
  }

  async #endings(batch: readonly PendingAppend[]): Promise<AppendOutcome[]> {
    const appends = batch.map((guest) => guest.append)
    const one = appendOneQuery(appends)
    if (one) {
      try {
        return outcomesOf(appends, await this.#answer(one, batch))
      } catch (error) {
        if (!isIdInUse(error)) throw error
      }
    }
    return outcomesOf(appends, await this.#answer(appendQuery(appends), batch))
  }

  /**
   * A retry is safe because appends have event ids: if the first attempt was committed, the second one finds the ids
   * and returns the first result.
   */
  async #answer(call: QueryArrayConfig, [oldest]: readonly PendingAppend[]): Promise<AppendAnswer> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#connection.query(call)
      } catch (error) {
        if (tries === TRIES_MAX || !isConnectionLost(error) || isLate(oldest!)) throw error
        await pause(PAUSE_MS * tries)
      }
    }
  }

  #tell(batch: readonly PendingAppend[], endings: readonly AppendOutcome[]): void {
    batch.forEach((guest, index) => guest.settle(endings[index]!))
    if (endings.some((ending) => !(ending instanceof Error))) this.#onAppended()
  }

  /** The batch may be written all the same. */
  #tellUnavailable(batch: readonly PendingAppend[], error: unknown): void {
    failAll(batch, new StoreUnavailable(error))
    this.#onAppended()
  }

  #endLate(): void {
    const late = [...this.#sent.filter(isLate), ...this.#queue.remove(isLate)]
    if (late.length > 0) failAll(late, new StoreUnavailable(new Error(`No answer within ${ANSWER_WITHIN_MS} ms`)))
  }
}

const isLate = ({ since }: PendingAppend): boolean => performance.now() - since > ANSWER_WITHIN_MS

/** store.append_one does not check the event ids before it writes; store.append does. */
const isIdInUse = (error: unknown): boolean => error instanceof DatabaseError && error.code === '23505'

function failAll(batch: readonly PendingAppend[], error: Error): void {
  for (const guest of batch) guest.settle(error)
}
