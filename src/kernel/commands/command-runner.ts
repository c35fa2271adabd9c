/**
 * Runs commands: loads streams, lets deciders decide and appends all decisions in one append, all or nothing.
 * The append succeeds only if every stream that the unit has read is unchanged, so units of work are serializable.
 * After a conflict with another command, the unit starts again.
 */
import type { EventCodec } from '../events/codec.ts'
import type { CommandInputOf, Decider, StateOf } from '../events/decider.ts'
import type { CommandContext, EventIn, Stream } from '../events/event.ts'
import type { EventStore, Position, Revision } from '../events/store-port.ts'
import { StoreUnavailable, WrongExpectedRevision } from '../events/store-port.ts'
import type { Clock } from '../lib/clock.ts'
import { Rejection, reject } from '../lib/rejection.ts'
import { isUnavailable } from '../store/outage.ts'
import { SubjectErased } from '../vault/vault.ts'
import { StateCache } from './state-cache.ts'
import { StreamQueue } from './stream-queue.ts'
import { UnitOfWorkAttempt, releaseStreamSlot, acquireStreamSlot } from './unit-of-work.ts'
import type { StreamSlot } from './unit-of-work.ts'

const ATTEMPTS_MAX = 12

/** What one unit appended or, if its decisions changed nothing, what it has read. The reply depends on it. */
export interface UnitOutcome {
  readonly position: Position
  readonly streams: readonly string[]
  readonly types: readonly string[]
  readonly strict: boolean
}

export interface UnitOfWork {
  readonly at: Date
  /** A new UUIDv7. A retry of the unit gets a different one. */
  newId(): string
  load<D extends Decider>(decider: D, key?: string): Promise<StateOf<D>>
  /**
   * As `load`, for a stream that the unit only reads.
   * It does not queue, so units that read the same stream run concurrently.
   */
  look<D extends Decider>(decider: D, key?: string): Promise<StateOf<D>>
  /** How many events of the stream the unit has seen. What another stream keeps of it is read again by `loadAt`. */
  revisionOf<D extends Decider>(decider: D, key?: string): Promise<Revision>
  /** The state after so many events of the stream. Nothing changes the past, so the unit does not depend on it. */
  loadAt<D extends Decider>(decider: D, key: string | undefined, revision: Revision): Promise<StateOf<D>>
  /** Decides on the state as this unit sees it, its own earlier decisions included. Returns the new events. */
  decide<D extends Decider, Name extends keyof D['commands'] & string>(
    decider: D,
    key: string | undefined,
    command: Name,
    ask: CommandInputOf<D, Name>,
  ): Promise<readonly EventIn<D['stream']>[]>
  /** Appends at any revision, for a stream that has no rules. */
  appendEvent<S extends Stream>(stream: S, key: string | undefined, event: EventIn<S>): void
  /** The holder of a unique constraint, read once. Holders that are asked for together cost one statement. */
  holderOf(scope: string, key: string): Promise<string | undefined>
}

export interface CommandRunner {
  /**
   * @throws Rejection from a decision · UniqueConstraintViolation (the caller turns it into a message)
   *   · Rejection 503 CONTENTION after too many conflicts · StoreUnavailable
   */
  run<Result>(
    context: CommandContext,
    work: (unit: UnitOfWork) => Promise<Result>,
    recorded?: (what: UnitOutcome) => void,
  ): Promise<Result>
}

/** @param states shared with the other parts of this process that fold streams */
export function commandRunner(
  store: EventStore,
  codec: EventCodec,
  clock: Clock,
  states = new StateCache(store, codec),
): CommandRunner {
  const parts = { store, codec, states, turns: new StreamQueue() }

  return {
    async run(context, work, recorded) {
      const turn: StreamSlot = {}
      let outage: Error | undefined
      try {
        for (let tries = 1; ; tries += 1) {
          const attempt = new UnitOfWorkAttempt(parts, context, clock.now(), turn, tries === 1)
          try {
            const result = await work(attempt).catch((error: unknown) => confirmed(attempt, error))
            const rest = await attempt.commit()
            if (rest) recorded?.(rest)
            return result
          } catch (error) {
            if (isOutage(error)) outage = error
            if (!isRetryable(error)) throw error
            if (tries === ATTEMPTS_MAX)
              reject('unavailable', 'Too many changes at once; try again', 'CONTENTION', { 'Retry-After': '1' })
            // The cache was old, which the next attempt does not use.
            if (error instanceof WrongExpectedRevision && attempt.isUnconfirmed(error.stream)) continue
            // Units that begin with different streams and conflict on one stream would keep conflicting without a
            // queue.
            if (error instanceof WrongExpectedRevision && error.stream !== turn.stream)
              acquireStreamSlot(turn, parts.turns, error.stream)
            await pause(tries)
          }
        }
      } finally {
        releaseStreamSlot(turn, outage)
      }
    },
  }
}

/**
 * A rejection must not rest on an old state. 503 rests on none, and a read during an outage would wait as long again.
 * @throws the error; WrongExpectedRevision when a stream has changed
 */
async function confirmed(attempt: UnitOfWorkAttempt, error: unknown): Promise<never> {
  if (!isRetryable(error) && !isOutage(error) && !isUnavailableNow(error)) await attempt.confirm()
  throw error
}

const isOutage = (error: unknown): error is Error => error instanceof StoreUnavailable || isUnavailable(error)

const isUnavailableNow = (error: unknown): boolean => error instanceof Rejection && error.statusCode === 503

/** Another command changed a stream or erased a subject that this unit has read. */
const isRetryable = (error: unknown): boolean =>
  error instanceof WrongExpectedRevision || error instanceof SubjectErased

/** Full jitter, so that two conflicting units do not conflict again. At most 64 ms. */
function pause(tries: number): Promise<void> {
  const upTo = Math.min(2 ** tries, 64)
  return new Promise((resolve) => setTimeout(resolve, Math.random() * upTo))
}
