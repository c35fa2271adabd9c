/** Pure rules of one stream: no clock, no random, no I/O. Time, actor and fresh ids arrive in `Deciding`. */
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

/** For streams that grow long: their states are kept outside the log now and then. Dates, maps and the like survive. */
export interface SnapshotRule {
  /** Raised whenever `evolve` or the state's shape changes; what another version kept is passed over. */
  readonly version: number
  /** Events from one snapshot of a stream to its next. */
  readonly everyEvents: number
  /** Whose key seals the state of the stream with this key: whoever's texts are in it, so that erasing him reaches them. */
  readonly sealedFor: (key: string) => string
}

export interface Decider<S extends Stream = Stream, State = any, Commands = Record<string, DecideFunction<S>>> {
  readonly stream: S
  readonly initial: State
  readonly evolve: (state: State, event: DomainEvent, at: Date) => State
  readonly commands: Commands
  readonly snapshot?: SnapshotRule | undefined
}

/** `evolve` names every event of the stream, or it does not compile. A decision that changes nothing returns []. */
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
      if (!handler) throw new Error(`The stream ${stream.name} does not know the event ${event.type}`)
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
