/**
 * Orders the appends of one process that touch the same stream, unique constraint or event id: they are sent one after
 * another in the order of their calls. Sent at once they would conflict, and the last one could win. Appends without
 * anything in common do not wait, nor do appends that only guard the same stream.
 */
import { StoreUnavailable } from '../../events/store-port.ts'
import type { Append } from '../../events/store-port.ts'
import { eventIdsOf } from '../validate-append.ts'
import { constraintStream, eventIdStream } from './stream-names.ts'

type Completion = Promise<StoreUnavailable | undefined>

/** The last append that writes the stream, and all later ones that guard it. */
interface PendingRequests {
  writer?: Completion | undefined
  readonly guards: Set<Completion>
}

interface TouchedStream {
  readonly name: string
  readonly isGuarded: boolean
}

export class RequestOrder {
  readonly #asked = new Map<string, PendingRequests>()

  /** @throws the outage of an append that it waited for: otherwise each append would wait for the same outage again */
  async runInOrder<Result>(append: Append, work: () => Promise<Result>): Promise<Result> {
    const touched = touchedStreamsOf(append)
    const before = touched.flatMap((each) => this.#before(each))
    const done = Promise.all(before).then((outages) => {
      const outage = outages.find((each) => each !== undefined)
      if (outage) throw outage
      return work()
    })
    const ended = done.then(noOutage, (error: unknown) => (error instanceof StoreUnavailable ? error : undefined))
    for (const each of touched) this.#add(each, ended)
    void ended.then(() => this.#forget(touched, ended))
    return done
  }

  #before({ name, isGuarded }: TouchedStream): Completion[] {
    const { writer, guards } = this.#asked.get(name) ?? { guards: [] }
    return [...(writer ? [writer] : []), ...(isGuarded ? [] : guards)]
  }

  #add({ name, isGuarded }: TouchedStream, ended: Completion): void {
    const asked: PendingRequests = this.#asked.get(name) ?? { guards: new Set() }
    if (isGuarded) asked.guards.add(ended)
    this.#asked.set(name, isGuarded ? asked : { writer: ended, guards: new Set() })
  }

  #forget(touched: readonly TouchedStream[], ended: Completion): void {
    for (const { name } of touched) {
      const asked = this.#asked.get(name)
      asked?.guards.delete(ended)
      if (asked?.writer === ended) asked.writer = undefined
      if (asked && !asked.writer && asked.guards.size === 0) this.#asked.delete(name)
    }
  }
}

const noOutage = (): undefined => undefined

function touchedStreamsOf({ parts, take = [], release = [] }: Append): readonly TouchedStream[] {
  const written = [
    ...eventIdsOf(parts).map((id) => eventIdStream(id)),
    ...[...take, ...release].map((claim) => constraintStream(claim)),
  ]
  return [
    ...parts.map(({ stream, events }) => ({ name: stream, isGuarded: events.length === 0 })),
    ...written.map((name) => ({ name, isGuarded: false })),
  ]
}
