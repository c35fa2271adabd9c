/**
 * Caches folded states by stream, so that a load reads only new events. The store still checks the expected revision.
 */
import type { EventCodec } from '../events/codec.ts'
import type { Decider } from '../events/decider.ts'
import type { EventStore, Position, RecordedEvent, Revision } from '../events/store-port.ts'
import { LruMap } from '../lib/lru-map.ts'
import { ERASURE_DELAY_MS_MAX } from '../vault/vault.ts'
import type { SnapshotStore } from './snapshots.ts'

const STREAMS_MAX = 10_000
/** Each may hold megabytes, and what is asked again is asked within seconds. */
const PAST_STATES_MAX = 32
const HEED_MS_MAX = 1_000
const NOTHING = { revision: 0, position: 0 }

export interface StreamState {
  readonly state: unknown
  readonly revision: Revision
  /** The position of the stream's newest event; 0 when there is none. */
  readonly position: Position
}

export class StateCache {
  readonly #store: EventStore
  readonly #codec: EventCodec
  readonly #known = new Map<string, StreamState & { decider: Decider }>()
  readonly #snapshots: SnapshotStore | undefined
  /** States of earlier revisions, by stream and revision. */
  #past = new LruMap<{ state: unknown; decider: Decider }>(PAST_STATES_MAX)
  #erasures = 0

  constructor(store: EventStore, codec: EventCodec, snapshots?: SnapshotStore) {
    this.#store = store
    this.#codec = codec
    this.#snapshots = snapshots
    codec.erasures.onErased(() => this.#forget())
  }

  /**
   * The number of erasures. A state that was folded before the last one may hold erased data and must not be cached.
   */
  get erasureCount(): number {
    return this.#erasures
  }

  /** The newest state. */
  async current(decider: Decider, stream: string): Promise<StreamState> {
    const erasures = this.#erasures
    const kept = this.#known.get(stream)
    const known = kept?.decider === decider ? kept : await this.#snapshot(decider, stream)
    const before = known ?? { ...NOTHING, state: decider.initial as unknown }
    const [events] = await Promise.all([this.#store.readStream(stream, before.revision), this.#heedErasures()])
    if (known && erasures !== this.#erasures) return this.current(decider, stream)
    const newest = await this.#folded(decider, before, events)
    this.remember(decider, stream, newest, erasures)
    return newest
  }

  /** The state after so many events, which cannot change any more. */
  async stateAt(decider: Decider, stream: string, revision: Revision): Promise<unknown> {
    await this.#heedErasures()
    const erasures = this.#erasures
    const name = `${stream}@${revision}`
    const kept = this.#past.get(name)
    if (kept?.decider === decider) return kept.state
    const events = (await this.#store.readStream(stream)).filter((each) => each.revision <= revision)
    const then = await this.#folded(decider, { ...NOTHING, state: decider.initial as unknown }, events)
    if (then.revision === revision && erasures === this.#erasures) this.#past.set(name, { state: then.state, decider })
    return then.state
  }

  async #folded(decider: Decider, before: StreamState, events: readonly RecordedEvent[]): Promise<StreamState> {
    let { state, revision, position } = before
    for (const recorded of events) {
      state = decider.evolve(state, await this.#codec.decode(recorded), new Date(recorded.metadata['at'] as string))
      revision = recorded.revision
      position = recorded.position
    }
    return { state, revision, position }
  }

  /**
   * The state as this process knows it, without a read: another process may have changed the stream since. Undefined if
   * it is not cached.
   * @throws when the database has not said within a second what was erased: a read would wait as long again
   */
  async cached(decider: Decider, stream: string): Promise<StreamState | undefined> {
    const kept = this.#known.get(stream)
    if (kept?.decider !== decider) return undefined
    const [erasures, startedMs] = [this.#erasures, performance.now()]
    try {
      await this.#codec.erasures.applyErasures(ERASURE_DELAY_MS_MAX)
    } catch (error) {
      if (performance.now() - startedMs > HEED_MS_MAX) throw error
    }
    return erasures === this.#erasures ? kept : undefined
  }

  /** @param erasures the value of `erasureCount` before any field of the state was opened */
  remember(decider: Decider, stream: string, newest: StreamState, erasures: number): void {
    if (erasures !== this.#erasures) return
    this.#known.delete(stream)
    this.#known.set(stream, { ...newest, decider })
    if (this.#known.size > STREAMS_MAX) this.#known.delete(this.#known.keys().next().value!)
  }

  /** Ignores snapshots of another log: a log restored from an older backup may have other events at that revision. */
  async #snapshot(decider: Decider, stream: string): Promise<StreamState | undefined> {
    const snapshot = await this.#snapshots?.read(decider, stream)
    if (!snapshot) return undefined
    const [last] = await this.#store.readStream(stream, snapshot.revision - 1)
    return last?.id === snapshot.eventId ? snapshot : undefined
  }

  /** If the erasure check fails, the vault has already dropped its keys; the stream read reports the outage. */
  #heedErasures(): Promise<void> {
    return this.#codec.erasures.applyErasures(ERASURE_DELAY_MS_MAX).catch(() => {})
  }

  /** Drops all states: erasures are rare, and it is not known which subjects' data each state holds. */
  #forget(): void {
    this.#erasures += 1
    this.#known.clear()
    this.#past = new LruMap(PAST_STATES_MAX)
  }
}
