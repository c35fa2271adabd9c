/** Reads from the leader of the cluster, because a follower may lag behind an append that was already acknowledged. */
import { BACKWARDS, END, START, StreamNotFoundError } from '@kurrent/kurrentdb-client'
import type { ReadPosition, RecordedEvent as Stored } from '@kurrent/kurrentdb-client'
import type { Append, UniqueConstraint, Position, RecordedEvent, Revision } from '../../events/store-port.ts'
import type { KurrentDbConnection } from './connection.ts'
import { eventOf } from './record.ts'
import { constraintStream, EVENTS_ONLY, eventIdStream } from './stream-names.ts'

/** The state of a unique constraint's stream: its last revision, from 0 as on the server, and the holder. */
export interface ConstraintState {
  readonly revision: bigint | undefined
  readonly holder: string | undefined
}

const LEADER = { requiresLeader: true }

export class LeaderReader {
  readonly #connection: KurrentDbConnection

  constructor(connection: KurrentDbConnection) {
    this.#connection = connection
  }

  async readStream(stream: string, after: Revision, limit?: number): Promise<RecordedEvent[]> {
    const from = { fromRevision: BigInt(after), ...(limit === undefined ? {} : { maxCount: limit }) }
    return (await this.#stored(this.#connection.client.readStream(stream, { ...from, ...LEADER }))).map(eventOf)
  }

  async readAll(after: Position, limit: number): Promise<RecordedEvent[]> {
    // The server includes the event at `after`.
    const events = await this.#readFrom(after, limit + 1)
    return events.filter(({ position }) => position > after).slice(0, limit)
  }

  async eventAt(position: Position): Promise<RecordedEvent | undefined> {
    return (await this.#readFrom(position, 1)).find((event) => event.position === position)
  }

  async head(): Promise<Position> {
    const newest = { direction: BACKWARDS, fromPosition: END, maxCount: 1, filter: EVENTS_ONLY, ...LEADER } as const
    const [last] = await this.#stored(this.#connection.client.readAll(newest))
    return last ? eventOf(last).position : 0
  }

  async revision(stream: string): Promise<Revision> {
    const last = await this.#last(stream)
    return last ? Number(last.revision) + 1 : 0
  }

  /** Searches backwards, because the event was appended a moment ago. */
  async findInStream(stream: string, id: string): Promise<Revision | undefined> {
    for await (const { event } of this.#backwards(stream)) if (event?.id === id) return Number(event.revision) + 1
    return undefined
  }

  async isIdUsed(id: string): Promise<boolean> {
    return (await this.#last(eventIdStream(id))) !== undefined
  }

  async constraintState(claim: UniqueConstraint): Promise<ConstraintState> {
    const last = await this.#last(constraintStream(claim))
    return { revision: last?.revision, holder: (last?.data as { holder?: string } | undefined)?.holder }
  }

  /** The states by the names of the constraints' streams. */
  async constraintStates({ take = [], release = [] }: Append): Promise<Map<string, ConstraintState>> {
    const named = new Map([...release, ...take].map((claim) => [constraintStream(claim), claim]))
    const states = [...named].map(async ([stream, claim]) => [stream, await this.constraintState(claim)] as const)
    return new Map(await Promise.all(states))
  }

  /** `position` must be 0 or that of a record: the server refuses any other start. */
  async #readFrom(position: Position, maxCount: number): Promise<RecordedEvent[]> {
    const fromPosition: ReadPosition = position === 0 ? START : { commit: BigInt(position), prepare: BigInt(position) }
    const page = { fromPosition, maxCount, filter: EVENTS_ONLY, ...LEADER }
    return (await this.#stored(this.#connection.client.readAll(page))).map(eventOf)
  }

  async #last(stream: string): Promise<Stored | undefined> {
    const newest = { direction: BACKWARDS, fromRevision: END, maxCount: 1, ...LEADER } as const
    return (await this.#stored(this.#connection.client.readStream(stream, newest)))[0]
  }

  async *#backwards(stream: string): AsyncGenerator<{ event?: Stored }> {
    try {
      yield* this.#connection.client.readStream(stream, { direction: BACKWARDS, fromRevision: END, ...LEADER })
    } catch (error) {
      if (!(error instanceof StreamNotFoundError)) throw error
    }
  }

  async #stored(read: AsyncIterable<{ event?: Stored }>): Promise<Stored[]> {
    const all: Stored[] = []
    try {
      for await (const { event } of read) if (event) all.push(event)
    } catch (error) {
      if (!(error instanceof StreamNotFoundError)) throw error
    }
    return all
  }
}
