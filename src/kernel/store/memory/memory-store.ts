/** An event store in memory, for tests. It refuses what PostgreSQL would refuse. */
import { UniqueConstraintViolation, WrongExpectedRevision } from '../../events/store-port.ts'
import type {
  Append,
  AppendResult,
  UniqueConstraint,
  EventStore,
  HeldConstraint,
  Json,
  JsonObject,
  AppendPart,
  Position,
  RecordedEvent,
  Revision,
} from '../../events/store-port.ts'
import { readWithoutGaps } from '../read-ahead.ts'
import { AppendSignal } from '../signal.ts'
import { validateAppend, constraintName, eventIdsOf } from '../validate-append.ts'
import { refuseBadName } from '../validate-names.ts'

/** An event store that loses all events when the process ends. All returned values are deep-frozen. */
export function memoryStore(): EventStore {
  return new MemoryStore()
}

class MemoryStore implements EventStore {
  readonly #log: RecordedEvent[] = []
  readonly #streams = new Map<string, RecordedEvent[]>()
  readonly #byId = new Map<string, RecordedEvent>()
  readonly #claims = new Map<string, string>()
  readonly #appended = new AppendSignal()

  async append(append: Append): Promise<AppendResult> {
    validateAppend(append)
    const isWriting = append.parts.some(({ events }) => events.length > 0)
    const first = isWriting ? this.#appendedBefore(append.parts) : undefined
    if (first) return first
    this.#refuseWrongRevision(append.parts)
    const held = this.#claimsAfter(append)
    for (const id of eventIdsOf(append.parts))
      if (this.#byId.has(id)) throw new Error(`The event id ${id} is already in use`)
    const events = append.parts.map((part) => this.#recorded(part))
    this.#write(events.flat(), held)
    if (isWriting) this.#appended.notify()
    return { position: this.#log.length, revisions: append.parts.map(({ stream }) => this.#revision(stream)) }
  }

  async readStream(stream: string, after: Revision = 0): Promise<RecordedEvent[]> {
    refuseBadName(stream, 'A stream')
    return (this.#streams.get(stream) ?? []).slice(after).map(copied)
  }

  async readAll(after: Position, limit: number): Promise<RecordedEvent[]> {
    return this.#log.slice(after, after + limit).map(copied)
  }

  async eventAt(position: Position): Promise<RecordedEvent | undefined> {
    return this.#log.slice(position - 1, position).map(copied)[0]
  }

  readBatches(after: Position, { batch }: { readonly batch?: number } = {}): AsyncIterable<readonly RecordedEvent[]> {
    return readWithoutGaps((from, limit) => this.readAll(from, limit), after, batch)
  }

  async head(): Promise<Position> {
    return this.#log.length
  }

  async hasMoreThan(after: Position, max: number): Promise<boolean> {
    return this.#log.length - after > max
  }

  async holderOf(claim: UniqueConstraint): Promise<string | undefined> {
    refuseBadName(claim.scope, 'The scope of a unique constraint')
    refuseBadName(claim.key, 'The key of a unique constraint')
    return this.#claims.get(constraintName(claim))
  }

  onAppended(listener: () => void): () => void {
    return this.#appended.listen(listener)
  }

  async close(): Promise<void> {
    this.#appended.removeListeners()
  }

  #revision(stream: string): Revision {
    return this.#streams.get(stream)?.length ?? 0
  }

  #appendedBefore(parts: readonly AppendPart[]): AppendResult | undefined {
    const before = eventIdsOf(parts).map((id) => this.#byId.get(id))
    if (!parts.every((part) => this.#explains(part))) return undefined
    return {
      position: Math.max(...before.map((event) => event?.position ?? 0)),
      revisions: parts.map(({ stream, events }) => this.#find(events.at(-1)?.id)?.revision ?? this.#revision(stream)),
    }
  }

  /** Whether the events of the part are already stored at the expected revisions. */
  #explains({ stream, expected, events }: AppendPart): boolean {
    const start = expected === 'any' ? (this.#find(events[0]?.id)?.revision ?? 1) - 1 : expected
    return events.every(({ id }, index) => {
      const stored = this.#find(id)
      return stored?.stream === stream && stored.revision === start + index + 1
    })
  }

  #find(id: string | undefined): RecordedEvent | undefined {
    return id === undefined ? undefined : this.#byId.get(id.toLowerCase())
  }

  #refuseWrongRevision(parts: readonly AppendPart[]): void {
    for (const { stream, expected } of parts) {
      const actual = this.#revision(stream)
      if (expected !== 'any' && expected !== actual) throw new WrongExpectedRevision(stream, expected, actual)
    }
  }

  #claimsAfter({ take = [], release = [] }: Append): ReadonlyMap<string, string | undefined> {
    const after = new Map<string, string | undefined>()
    for (const claim of release) if (this.#isHeldBy(claim)) after.set(constraintName(claim), undefined)
    for (const claim of take) {
      const name = constraintName(claim)
      const holder = after.has(name) ? after.get(name) : this.#claims.get(name)
      if (holder !== undefined) {
        throw new UniqueConstraintViolation({ scope: claim.scope, key: claim.key }, holder)
      }
      after.set(name, claim.holder)
    }
    return after
  }

  #isHeldBy(claim: HeldConstraint): boolean {
    return this.#claims.get(constraintName(claim)) === claim.holder
  }

  #recorded({ stream, events }: AppendPart): Omit<RecordedEvent, 'position' | 'recordedAt'>[] {
    const revision = this.#revision(stream)
    return events.map((event, index) => ({
      id: event.id.toLowerCase(),
      type: event.type,
      schemaVersion: event.schemaVersion,
      data: frozenCopy(event.data),
      metadata: frozenCopy(event.metadata),
      stream,
      revision: revision + index + 1,
    }))
  }

  #write(
    events: Omit<RecordedEvent, 'position' | 'recordedAt'>[],
    held: ReadonlyMap<string, string | undefined>,
  ): void {
    // A clock that is set back must not make a later event look earlier.
    const recordedAt = new Date(Math.max(Date.now(), this.#log.at(-1)?.recordedAt.getTime() ?? 0))
    for (const event of events) {
      const recorded = { ...event, position: this.#log.length + 1, recordedAt }
      this.#log.push(recorded)
      this.#byId.set(recorded.id, recorded)
      const stream = this.#streams.get(recorded.stream)
      if (stream) stream.push(recorded)
      else this.#streams.set(recorded.stream, [recorded])
    }
    for (const [name, holder] of held) {
      if (holder === undefined) this.#claims.delete(name)
      else this.#claims.set(name, holder)
    }
  }
}

/** A Date cannot be frozen, so every reader gets its own. */
function copied(event: RecordedEvent): RecordedEvent {
  return Object.freeze({ ...event, recordedAt: new Date(event.recordedAt) })
}

function frozenCopy(value: JsonObject): JsonObject {
  return frozen(JSON.parse(JSON.stringify(value)) as JsonObject)
}

function frozen<Value extends Json>(value: Value): Value {
  if (value === null || typeof value !== 'object') return value
  Object.values(value).forEach(frozen)
  return Object.freeze(value)
}
