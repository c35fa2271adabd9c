/**
 * The event store's port. Words:
 *   position           the place of an event in the global order: comparable, 0 is before the first, gaps are allowed
 *   revision           the number of events in a stream; the revision of an event is its number in the stream, from 1
 *   part               the events that one append adds to one stream, with the revision that it expects there
 *   unique constraint  a (scope, key) that one append takes; until it is released, every other append that takes it is
 *                      refused, its holder's too, so that a single-use thing is used once
 */
import { Rejection } from '../lib/rejection.ts'

export type Position = number
export type Revision = number
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json }
export type JsonObject = { [name: string]: Json }

export interface EventToAppend {
  /** A UUID. An append of the same ids with the same expectation returns the first result and adds nothing. */
  readonly id: string
  readonly type: string
  readonly schemaVersion: number
  readonly data: JsonObject
  readonly metadata: JsonObject
}

/** Read its fields by name: they may be getters, which a spread or a comparison of whole objects would miss. */
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
  /** A refused caller gets this name, so it identifies the holder: the id of a subscription or of a customer. */
  readonly holder: string
}

export interface AppendPart {
  readonly stream: string
  /** 0: the stream must not exist yet. 'any': the events are appended at any revision. */
  readonly expected: Revision | 'any'
  /**
   * A part without events is a guard: the append depends on a stream that it does not write to.
   * Guards never conflict.
   */
  readonly events: readonly EventToAppend[]
}

/**
 * All parts and all unique constraints, or none of them. A stream is in at most one part. An append of guards alone
 * writes nothing; it is refused unless all of them held at one moment, and its position is that of the head.
 */
export interface Append {
  readonly parts: readonly AppendPart[]
  readonly take?: readonly HeldConstraint[]
  /** Applied before `take`. A constraint that is not held, or is held by another holder, is left as it is. */
  readonly release?: readonly HeldConstraint[]
}

export interface AppendResult {
  /**
   * The position of the append's last event; for guards alone, the position of the log's newest event at that moment.
   */
  readonly position: Position
  /** The stream revision of each part after the append, in the order of the parts. */
  readonly revisions: readonly Revision[]
}

export interface EventStore {
  /**
   * @throws WrongExpectedRevision | UniqueConstraintViolation | StoreUnavailable
   *   | Rejection 400 for text that no store can hold
   *   | Rejection 503 STORE_BUSY when the queue is full, with nothing written
   */
  append(append: Append): Promise<AppendResult>
  /** In revision order; [] for an unknown stream. */
  readStream(stream: string, after?: Revision): Promise<RecordedEvent[]>
  /**
   * In position order: at most `limit` events above `after`, which is 0 or the position of an event.
   * Never skips an event that becomes visible later.
   */
  readAll(after: Position, limit: number): Promise<RecordedEvent[]>
  /** The event at a position that the store has returned. Other positions are not valid. */
  eventAt(position: Position): Promise<RecordedEvent | undefined>
  /**
   * All present events above `after`, in batches and in position order. Each batch is fetched while the previous one is
   * processed. Ends at the newest event; like `readAll`, it never skips an event that becomes visible later.
   * Payloads may be parsed on first access. A store whose positions have gaps uses `readAhead`.
   */
  readBatches(after: Position, options?: { readonly batch?: number }): AsyncIterable<readonly RecordedEvent[]>
  /** The position of the newest event, 0 when there is none. */
  head(): Promise<Position>
  /** Whether more than `max` events are above `after`, as in `readAll`. Reads no events if positions have no gaps. */
  hasMoreThan(after: Position, max: number): Promise<boolean>
  holderOf(claim: UniqueConstraint): Promise<string | undefined>
  /**
   * Calls back soon after any process appended, within three seconds if a notification is lost; it may call back without a
   * new event.
   * @param whose 'others': appends of this process may be left out
   * @returns a function that stops it
   */
  onAppended(listener: () => void, whose?: 'all' | 'others'): () => void
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
    super(`The unique constraint ${claim.scope} is already held`)
    this.name = 'UniqueConstraintViolation'
    this.constraint = claim
    this.holder = holder
  }
}

/** The store did not answer, so an append in flight may or may not be committed. Retry with the same event ids. */
export class StoreUnavailable extends Rejection {
  constructor(cause: unknown) {
    super('unavailable', 'The event store is not available; try again later', 'STORE_UNAVAILABLE', {
      'Retry-After': '1',
    })
    this.name = 'StoreUnavailable'
    this.cause = cause
  }
}
