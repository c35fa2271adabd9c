/**
 * Within one process, appends that touch the same stream, claim or event id go one after another, as they were asked for: sent at once
 * they would only race each other, and whoever asked last could win. Appends that have nothing in common do not wait.
 */
import { idsOf } from '../admission.ts'
import { StoreUnavailable } from '../port.ts'
import type { Append } from '../port.ts'
import { claimStream, idStream } from './names.ts'

type Outage = StoreUnavailable | undefined

export class OrderOfAsking {
  readonly #last = new Map<string, Promise<Outage>>()

  /** @throws the outage of one that it waited for: each in its turn would only wait for the same outage again */
  async inTurn<Result>(append: Append, work: () => Promise<Result>): Promise<Result> {
    const names = namesOf(append)
    const before = names.flatMap((name) => this.#last.get(name) ?? [])
    const done = Promise.all(before).then((outages) => {
      const outage = outages.find((each) => each !== undefined)
      if (outage) throw outage
      return work()
    })
    const ended = done.then(noOutage, (error: unknown) => (error instanceof StoreUnavailable ? error : undefined))
    for (const name of names) this.#last.set(name, ended)
    void ended.then(() => this.#forget(names, ended))
    return done
  }

  #forget(names: readonly string[], ended: Promise<Outage>): void {
    for (const name of names) if (this.#last.get(name) === ended) this.#last.delete(name)
  }
}

const noOutage = (): undefined => undefined

function namesOf({ parts, take = [], release = [] }: Append): readonly string[] {
  return [
    ...parts.map(({ stream }) => stream),
    ...idsOf(parts).map((id) => idStream(id)),
    ...[...take, ...release].map((claim) => claimStream(claim)),
  ]
}
