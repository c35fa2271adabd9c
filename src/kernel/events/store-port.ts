/**
 * The event store's port. Words:
 *   position  an event's place in the global order: comparable, 0 is before the first, gaps are allowed
 *   revision  how many events a stream holds; an event's own revision is its number in the stream, from 1
 *   part      the events that one append adds to one stream, with the revision that it expects there
 *   claim     (scope, key) that is taken once; until it is released it is refused to everybody, its holder included, so that
 *             what can be used once is used once
 */
import { Rejection } from '../lib/rejection.ts'

export type Position = number
export type Revision = number
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json }
export type JsonObject = { [name: string]: Json }

export interface EventToAppend {
  /** A UUID. Appending the same ids again with the same expectation answers the first result and adds nothing. */
  readonly id: string
  readonly type: string
  readonly schemaVersion: number
  readonly data: JsonObject
  readonly metadata: JsonObject
}

/** Its fields may be getters, which spreading and comparing as a whole would miss: take them by name. */
export interface RecordedEvent extends EventToAppend {
  readonly position: Position
  readonly stream: string
  readonly revision: Revision
  readonly recordedAt: Date
}

export interface UniqueConstraint {
  readonly scope: string
  readonly key: string
}

export interface HeldConstraint extends UniqueConstraint {
  /** Whoever is refused learns this name, so it says whom to ask: a subscription's id, a customer's id. */
  readonly holder: string
}

export interface AppendPart {
  readonly stream: string
  /** 0: the stream must not exist yet. 'any': appended wherever the stream is. */
  readonly expected: Revision | 'any'
  /** None: a guard, by which the append rests on a stream that it does not write to. Guards of one stream refuse each other nothing. */
  readonly events: readonly EventToAppend[]
}

/**
 * All or nothing: every part, every claim, or none of them. A stream stands in at most one part. Of guards alone it writes nothing,
 * and is refused all the same unless all of them held at one moment; its position is then the head's.
 */
export interface Append {
  readonly parts: readonly AppendPart[]
  readonly take?: readonly HeldConstraint[]
  /** Only the holder's own claim goes; releasing what is not held, or is held by another, does nothing. Released before taken. */
  readonly release?: readonly HeldConstraint[]
}

export interface AppendResult {
  /** The position of the append's last event; of guards alone, where the log's newest event then was. */
  readonly position: Position
  /** Each part's stream revision after the append, in the order of the parts. */
  readonly revisions: readonly Revision[]
}

export interface EventStore {
  /**
   * @throws WrongExpectedRevision | UniqueConstraintViolation | StoreUnavailable | Rejection 400 for text that no store can hold, 503 STORE_BUSY
   *   when too much waits already: nothing of it was written
   */
  append(append: Append): Promise<AppendResult>
  /** In revision order; [] for an unknown stream. */
  readStream(stream: string, after?: Revision): Promise<RecordedEvent[]>
  /** In position order: at most `limit` events above `after`, which is 0 or where an event is. Never skips an event that becomes visible later. */
  readAll(after: Position, limit: number): Promise<RecordedEvent[]>
  /** The event at a position that a store has answered: other positions than those of events are no place to read from. */
  eventAt(position: Position): Promise<RecordedEvent | undefined>
  /**
   * Everything above `after` that there is now, in batches and in position order, each fetched while the one before is worked on.
   * Ends when there is nothing more; as `readAll`, it never skips an event that becomes visible later. Payloads may be parsed as late as
   * when they are first looked at. A store whose positions have gaps reads by `readAhead`.
   */
  readBatches(after: Position, options?: { readonly batch?: number }): AsyncIterable<readonly RecordedEvent[]>
  /** The position of the newest event, 0 when there is none. */
  head(): Promise<Position>
  /** Whether more than `max` events are above `after`, as in `readAll`. Reads none of them where positions have no gaps. */
  hasMoreThan(after: Position, max: number): Promise<boolean>
  holderOf(claim: UniqueConstraint): Promise<string | undefined>
  /** Calls back soon after any process appended; may call back too often, so read to find out. Returns the way to stop. */
  onAppended(listener: () => void): () => void
  close(): Promise<void>
}

export class WrongExpectedRevision extends Error {
  readonly stream: string
  readonly expected: Revision | 'any'
  readonly actual: Revision

  constructor(stream: string, expected: Revision | 'any', actual: Revision) {
    super(`Stream ${stream} is at revision ${actual}, not ${expected}`)
    this.name = 'WrongExpectedRevision'
    this.stream = stream
    this.expected = expected
    this.actual = actual
  }
}

export class UniqueConstraintViolation extends Error {
  readonly constraint: UniqueConstraint
  readonly holder: string

  constructor(claim: UniqueConstraint, holder: string) {
    super(`Claim ${claim.scope} is already held`)
    this.name = 'UniqueConstraintViolation'
    this.constraint = claim
    this.holder = holder
  }
}

/** The store could not answer; nobody knows whether an append in flight was committed. Retry with the same event ids. */
export class StoreUnavailable extends Rejection {
  constructor(cause: unknown) {
    super('unavailable', 'The event store is not available', 'STORE_UNAVAILABLE', { 'Retry-After': '1' })
    this.name = 'StoreUnavailable'
    this.cause = cause
  }
}
