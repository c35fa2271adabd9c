/**
 * Runs commands: loads streams, lets deciders decide, appends everything that was decided in one append, and starts again
 * when somebody else was faster. One unit of work is one append: all of it happens, or none of it.
 */
import { v7 as uuidv7 } from 'uuid'
import type { EventCodec } from './codec.ts'
import type { Clock } from './clock.ts'
import type { AskOf, Decider, StateOf } from './decider.ts'
import type { CommandContext, DomainEvent, EventIn, EventType, Stream } from './event.ts'
import { reject } from './rejection.ts'
import type { Snapshots } from './snapshots.ts'
import type { EventStore, EventToAppend, HeldClaim, Part, Position } from './store/port.ts'
import { StoreUnavailable, WrongExpectedRevision } from './store/port.ts'
import { StreamStates } from './stream-states.ts'
import { Turns } from './turns.ts'
import { SubjectErased } from './vault.ts'

const ATTEMPTS_MAX = 12

/** What one unit appended, or, when there was nothing left to do, what it found: an answer then rests on that. */
export interface Recorded {
  readonly position: Position
  readonly streams: readonly string[]
  readonly types: readonly string[]
  readonly strict: boolean
}

export interface Unit {
  readonly at: Date
  /** A fresh UUIDv7. The same call in a retried unit gives another one. */
  newId(): string
  load<D extends Decider>(decider: D, key?: string): Promise<StateOf<D>>
  /** The state of a stream that this unit decides nothing about: what many units read must not make them take turns. */
  look<D extends Decider>(decider: D, key?: string): Promise<StateOf<D>>
  /** Decides on the state as this unit sees it, its own earlier decisions included. Answers what was decided. */
  decide<D extends Decider, Name extends keyof D['commands'] & string>(
    decider: D,
    key: string | undefined,
    command: Name,
    ask: AskOf<D, Name>,
  ): Promise<readonly EventIn<D['stream']>[]>
  /** Appends to a stream that guards no rule, wherever that stream is. */
  record<S extends Stream>(stream: S, key: string | undefined, event: EventIn<S>): void
  holderOf(scope: string, key: string): Promise<string | undefined>
}

interface Loaded {
  readonly decider: Decider
  readonly expected: number
  readonly position: Position
  state: unknown
  readonly decided: DomainEvent[]
  /** Whether a decision was asked for; what was only read is no answer to anything. */
  isAsked: boolean
}

/** Of the stream that a unit loads first; kept from try to try. */
interface Turn {
  taken?: ReturnType<Turns['take']>
}

export interface CommandRunner {
  /**
   * @throws Rejection from a decision · ClaimRefused when a claim is held (the caller says what that means)
   *   · Rejection 503 after losing too many races · StoreUnavailable
   */
  run<Result>(
    context: CommandContext,
    work: (unit: Unit) => Promise<Result>,
    recorded?: (what: Recorded) => void,
  ): Promise<Result>
}

