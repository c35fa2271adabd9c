/**
 * Within one process, appends that touch the same stream, claim or event id go one after another, as they were asked for: sent at once
 * they would only race each other, and whoever asked last could win. Appends that have nothing in common do not wait, nor do those
 * for each other that only guard the same stream.
 */
import { idsOf } from '../validate-append.ts'
import { StoreUnavailable } from '../../events/store-port.ts'
import type { Append } from '../../events/store-port.ts'
import { claimStream, idStream } from './stream-names.ts'

type Ended = Promise<StoreUnavailable | undefined>

/** The last who asked to write, and all who asked to guard since. */
interface Asked {
  writer?: Ended | undefined
  readonly guards: Set<Ended>
}

interface Touched {
  readonly name: string
  readonly isGuarded: boolean
}

export class OrderOfAsking {
  readonly #asked = new Map<string, Asked>()

  /** @throws the outage of one that it waited for: each in its turn would only wait for the same outage again */
  async inTurn<Result>(append: Append, work: () => Promise<Result>): Promise<Result> {
    const touched = touchedBy(append)
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

  #before({ name, isGuarded }: Touched): Ended[] {
    const { writer, guards } = this.#asked.get(name) ?? { guards: [] }
    return [...(writer ? [writer] : []), ...(isGuarded ? [] : guards)]
  }

  #add({ name, isGuarded }: Touched, ended: Ended): void {
    const asked: Asked = this.#asked.get(name) ?? { guards: new Set() }
    if (isGuarded) asked.guards.add(ended)
    this.#asked.set(name, isGuarded ? asked : { writer: ended, guards: new Set() })
  }

  #forget(touched: readonly Touched[], ended: Ended): void {
    for (const { name } of touched) {
      const asked = this.#asked.get(name)
      asked?.guards.delete(ended)
      if (asked?.writer === ended) asked.writer = undefined
      if (asked && !asked.writer && asked.guards.size === 0) this.#asked.delete(name)
    }
  }
}

const noOutage = (): undefined => undefined

function touchedBy({ parts, take = [], release = [] }: Append): readonly Touched[] {
  const written = [
    ...idsOf(parts).map((id) => idStream(id)),
    ...[...take, ...release].map((claim) => claimStream(claim)),
  ]
  return [
    ...parts.map(({ stream, events }) => ({ name: stream, isGuarded: events.length === 0 })),
    ...written.map((name) => ({ name, isGuarded: false })),
  ]
}
