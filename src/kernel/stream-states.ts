/** Folded states by stream, so that a load reads only what is new. The store's expected revision stays the judge. */
import type { EventCodec } from './codec.ts'
import type { Decider } from './decider.ts'
import type { EventStore, Position, Revision } from './store/port.ts'

const STREAMS_MAX = 10_000
const NOTHING = { revision: 0, position: 0 }

export interface StreamState {
  readonly state: unknown
  readonly revision: Revision
  /** Of the stream's newest event; 0 when there is none. */
  readonly position: Position
}

export class StreamStates {
  readonly #store: EventStore
  readonly #codec: EventCodec
  readonly #known = new Map<string, StreamState & { decider: Decider }>()

  constructor(store: EventStore, codec: EventCodec) {
    this.#store = store
    this.#codec = codec
  }

  async current(decider: Decider, stream: string): Promise<StreamState> {
    const known = this.#known.get(stream)
    let { state, revision, position } =
      known?.decider === decider ? known : { ...NOTHING, state: decider.initial as unknown }
    for (const recorded of await this.#store.readStream(stream, revision)) {
      state = decider.evolve(state, await this.#codec.decode(recorded), new Date(recorded.metadata['at'] as string))
      revision = recorded.revision
      position = recorded.position
    }
    this.remember(decider, stream, { state, revision, position })
    return { state, revision, position }
  }

  remember(decider: Decider, stream: string, newest: StreamState): void {
    this.#known.delete(stream)
    this.#known.set(stream, { ...newest, decider })
    if (this.#known.size > STREAMS_MAX) this.#known.delete(this.#known.keys().next().value!)
  }
}
