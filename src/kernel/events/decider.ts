/**
 * The pure rules of one stream: no clock, no random numbers, no I/O.
 * The time and the actor come in `DecisionContext`.
 */
import type { Actor, DomainEvent, EventIn, Stream } from './event.ts'

export interface DecisionContext {
  /** The database's time. */
  readonly at: Date
  readonly actor: Actor
}

export type DecideFunction<S> = (state: any, ask: any, deciding: DecisionContext) => readonly EventIn<S>[]

type Evolve<S, State> = {
  readonly [Name in EventIn<S>['type']]: (
    state: State,
    data: Extract<EventIn<S>, { type: Name }>['data'],
    at: Date,
  ) => State
}

/**
 * Snapshots of long streams, stored outside the log.
 * A state may hold dates, maps and other values that `v8.serialize` takes.
 */
export interface SnapshotRule {
  /** To be raised whenever `evolve` or the shape of the state changes; snapshots of another version are ignored. */
  readonly version: number
  /** Events of a stream between two snapshots. */
  readonly everyEvents: number
  /**
   * The subject whose texts are in the state.
   * Its key seals the snapshot, so that erasing the subject erases the snapshot too.
   */
  readonly sealedFor: (key: string) => string
}

export interface Decider<S extends Stream = Stream, State = any, Commands = Record<string, DecideFunction<S>>> {
  readonly stream: S
  readonly initial: State
  readonly evolve: (state: State, event: DomainEvent, at: Date) => State
  readonly commands: Commands
  readonly snapshot?: SnapshotRule | undefined
}

/**
 * `evolve` must handle every event of the stream, or it does not compile. A decision that changes nothing returns [].
 */
export function decider<
  S extends Stream,
  State,
  Commands extends Record<string, (state: State, ask: any, deciding: DecisionContext) => readonly EventIn<S>[]>,
>(
  stream: S,
  rules: { initial: State; evolve: Evolve<S, State>; commands: Commands; snapshot?: SnapshotRule },
): Decider<S, State, Commands> {
  const handlers = rules.evolve as Record<string, (state: State, data: unknown, at: Date) => State>
  return {
    stream,
    initial: rules.initial,
    commands: rules.commands,
    snapshot: rules.snapshot,
    evolve: (state, event, at) => {
      const handler = handlers[event.type]
      if (!handler)
        throw new Error(`The decider of the stream ${stream.name} has no handler for the event ${event.type}`)
      return handler(state, event.data, at)
    },
  }
}

export type StateOf<D> = D extends Decider<Stream, infer State, any> ? State : never
export type CommandInputOf<D, Name extends string> =
  D extends Decider<any, any, infer Commands>
    ? Name extends keyof Commands
      ? Commands[Name] extends (state: any, ask: infer Ask, ...rest: any[]) => unknown
        ? Ask
        : never
      : never
    : never
