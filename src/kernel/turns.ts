/** Within one process, units that begin with the same stream take turns, so that only other processes can make them start again. */
export class Turns {
  readonly #last = new Map<string, Promise<Error | undefined>>()

  /**
   * Waits for the turn and answers how to end it. A turn ended with an outage ends all that wait behind it: each of them would
   * only wait for the same outage again, one after another.
   * @throws the outage that the turn before was ended with
   */
  async take(name: string): Promise<(outage?: Error) => void> {
    const before = this.#last.get(name)
    const { promise: mine, resolve } = Promise.withResolvers<Error | undefined>()
    this.#last.set(name, mine)
    const end = (outage?: Error) => {
      if (this.#last.get(name) === mine) this.#last.delete(name)
      resolve(outage)
    }
    const outage = await before
    if (!outage) return end
    end(outage)
    throw outage
  }
}
