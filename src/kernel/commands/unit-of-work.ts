/** One attempt at a unit of work: the streams that it has read, its decisions, and the one append for them. */
import type { EventCodec } from '../events/codec.ts'
import type { Decider } from '../events/decider.ts'
import type { CommandContext, DomainEvent, EventType } from '../events/event.ts'
import type { EventStore, EventToAppend, AppendPart, Position } from '../events/store-port.ts'
import { WrongExpectedRevision } from '../events/store-port.ts'
import { constraintsOf } from '../events/unique-constraints.ts'
import { uuidv7 } from '../lib/uuid.ts'
import type { UnitOutcome, UnitOfWork } from './command-runner.ts'
import type { StateCache, StreamState } from './state-cache.ts'
import type { StreamQueue } from './stream-queue.ts'

export interface UnitOfWorkDependencies {
  readonly store: EventStore
  readonly codec: EventCodec
  readonly states: StateCache
  readonly turns: StreamQueue
}

/** The turn for the stream that a unit loads first or had a conflict on. It is kept between attempts. */
export interface StreamSlot {
  stream?: string
  acquired?: ReturnType<StreamQueue['acquire']>
}

/** A unit holds one turn at a time, so that two units cannot deadlock. */
export function acquireStreamSlot(turn: StreamSlot, turns: StreamQueue, stream: string): void {
  releaseStreamSlot(turn)
  turn.stream = stream
  turn.acquired = turns.acquire(stream)
  // A rejection is seen where the turn is awaited; a unit that loads no further stream never awaits it.
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
  /** Whether the state came from the cache and no read has shown yet that it is the newest. */
  isUnconfirmed: boolean
  /** Whether the unit decided on this stream. The reply does not depend on streams that were only read. */
  hasDecision: boolean
}

export class UnitOfWorkAttempt implements UnitOfWork {
  readonly at: Date
  readonly #parts: UnitOfWorkDependencies
  readonly #context: CommandContext
  readonly #turn: StreamSlot
  readonly #isFirst: boolean
  readonly #erasures: number
  readonly #seen = new Map<string, LoadedStream>()
  readonly #loose = new Map<string, DomainEvent[]>()
  readonly #newIds = new Set<string>()
  readonly #holders = new Map<string, Promise<string | undefined>>()

  /** @param isFirst whether streams that are only read may come from the cache; after a conflict they must not */
  constructor(parts: UnitOfWorkDependencies, context: CommandContext, at: Date, turn: StreamSlot, isFirst: boolean) {
    this.at = at
    this.#isFirst = isFirst
    this.#parts = parts
    this.#context = context
    this.#turn = turn
    this.#erasures = parts.states.erasureCount
  }

  readonly newId = (): string => {
    const id = uuidv7()
    this.#newIds.add(id)
    return id
  }

  readonly load: UnitOfWork['load'] = async (decider, key) => (await this.#entry(decider, key)).state as never

  readonly look: UnitOfWork['look'] = async (decider, key) => {
    const name = decider.stream.nameFor(key)
    return (this.#seen.get(name) ?? (await this.#glimpse(decider, name, key))).state as never
  }

  readonly revisionOf: UnitOfWork['revisionOf'] = async (decider, key) => {
    const name = decider.stream.nameFor(key)
    const { expected, newEvents } = this.#seen.get(name) ?? (await this.#glimpse(decider, name, key))
    return expected + newEvents.length
  }

  readonly loadAt: UnitOfWork['loadAt'] = async (decider, key, revision) =>
    (await this.#parts.states.stateAt(decider, decider.stream.nameFor(key), revision)) as never

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

  readonly holderOf: UnitOfWork['holderOf'] = (scope, key) => {
    const asked = JSON.stringify([scope, key])
    const answer = this.#holders.get(asked) ?? this.#parts.store.holderOf({ scope, key })
    this.#holders.set(asked, answer)
    return answer
  }

  /**
   * Appends everything at once, and only if every stream that the unit has read is unchanged: a decision on one stream
   * often depends on others, as a session depends on the password that it was started with. A stream without new events
   * becomes a guard; guards never conflict with each other.
   * @returns what the reply depends on; undefined when the unit decided nothing
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
    return this.#seen.get(name) ?? this.#see(name, decider, await this.#newest(decider, name, key))
  }

  /**
   * The previous turn may have changed a stream that was already read.
   * Starting again now is cheaper than at the append.
   */
  async #stillSeen(decider: Decider, name: string): Promise<void> {
    const known = this.#seen.get(name)
    if (!known) return
    await this.#turn.acquired
    const { revision } = await this.#parts.states.current(decider, name)
    if (revision !== known.expected) throw new WrongExpectedRevision(name, known.expected, revision)
  }

  /** A stream whose id was made in this unit is empty, which the append checks. */
  async #newest(decider: Decider, name: string, key?: string): Promise<StreamState> {
    if (key !== undefined && this.#newIds.has(key)) return { state: decider.initial, revision: 0, position: 0 }
    return this.#parts.states.current(decider, name)
  }

  /** From the cache where possible: the append, or `confirm`, checks that the state is the newest. */
  async #glimpse(decider: Decider, name: string, key?: string): Promise<LoadedStream> {
    const cached = this.#isFirst ? await this.#parts.states.cached(decider, name) : undefined
    return this.#see(name, decider, cached ?? (await this.#newest(decider, name, key)), cached !== undefined)
  }

  #see(
    name: string,
    decider: Decider,
    { state, revision, position }: StreamState,
    isUnconfirmed = false,
  ): LoadedStream {
    // A concurrent load may have added the stream. Decisions on a second copy would be lost.
    const meanwhile = this.#seen.get(name)
    if (meanwhile) return meanwhile
    const loaded = { decider, expected: revision, position, state, newEvents: [], isUnconfirmed, hasDecision: false }
    this.#seen.set(name, loaded)
    return loaded
  }

  /**
   * Reads the streams whose state came from the cache. To be called before a result leaves that no append has checked:
   * an answer without a decision, and an error.
   * @throws WrongExpectedRevision when one has changed
   */
  async confirm(): Promise<void> {
    for (const [name, known] of this.#seen) {
      if (!known.isUnconfirmed) continue
      const { revision } = await this.#parts.states.current(known.decider, name)
      if (revision !== known.expected) throw new WrongExpectedRevision(name, known.expected, revision)
      known.isUnconfirmed = false
    }
  }

  isUnconfirmed(stream: string): boolean {
    return this.#seen.get(stream)?.isUnconfirmed === true
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

  /**
   * A repeated revocation must not be answered before the first one is in effect, so it waits for the
   * same read models.
   */
  async #foundDone(): Promise<UnitOutcome | undefined> {
    const asked = [...this.#seen].filter(([, { hasDecision }]) => hasDecision)
    if (this.#seen.size === 1 || asked.length === 0) await this.confirm()
    if (asked.length === 0) return undefined
    // Several streams were read at different moments; an append of guards alone proves that the states held together.
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
