/** Within one process, units that begin with the same stream take turns, so that only other processes can make them start again. */
export class Turns {
  readonly #last = new Map<string, Promise<void>>()

  /** Waits for the turn and answers how to end it. */
  async take(name: string): Promise<() => void> {
    const before = this.#last.get(name)
    let end!: () => void
    const mine = new Promise<void>((resolve) => (end = resolve))
    this.#last.set(name, mine)
    await before
    return () => {
      if (this.#last.get(name) === mine) this.#last.delete(name)
      end()
    }
  }
}
