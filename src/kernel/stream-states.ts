/** Folded states by stream, so that a load reads only what is new. The store's expected revision stays the judge. */
import type { EventCodec } from './codec.ts'
import type { Decider } from './decider.ts'
import type { EventStore, Revision } from './store/port.ts'

const STREAMS_MAX = 10_000

export interface StreamState {
  readonly state: unknown
  readonly revision: Revision
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
    let { state, revision } = known?.decider === decider ? known : { state: decider.initial as unknown, revision: 0 }
    for (const recorded of await this.#store.readStream(stream, revision)) {
      state = decider.evolve(state, await this.#codec.decode(recorded), new Date(String(recorded.metadata['at'])))
      revision = recorded.revision
    }
    this.remember(decider, stream, { state, revision })
    return { state, revision }
  }

  remember(decider: Decider, stream: string, { state, revision }: StreamState): void {
    this.#known.delete(stream)
    this.#known.set(stream, { decider, state, revision })
    if (this.#known.size > STREAMS_MAX) this.#known.delete(this.#known.keys().next().value!)
  }
}
