/**
 * The event store on KurrentDB (once EventStoreDB), for those who outgrow one machine: one append is one AppendRecords, which holds
 * records of several streams and checks on any stream, all or nothing. What the server does not know — claims, and that an event
 * id is used once — are streams of our own that the same request checks and writes (names.ts).
 */
import { AppendConsistencyViolationError } from '@kurrent/kurrentdb-client'
import { admit } from '../validate-append.ts'
import { refuseForeignNames } from './stream-names.ts'
import { Connection } from './connection.ts'
import { findAppended, refuseMoved, refuseUsedIds, refuseWrongRevision } from './explain-refusal.ts'
import { refuseHalfWriters } from './require-atomic-append.ts'
import { Log } from './leader-reads.ts'
import { OrderOfAsking } from './request-order.ts'
import { planClaims } from './unique-constraints.ts'
import type { ClaimChange } from './unique-constraints.ts'
import { requestFor } from './append-request.ts'
import { WakeUp } from './wake-up.ts'
import { StoreUnavailable } from '../../events/store-port.ts'
import type {
  Append,
  Appended,
  Claim,
  EventStore,
  Part,
  Position,
  RecordedEvent,
  Revision,
} from '../../events/store-port.ts'
import { readAhead } from '../read-ahead.ts'
import { refuseBadName } from '../validate-names.ts'

/** Each lost race means that somebody else was appended, so the store as a whole goes on. */
const RACES_MAX = 20

/**
 * @param url kurrentdb://, kurrentdb+discover://, esdb:// or esdb+discover://, as the official client takes it
 * @throws a plain Error for people when the server cannot append to several streams at once · StoreUnavailable
 */
export async function openEventStoreDb({ url }: { readonly url: string }): Promise<EventStore> {
  const connection = new Connection(url)
  try {
    await connection.answered(() => refuseHalfWriters(connection.client))
  } catch (error) {
    await connection.close()
    throw error
  }
  return new EventStoreDb(connection)
}

class EventStoreDb implements EventStore {
  readonly #connection: Connection
  readonly #log: Log
  readonly #order = new OrderOfAsking()
  readonly #wakeUp: WakeUp

  constructor(connection: Connection) {
    this.#connection = connection
    this.#log = new Log(connection)
    this.#wakeUp = new WakeUp(connection)
  }

  async append(append: Append): Promise<Appended> {
    admit(append)
    refuseForeignNames(append.parts)
    const isWriting = append.parts.some(({ events }) => events.length > 0)
    const work = () => (isWriting ? this.#appendOrRefuse(append) : this.#guarded(append.parts))
    const inTurn = () => this.#order.inTurn(append, () => this.#connection.answered(work))
    // Again around it, because the time that it waits for its turn counts as well.
    const appended = await this.#connection.answered(inTurn)
    if (isWriting) this.#wakeUp.signal.give()
    return appended
  }

  async readStream(stream: string, after: Revision = 0): Promise<RecordedEvent[]> {
    refuseBadName(stream, 'A stream')
    return this.#connection.answered(() => this.#log.readStream(stream, after))
  }

  async readAll(after: Position, limit: number): Promise<RecordedEvent[]> {
    return this.#connection.answered(() => this.#log.readAll(after, limit))
  }

  async eventAt(position: Position): Promise<RecordedEvent | undefined> {
    return this.#connection.answered(() => this.#log.eventAt(position))
  }

  read(after: Position, { batch }: { readonly batch?: number } = {}): AsyncIterable<readonly RecordedEvent[]> {
    return readAhead((from, limit) => this.readAll(from, limit), after, batch)
  }

  async head(): Promise<Position> {
    return this.#connection.answered(() => this.#log.head())
  }

  async hasMoreThan(after: Position, max: number): Promise<boolean> {
    return (await this.readAll(after, max + 1)).length > max
  }

  async holderOf(claim: Claim): Promise<string | undefined> {
    refuseBadName(claim.scope, 'A claim scope')
    refuseBadName(claim.key, 'A claim key')
    return (await this.#connection.answered(() => this.#log.claim(claim))).holder
  }

  onAppended(listener: () => void): () => void {
    return this.#wakeUp.listen(listener)
  }

  async close(): Promise<void> {
    await this.#wakeUp.close()
    await this.#connection.close()
  }

  /** Only after a refusal is asked why: the reasons, in the order in which every store looks for them. */
  async #appendOrRefuse(append: Append): Promise<Appended> {
    for (let races = 0; races < RACES_MAX; races += 1) {
      const plan = planClaims(append, await this.#log.claims(append))
      const appended = plan.refused ? undefined : await this.#tryOnce(append, plan.changes)
      if (appended) return appended
      const before = await findAppended(this.#log, append.parts)
      if (before) return before
      await refuseWrongRevision(this.#log, append.parts)
      if (plan.refused) throw plan.refused
      await refuseUsedIds(this.#log, append.parts)
    }
    throw new StoreUnavailable(new Error(`Lost ${RACES_MAX} races for the same claims`))
  }

  /** The server checks nothing for who writes nothing, so this reads. */
  async #guarded(parts: readonly Part[]): Promise<Appended> {
    await refuseMoved(this.#log, parts)
    const revisions = await Promise.all(parts.map((part) => this.#revisionOf(part)))
    return { position: await this.#log.head(), revisions }
  }

  async #revisionOf({ stream, expected }: Part): Promise<Revision> {
    return expected === 'any' ? this.#log.revision(stream) : expected
  }

  /** @returns undefined when a check failed, whichever it was */
  async #tryOnce(append: Append, changes: readonly ClaimChange[]): Promise<Appended | undefined> {
    const { records, checks } = requestFor(append.parts, changes)
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
