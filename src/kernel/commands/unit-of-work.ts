/** One try at a unit of work: what it saw, what it decided on that, and the one append that comes of it. */
import { v7 as uuidv7 } from 'uuid'
import { constraintsOf } from '../events/unique-constraints.ts'
import type { EventCodec } from '../events/codec.ts'
import type { UnitOutcome, UnitOfWork } from './command-runner.ts'
import type { Decider } from '../events/decider.ts'
import type { CommandContext, DomainEvent, EventType } from '../events/event.ts'
import type { EventStore, EventToAppend, AppendPart, Position } from '../events/store-port.ts'
import { WrongExpectedRevision } from '../events/store-port.ts'
import type { StateCache } from './state-cache.ts'
import type { StreamQueue } from './stream-queue.ts'

export interface UnitOfWorkDependencies {
  readonly store: EventStore
  readonly codec: EventCodec
  readonly states: StateCache
  readonly turns: StreamQueue
}

/** Of the stream that a unit loads first, or of the one that it lost a race for; kept from try to try. */
export interface StreamSlot {
  stream?: string
  acquired?: ReturnType<StreamQueue['acquire']>
}

/** One turn at a time, so that no two units wait for each other. */
export function acquireStreamSlot(turn: StreamSlot, turns: StreamQueue, stream: string): void {
  releaseStreamSlot(turn)
  turn.stream = stream
  turn.acquired = turns.acquire(stream)
  // Whoever waits for it hears of it; a unit that loads nothing more does not wait.
  turn.acquired.catch(() => {})
}

export function releaseStreamSlot({ acquired }: StreamSlot, outage?: Error): void {
  acquired?.then(
    (end) => end(outage),
    () => {},
  )
}

interface LoadedStream {
  readonly decider: Decider
  readonly expected: number
  readonly position: Position
  state: unknown
  readonly newEvents: DomainEvent[]
  /** Whether a decision was asked for; what was only read is no answer to anything. */
  hasDecision: boolean
}

export class UnitOfWorkAttempt implements UnitOfWork {
  readonly at: Date
  readonly #parts: UnitOfWorkDependencies
  readonly #context: CommandContext
  readonly #turn: StreamSlot
  readonly #erasures: number
  readonly #seen = new Map<string, LoadedStream>()
  readonly #loose = new Map<string, DomainEvent[]>()

  constructor(parts: UnitOfWorkDependencies, context: CommandContext, at: Date, turn: StreamSlot) {
    this.at = at
    this.#parts = parts
    this.#context = context
    this.#turn = turn
    this.#erasures = parts.states.erasureCount
  }

  readonly newId = (): string => uuidv7()

