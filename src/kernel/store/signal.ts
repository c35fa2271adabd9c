/** “Something was appended, look”: says neither what nor how often. */
export class AppendSignal {
  readonly #listeners = new Set<() => void>()

  /** Returns the way to stop. */
  listen(listener: () => void): () => void {
    // Wrapped, so that one function that listens twice is two listeners and stops one at a time.
    const own = (): void => listener()
    this.#listeners.add(own)
    return () => void this.#listeners.delete(own)
  }

  /** Later, so that a listener's failure is not the failure of the append that woke it. */
  notify(): void {
    for (const listener of this.#listeners) setImmediate(listener)
  }

  removeListeners(): void {
    this.#listeners.clear()
  }
}