export function commandRunner(
  store: EventStore,
  codec: EventCodec,
  clock: Clock,
  snapshots?: Snapshots,
): CommandRunner {
  const states = new StreamStates(store, codec, snapshots)
  const turns = new Turns()

  async function attempt<Result>(
    context: CommandContext,
    work: (unit: Unit) => Promise<Result>,
    turn: Turn,
    recorded?: (what: Recorded) => void,
  ): Promise<Result> {
    const at = clock.now()
    const erasures = states.erasures
    const loaded = new Map<string, Loaded>()
    const loose = new Map<string, DomainEvent[]>()

    async function entry(decider: Decider, key?: string): Promise<Loaded> {
      const name = decider.stream.at(key)
      const known = loaded.get(name)
      if (known) return known
      await (turn.taken ??= turns.take(name))
      const { state, revision, position } = await states.current(decider, name)
      const fresh: Loaded = { decider, expected: revision, position, state, decided: [], isAsked: false }
      loaded.set(name, fresh)
      return fresh
    }

    const unit: Unit = {
      at,
      newId: () => uuidv7(),
      load: async (decider, key) => (await entry(decider, key)).state as never,
      look: async (decider, key) => {
        const name = decider.stream.at(key)
        return (loaded.get(name) ?? (await states.current(decider, name))).state as never
      },
      decide: async (decider, key, command, ask) => {
        const stream = await entry(decider, key)
        stream.isAsked = true
        const decision = (decider.commands as Record<string, (...given: unknown[]) => readonly DomainEvent[]>)[command]
        const events = decision!(stream.state, ask, { at, actor: context.actor })
        for (const event of events) stream.state = decider.evolve(stream.state, event, at)
        stream.decided.push(...events)
        return events as never
      },
      record: (stream, key, event) => {
        const name = stream.at(key)
        loose.set(name, [...(loose.get(name) ?? []), event])
      },
      holderOf: (scope, key) => store.holderOf({ scope, key }),
    }

    const result = await work(unit)
    const changed = [...loaded].filter(([, each]) => each.decided.length > 0)
    const all = [...changed.flatMap(([, each]) => each.decided), ...[...loose.values()].flat()]
    if (all.length === 0) {
      const asked = [...loaded].filter(([, { isAsked }]) => isAsked)
      if (asked.length > 0) recorded?.(foundDone(asked))
      return result
    }

    const metadata = await codec.metadata(context, at)
    const encode = (events: readonly DomainEvent[]): Promise<EventToAppend[]> =>
      Promise.all(events.map(async (event) => ({ id: uuidv7(), ...(await codec.encode(event)), metadata })))
    const parts: Part[] = []
    for (const [stream, { expected, decided }] of changed)
      parts.push({ stream, expected, events: await encode(decided) })
    for (const [stream, events] of loose) parts.push({ stream, expected: 'any', events: await encode(events) })
    const types = all.map((event) => codec.typeOf(event.type))
    const appended = await store.append({ parts, ...claimsOf(all, types) })
    for (const [name, { decider, state, expected, decided: events }] of changed)
      states.remember(
        decider,
        name,
        { state, revision: expected + events.length, position: appended.position },
        erasures,
      )
    recorded?.({
      position: appended.position,
      streams: parts.map(({ stream }) => stream),
      types: types.map((type) => type.type),
      strict: types.some((type) => type.options.strict === true),
    })
    return result
  }

  return {
    async run(context, work, recorded) {
      const turn: Turn = {}
      let outage: Error | undefined
      try {
        for (let tries = 1; ; tries += 1) {
          try {
            return await attempt(context, work, turn, recorded)
          } catch (error) {
            if (error instanceof StoreUnavailable) outage = error
            if (!(error instanceof WrongExpectedRevision || error instanceof SubjectErased)) throw error
            if (tries === ATTEMPTS_MAX)
              reject('unavailable', 'Too many changes at once, try again', 'CONTENTION', { 'Retry-After': '1' })
            await pause(tries)
          }
        }
      } finally {
        turn.taken?.then(
          (end) => end(outage),
          () => {},
        )
      }
    },
  }
}

/** A repeated revocation must not be answered before the first one holds, so it waits for the same read models. */
function foundDone(loaded: readonly (readonly [string, Loaded])[]): Recorded {
  const types = loaded.flatMap(([, { decider }]) => decider.stream.types)
  return {
    position: Math.max(...loaded.map(([, { position }]) => position)),
    streams: loaded.map(([stream]) => stream),
    types: types.map(({ type }) => type),
    strict: types.some(({ options }) => options.strict === true),
  }
}

function claimsOf(
  events: readonly DomainEvent[],
  types: readonly EventType[],
): { take: HeldClaim[]; release: HeldClaim[] } {
  const held = (kind: 'takes' | 'releases') =>
    events.flatMap(({ data }, index) => {
      const type = types[index]!
      const subject = String((data as Record<string, unknown>)[type.subjectKey])
      return (type.options[kind]?.(data) ?? []).map(({ scope, key, holder }) => ({
        scope,
        key,
        holder: holder ?? subject,
      }))
    })
  return { take: held('takes'), release: held('releases') }
}

/** Full jitter: rivals that collided once should not collide again. */
function pause(tries: number): Promise<void> {
  const upTo = Math.min(2 ** tries, 64)
  return new Promise((resolve) => setTimeout(resolve, Math.random() * upTo))
}
