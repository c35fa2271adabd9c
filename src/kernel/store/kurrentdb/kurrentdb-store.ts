/**
 * The event store on KurrentDB (formerly EventStoreDB), for installations that outgrow one machine. One append is one
 * AppendRecords request: records of several streams and checks on any stream, all or nothing. The server has no unique
 * constraints and no unique event ids, so the same request checks and writes internal streams for them
 * (stream-names.ts).
 */
import { AppendConsistencyViolationError } from '@kurrent/kurrentdb-client'
import { StoreUnavailable } from '../../events/store-port.ts'
import type {
  Append,
  AppendResult,
  UniqueConstraint,
  EventStore,
  AppendPart,
  Position,
  RecordedEvent,
  Revision,
} from '../../events/store-port.ts'
import { readAhead } from '../read-ahead.ts'
import { validateAppend } from '../validate-append.ts'
import { refuseBadName } from '../validate-names.ts'
import { KurrentDbAppendListener } from './append-listener.ts'
import { appendRequestFor } from './append-request.ts'
import { KurrentDbConnection } from './connection.ts'
import { findEarlierResult, refuseChangedStreams, refuseUsedIds, refuseWrongRevision } from './explain-refusal.ts'
import { LeaderReader } from './leader-reads.ts'
import { RequestOrder } from './request-order.ts'
import { requireAtomicAppend } from './require-atomic-append.ts'
import { refuseReservedNames } from './stream-names.ts'
import { planConstraints } from './unique-constraints.ts'
import type { ConstraintChange } from './unique-constraints.ts'

/** Each conflict means that another append succeeded, so the store as a whole makes progress. */
const RACES_MAX = 20

/**
 * @param url kurrentdb://, kurrentdb+discover://, esdb:// or esdb+discover://, in the form of the official client
 * @throws Error with a message for the operator when the server cannot append to several streams at once ·
 * StoreUnavailable
 */
export async function openKurrentDbStore({ url }: { readonly url: string }): Promise<EventStore> {
  const connection = new KurrentDbConnection(url)
  try {
    await connection.withRetry(() => requireAtomicAppend(connection.client))
  } catch (error) {
    await connection.close()
    throw error
  }
  return new KurrentDbStore(connection)
}

class KurrentDbStore implements EventStore {
  readonly #connection: KurrentDbConnection
  readonly #log: LeaderReader
  readonly #order = new RequestOrder()
  readonly #wakeUp: KurrentDbAppendListener

  constructor(connection: KurrentDbConnection) {
    this.#connection = connection
    this.#log = new LeaderReader(connection)
    this.#wakeUp = new KurrentDbAppendListener(connection)
  }

  async append(append: Append): Promise<AppendResult> {
    validateAppend(append)
    refuseReservedNames(append.parts)
    const isWriting = append.parts.some(({ events }) => events.length > 0)
    const work = () => (isWriting ? this.#appendOrRefuse(append) : this.#guarded(append.parts))
    const inTurn = () => this.#order.runInOrder(append, () => this.#connection.withRetry(work))
    // A second withRetry around it, because the limit of 9 s includes the wait for the turn.
    const appended = await this.#connection.withRetry(inTurn)
    if (isWriting) this.#wakeUp.signal.notify()
    return appended
  }

  async readStream(stream: string, after: Revision = 0): Promise<RecordedEvent[]> {
    refuseBadName(stream, 'A stream')
    return this.#connection.withRetry(() => this.#log.readStream(stream, after))
  }

  async readAll(after: Position, limit: number): Promise<RecordedEvent[]> {
    return this.#connection.withRetry(() => this.#log.readAll(after, limit))
  }

  async eventAt(position: Position): Promise<RecordedEvent | undefined> {
    return this.#connection.withRetry(() => this.#log.eventAt(position))
  }

  readBatches(after: Position, { batch }: { readonly batch?: number } = {}): AsyncIterable<readonly RecordedEvent[]> {
    return readAhead((from, limit) => this.readAll(from, limit), after, batch)
  }

  async head(): Promise<Position> {
    return this.#connection.withRetry(() => this.#log.head())
  }

  async hasMoreThan(after: Position, max: number): Promise<boolean> {
    return (await this.readAll(after, max + 1)).length > max
  }

  async holderOf(claim: UniqueConstraint): Promise<string | undefined> {
    refuseBadName(claim.scope, 'The scope of a unique constraint')
    refuseBadName(claim.key, 'The key of a unique constraint')
    return (await this.#connection.withRetry(() => this.#log.constraintState(claim))).holder
  }

  onAppended(listener: () => void): () => void {
    return this.#wakeUp.listen(listener)
  }

  async close(): Promise<void> {
    await this.#wakeUp.close()
    await this.#connection.close()
  }

  /** Reads for the reason only after a refusal, and checks the reasons in the same order as every store. */
  async #appendOrRefuse(append: Append): Promise<AppendResult> {
    for (let races = 0; races < RACES_MAX; races += 1) {
      const plan = planConstraints(append, await this.#log.constraintStates(append))
      const appended = plan.refused ? undefined : await this.#tryOnce(append, plan.changes)
      if (appended) return appended
      const before = await findEarlierResult(this.#log, append.parts)
      if (before) return before
      await refuseWrongRevision(this.#log, append.parts)
      if (plan.refused) throw plan.refused
      await refuseUsedIds(this.#log, append.parts)
    }
    throw new StoreUnavailable(new Error(`${RACES_MAX} conflicts on the same unique constraints`))
  }

  /** The server runs no checks for a request without records, so this method reads the streams. */
  async #guarded(parts: readonly AppendPart[]): Promise<AppendResult> {
    await refuseChangedStreams(this.#log, parts)
    const revisions = await Promise.all(parts.map((part) => this.#revisionOf(part)))
    return { position: await this.#log.head(), revisions }
  }

  async #revisionOf({ stream, expected }: AppendPart): Promise<Revision> {
    return expected === 'any' ? this.#log.revision(stream) : expected
  }

  /** @returns undefined when any check failed */
  async #tryOnce(append: Append, changes: readonly ConstraintChange[]): Promise<AppendResult | undefined> {
    const { records, checks } = appendRequestFor(append.parts, changes)
    try {
      const { position, responses } = await this.#connection.client.appendRecords(records, checks)
      const written = new Map(responses.map(({ streamName, revision }) => [streamName, Number(revision) + 1]))
      const revisions = append.parts.map(async (part) => written.get(part.stream) ?? (await this.#revisionOf(part)))
      return { position: Number(position), revisions: await Promise.all(revisions) }
    } catch (error) {
      if (error instanceof AppendConsistencyViolationError) return undefined
      throw error
    }
  }
}