  readonly load: UnitOfWork['load'] = async (decider, key) => (await this.#entry(decider, key)).state as never

  readonly look: UnitOfWork['look'] = async (decider, key) => {
    const name = decider.stream.nameFor(key)
    return (this.#seen.get(name) ?? (await this.#see(decider, name))).state as never
  }

  readonly decide: UnitOfWork['decide'] = async (decider, key, command, ask) => {
    const stream = await this.#entry(decider, key)
    stream.hasDecision = true
    const decision = (decider.commands as Record<string, (...given: unknown[]) => readonly DomainEvent[]>)[command]
    const events = decision!(stream.state, ask, { at: this.at, actor: this.#context.actor })
    for (const event of events) stream.state = decider.evolve(stream.state, event, this.at)
    stream.newEvents.push(...events)
    return events as never
  }

  readonly appendEvent: UnitOfWork['appendEvent'] = (stream, key, event) => {
    const name = stream.nameFor(key)
    this.#loose.set(name, [...(this.#loose.get(name) ?? []), event])
  }

  readonly holderOf: UnitOfWork['holderOf'] = (scope, key) => this.#parts.store.holderOf({ scope, key })

  /**
   * All of it at once, and only while everything that it has seen is still so: what is decided on one stream often rests on others, as
   * a session does on the password that it was started with. A stream that nothing was decided on is a part without events: that
   * makes nobody else start again, however many do the same.
   * @returns what its answer rests on; nothing when no decision was asked for
   */
  async commit(): Promise<UnitOutcome | undefined> {
    const changed = [...this.#seen].filter(([, { newEvents }]) => newEvents.length > 0)
    const events = [...changed.flatMap(([, { newEvents }]) => newEvents), ...[...this.#loose.values()].flat()]
    if (events.length === 0) return this.#foundDone()
    const types = events.map(({ type }) => this.#parts.codec.typeOf(type))
    const { position } = await this.#parts.store.append({
      parts: await this.#written(),
      ...constraintsOf(events, types),
    })
    this.#remember(changed, position)
    return unitOutcome(position, [...changed.map(([stream]) => stream), ...this.#loose.keys()], types)
  }

  async #entry(decider: Decider, key?: string): Promise<LoadedStream> {
    const name = decider.stream.nameFor(key)
    if (!this.#turn.acquired) {
      acquireStreamSlot(this.#turn, this.#parts.turns, name)
      await this.#stillSeen(decider, name)
    }
    await this.#turn.acquired
    return this.#seen.get(name) ?? this.#see(decider, name)
  }

  /** Whoever was before may have changed what was looked at: better to start again now than behind all that is still to do. */
  async #stillSeen(decider: Decider, name: string): Promise<void> {
    const known = this.#seen.get(name)
    if (!known) return
    await this.#turn.acquired
    const { revision } = await this.#parts.states.current(decider, name)
    if (revision !== known.expected) throw new WrongExpectedRevision(name, known.expected, revision)
  }

  async #see(decider: Decider, name: string): Promise<LoadedStream> {
    const { state, revision, position } = await this.#parts.states.current(decider, name)
    // Asked for twice at once it is still one stream: what is decided on another copy would be lost.
    const meanwhile = this.#seen.get(name)
    if (meanwhile) return meanwhile
    const fresh: LoadedStream = { decider, expected: revision, position, state, newEvents: [], hasDecision: false }
    this.#seen.set(name, fresh)
    return fresh
  }

  async #written(): Promise<AppendPart[]> {
    const metadata = await this.#parts.codec.metadata(this.#context, this.at)
    const written = (events: readonly DomainEvent[]): Promise<EventToAppend[]> =>
      Promise.all(events.map(async (event) => ({ id: uuidv7(), ...(await this.#parts.codec.encode(event)), metadata })))
    const parts: AppendPart[] = []
    for (const [stream, { expected, newEvents }] of this.#seen)
      parts.push({ stream, expected, events: await written(newEvents) })
    for (const [stream, events] of this.#loose) parts.push({ stream, expected: 'any', events: await written(events) })
    return parts
  }

  #remember(changed: readonly (readonly [string, LoadedStream])[], position: Position): void {
    for (const [stream, { decider, state, expected, newEvents }] of changed) {
      const newest = { state, revision: expected + newEvents.length, position }
      this.#parts.states.remember(decider, stream, newest, this.#erasures)
    }
  }

  /** A repeated revocation must not be answered before the first one holds, so it waits for the same read models. */
  async #foundDone(): Promise<UnitOutcome | undefined> {
    const asked = [...this.#seen].filter(([, { hasDecision }]) => hasDecision)
    if (asked.length === 0) return undefined
    // Of several streams each was seen at another moment, and what they say together may never have been so.
    if (this.#seen.size > 1) await this.#parts.store.append({ parts: await this.#written() })
    return unitOutcome(
      Math.max(...asked.map(([, { position }]) => position)),
      asked.map(([stream]) => stream),
      asked.flatMap(([, { decider }]) => decider.stream.types),
    )
  }
}

function unitOutcome(position: Position, streams: readonly string[], types: readonly EventType[]): UnitOutcome {
  return {
    position,
    streams,
    types: types.map(({ type }) => type),
    strict: types.some(({ options }) => options.strict === true),
  }
}
