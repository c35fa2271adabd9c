/** One try at a unit of work: what it saw, what it decided on that, and the one append that comes of it. */
import { v7 as uuidv7 } from 'uuid'
import { claimsOf } from '../events/unique-constraints.ts'
import type { EventCodec } from '../events/codec.ts'
import type { Recorded, Unit } from './command-runner.ts'
import type { Decider } from '../events/decider.ts'
import type { CommandContext, DomainEvent, EventType } from '../events/event.ts'
import type { EventStore, EventToAppend, Part, Position } from '../events/store-port.ts'
import { WrongExpectedRevision } from '../events/store-port.ts'
import type { StreamStates } from './state-cache.ts'
import type { Turns } from './stream-queue.ts'

export interface AttemptParts {
  readonly store: EventStore
  readonly codec: EventCodec
  readonly states: StreamStates
  readonly turns: Turns
}

/** Of the stream that a unit loads first, or of the one that it lost a race for; kept from try to try. */
export interface Turn {
  stream?: string
  taken?: ReturnType<Turns['take']>
}

/** One turn at a time, so that no two units wait for each other. */
export function takeTurn(turn: Turn, turns: Turns, stream: string): void {
  endTurn(turn)
  turn.stream = stream
  turn.taken = turns.take(stream)
  // Whoever waits for it hears of it; a unit that loads nothing more does not wait.
  turn.taken.catch(() => {})
}

export function endTurn({ taken }: Turn, outage?: Error): void {
  taken?.then(
    (end) => end(outage),
    () => {},
  )
}

interface Seen {
  readonly decider: Decider
  readonly expected: number
  readonly position: Position
  state: unknown
  readonly decided: DomainEvent[]
  /** Whether a decision was asked for; what was only read is no answer to anything. */
  isAsked: boolean
}

export class Attempt implements Unit {
  readonly at: Date
  readonly #parts: AttemptParts
  readonly #context: CommandContext
  readonly #turn: Turn
  readonly #erasures: number
  readonly #seen = new Map<string, Seen>()
  readonly #loose = new Map<string, DomainEvent[]>()

  constructor(parts: AttemptParts, context: CommandContext, at: Date, turn: Turn) {
    this.at = at
    this.#parts = parts
    this.#context = context
    this.#turn = turn
    this.#erasures = parts.states.erasures
  }

  readonly newId = (): string => uuidv7()

  readonly load: Unit['load'] = async (decider, key) => (await this.#entry(decider, key)).state as never

  readonly look: Unit['look'] = async (decider, key) => {
    const name = decider.stream.at(key)
    return (this.#seen.get(name) ?? (await this.#see(decider, name))).state as never
  }

  readonly decide: Unit['decide'] = async (decider, key, command, ask) => {
    const stream = await this.#entry(decider, key)
    stream.isAsked = true
    const decision = (decider.commands as Record<string, (...given: unknown[]) => readonly DomainEvent[]>)[command]
    const events = decision!(stream.state, ask, { at: this.at, actor: this.#context.actor })
    for (const event of events) stream.state = decider.evolve(stream.state, event, this.at)
    stream.decided.push(...events)
    return events as never
  }

  readonly record: Unit['record'] = (stream, key, event) => {
    const name = stream.at(key)
    this.#loose.set(name, [...(this.#loose.get(name) ?? []), event])
  }

  readonly holderOf: Unit['holderOf'] = (scope, key) => this.#parts.store.holderOf({ scope, key })

  /**
   * All of it at once, and only while everything that it has seen is still so: what is decided on one stream often rests on others, as
   * a session does on the password that it was started with. A stream that nothing was decided on is a part without events: that
   * makes nobody else start again, however many do the same.
   * @returns what its answer rests on; nothing when no decision was asked for
   */
  async append(): Promise<Recorded | undefined> {
    const changed = [...this.#seen].filter(([, { decided }]) => decided.length > 0)
    const events = [...changed.flatMap(([, { decided }]) => decided), ...[...this.#loose.values()].flat()]
    if (events.length === 0) return this.#foundDone()
    const types = events.map(({ type }) => this.#parts.codec.typeOf(type))
    const { position } = await this.#parts.store.append({ parts: await this.#written(), ...claimsOf(events, types) })
    this.#remember(changed, position)
    return recorded(position, [...changed.map(([stream]) => stream), ...this.#loose.keys()], types)
  }

  async #entry(decider: Decider, key?: string): Promise<Seen> {
    const name = decider.stream.at(key)
    if (!this.#turn.taken) {
      takeTurn(this.#turn, this.#parts.turns, name)
      await this.#stillSeen(decider, name)
    }
    await this.#turn.taken
    return this.#seen.get(name) ?? this.#see(decider, name)
  }

  /** Whoever was before may have changed what was looked at: better to start again now than behind all that is still to do. */
  async #stillSeen(decider: Decider, name: string): Promise<void> {
    const known = this.#seen.get(name)
    if (!known) return
    await this.#turn.taken
    const { revision } = await this.#parts.states.current(decider, name)
    if (revision !== known.expected) throw new WrongExpectedRevision(name, known.expected, revision)
  }

  async #see(decider: Decider, name: string): Promise<Seen> {
    const { state, revision, position } = await this.#parts.states.current(decider, name)
    // Asked for twice at once it is still one stream: what is decided on another copy would be lost.
    const meanwhile = this.#seen.get(name)
    if (meanwhile) return meanwhile
    const fresh: Seen = { decider, expected: revision, position, state, decided: [], isAsked: false }
    this.#seen.set(name, fresh)
    return fresh
  }

  async #written(): Promise<Part[]> {
    const metadata = await this.#parts.codec.metadata(this.#context, this.at)
    const written = (events: readonly DomainEvent[]): Promise<EventToAppend[]> =>
      Promise.all(events.map(async (event) => ({ id: uuidv7(), ...(await this.#parts.codec.encode(event)), metadata })))
    const parts: Part[] = []
    for (const [stream, { expected, decided }] of this.#seen)
      parts.push({ stream, expected, events: await written(decided) })
    for (const [stream, events] of this.#loose) parts.push({ stream, expected: 'any', events: await written(events) })
    return parts
  }

  #remember(changed: readonly (readonly [string, Seen])[], position: Position): void {
    for (const [stream, { decider, state, expected, decided }] of changed) {
      const newest = { state, revision: expected + decided.length, position }
      this.#parts.states.remember(decider, stream, newest, this.#erasures)
    }
  }

  /** A repeated revocation must not be answered before the first one holds, so it waits for the same read models. */
  async #foundDone(): Promise<Recorded | undefined> {
    const asked = [...this.#seen].filter(([, { isAsked }]) => isAsked)
    if (asked.length === 0) return undefined
    // Of several streams each was seen at another moment, and what they say together may never have been so.
    if (this.#seen.size > 1) await this.#parts.store.append({ parts: await this.#written() })
    return recorded(
      Math.max(...asked.map(([, { position }]) => position)),
      asked.map(([stream]) => stream),
      asked.flatMap(([, { decider }]) => decider.stream.types),
    )
  }
}

function recorded(position: Position, streams: readonly string[], types: readonly EventType[]): Recorded {
  return {
    position,
    streams,
    types: types.map(({ type }) => type),
    strict: types.some(({ options }) => options.strict === true),
  }
}
