/** Folded states by stream, so that a load reads only what is new. The store's expected revision stays the judge. */
import type { EventCodec } from '../events/codec.ts'
import type { Decider } from '../events/decider.ts'
import type { SnapshotStore } from './snapshots.ts'
import type { EventStore, Position, Revision } from '../events/store-port.ts'
import { ERASURE_DELAY_MS_MAX } from '../vault/vault.ts'

const STREAMS_MAX = 10_000
const NOTHING = { revision: 0, position: 0 }

export interface StreamState {
  readonly state: unknown
  readonly revision: Revision
  /** Of the stream's newest event; 0 when there is none. */
  readonly position: Position
}

export class StateCache {
  readonly #store: EventStore
  readonly #codec: EventCodec
  readonly #known = new Map<string, StreamState & { decider: Decider }>()
  readonly #snapshots: SnapshotStore | undefined
  #erasures = 0

  constructor(store: EventStore, codec: EventCodec, snapshots?: SnapshotStore) {
    this.#store = store
    this.#codec = codec
    this.#snapshots = snapshots
    codec.erasures.onErased(() => this.#forget())
  }

  /** How often somebody was erased: what was folded before the last time must not be kept, since it may hold what he was called. */
  get erasureCount(): number {
    return this.#erasures
  }

  async current(decider: Decider, stream: string): Promise<StreamState> {
    const erasures = this.#erasures
    const kept = this.#known.get(stream)
    const known = kept?.decider === decider ? kept : await this.#snapshot(decider, stream)
    let { state, revision, position } = known ?? { ...NOTHING, state: decider.initial as unknown }
    const [events] = await Promise.all([this.#store.readStream(stream, revision), this.#heedErasures()])
    if (known && erasures !== this.#erasures) return this.current(decider, stream)
    for (const recorded of events) {
      state = decider.evolve(state, await this.#codec.decode(recorded), new Date(recorded.metadata['at'] as string))
      revision = recorded.revision
      position = recorded.position
    }
    this.remember(decider, stream, { state, revision, position }, erasures)
    return { state, revision, position }
  }

  /** @param erasures as many as there were before anything of the state was opened */
  remember(decider: Decider, stream: string, newest: StreamState, erasures: number): void {
    if (erasures !== this.#erasures) return
    this.#known.delete(stream)
    this.#known.set(stream, { ...newest, decider })
    if (this.#known.size > STREAMS_MAX) this.#known.delete(this.#known.keys().next().value!)
  }

  /** Only one of this very log: a log that was restored from an older backup may hold other events there. */
  async #snapshot(decider: Decider, stream: string): Promise<StreamState | undefined> {
    const snapshot = await this.#snapshots?.read(decider, stream)
    if (!snapshot) return undefined
    const [last] = await this.#store.readStream(stream, snapshot.revision - 1)
    return last?.id === snapshot.eventId ? snapshot : undefined
  }

  /** Whoever cannot tell who was erased has dropped everything, and what is wrong is for the reader of the stream to say. */
  #heedErasures(): Promise<void> {
    return this.#codec.erasures.applyErasures(ERASURE_DELAY_MS_MAX).catch(() => {})
  }

  /** All of them: erasing is rare, and nobody wrote down whose words each of them holds. */
  #forget(): void {
    this.#erasures += 1
    this.#known.clear()
  }
}
