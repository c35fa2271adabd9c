/** Lets a loop rest until it is called or a time is over. */
export class WakeUp {
  #isCalled = false
  #endRest = () => {}

  call(): void {
    this.#isCalled = true
    this.#endRest()
  }

  /** Forgets the calls so far. Before the work: a call during the work then ends the next rest at once. */
  reset(): void {
    this.#isCalled = false
  }

  /** Keeps no process running. */
  async rest(ms: number): Promise<void> {
    if (this.#isCalled) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms).unref()
      this.#endRest = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
