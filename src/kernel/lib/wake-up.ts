/** Lets a loop rest until it is called or a time is over. */
export class WakeUp {
  #isCalled = false
  #endRest = () => {}

  call(): void {
    this.#isCalled = true
    this.#endRest()
  }

  /** Whether it was called since `reset`. */
  get isCalled(): boolean {
    return this.#isCalled
  }

  /** Forgets the calls so far. Before the work: a call during the work then ends the next rest at once. */
  reset(): void {
    this.#isCalled = false
  }

  /** Keeps no process running. @returns whether it was called before the time was over */
  async rest(ms: number): Promise<boolean> {
    if (this.#isCalled) return true
    return new Promise<boolean>((resolve) => {
      const timer = setTimeout(resolve, ms, false).unref()
      this.#endRest = () => {
        clearTimeout(timer)
        resolve(true)
      }
    })
  }
}
