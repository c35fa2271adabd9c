/**
 * Runs commands: loads streams, lets deciders decide, appends everything that was decided in one append, and starts again
 * when somebody else was faster. One unit of work is one append: all of it happens, or none of it; and it happens only while every
 * stream that it has read is as it was read, so that units are as good as done one after another.
 */
import { UnitOfWorkAttempt, releaseStreamSlot, acquireStreamSlot } from './unit-of-work.ts'
import type { StreamSlot } from './unit-of-work.ts'
import type { EventCodec } from '../events/codec.ts'
import type { Clock } from '../lib/clock.ts'
import type { CommandInputOf, Decider, StateOf } from '../events/decider.ts'
import type { CommandContext, EventIn, Stream } from '../events/event.ts'
import { reject } from '../lib/rejection.ts'
import type { EventStore, Position } from '../events/store-port.ts'
import { StoreUnavailable, WrongExpectedRevision } from '../events/store-port.ts'
import { StateCache } from './state-cache.ts'
import { StreamQueue } from './stream-queue.ts'
import { SubjectErased } from '../vault/vault.ts'

const ATTEMPTS_MAX = 12

/** What one unit appended, or, when there was nothing left to do, what it found: an answer then rests on that. */
export interface UnitOutcome {
  readonly position: Position
  readonly streams: readonly string[]
  readonly types: readonly string[]
  readonly strict: boolean
}

export interface UnitOfWork {
  readonly at: Date
  /** A fresh UUIDv7. The same call in a retried unit gives another one. */
  newId(): string
  load<D extends Decider>(decider: D, key?: string): Promise<StateOf<D>>
  /** As `load`, of what this unit decides nothing about: what many units read must not make them take turns. */
  look<D extends Decider>(decider: D, key?: string): Promise<StateOf<D>>
  /** Decides on the state as this unit sees it, its own earlier decisions included. Answers what was decided. */
  decide<D extends Decider, Name extends keyof D['commands'] & string>(
    decider: D,
    key: string | undefined,
    command: Name,
    ask: CommandInputOf<D, Name>,
  ): Promise<readonly EventIn<D['stream']>[]>
  /** Appends to a stream that guards no rule, wherever that stream is. */
  appendEvent<S extends Stream>(stream: S, key: string | undefined, event: EventIn<S>): void
  holderOf(scope: string, key: string): Promise<string | undefined>
}

export interface CommandRunner {
  /**
   * @throws Rejection from a decision · UniqueConstraintViolation when a claim is held (the caller says what that means)
   *   · Rejection 503 after losing too many races · StoreUnavailable
   */
  run<Result>(
    context: CommandContext,
    work: (unit: UnitOfWork) => Promise<Result>,
    recorded?: (what: UnitOutcome) => void,
  ): Promise<Result>
}

/** `states` are shared with whoever else of this process folds streams. */
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
          try {
            const attempt = new UnitOfWorkAttempt(parts, context, clock.now(), turn)
            const result = await work(attempt)
            const rest = await attempt.commit()
            if (rest) recorded?.(rest)
            return result
          } catch (error) {
            if (error instanceof StoreUnavailable) outage = error
            if (!isRetryable(error)) throw error
            if (tries === ATTEMPTS_MAX)
              reject('unavailable', 'Too many changes at once, try again', 'CONTENTION', { 'Retry-After': '1' })
            // Many that begin apart and meet in one stream would go on losing to each other.
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

/** Somebody else was faster, so what was seen is no longer true. */
const isRetryable = (error: unknown): boolean =>
  error instanceof WrongExpectedRevision || error instanceof SubjectErased

/** Full jitter: rivals that collided once should not collide again. */
function pause(tries: number): Promise<void> {
  const upTo = Math.min(2 ** tries, 64)
  return new Promise((resolve) => setTimeout(resolve, Math.random() * upTo))
}
