/** Signals that events were appended, without their number or content. */
export class AppendSignal {
  readonly #listeners = new Set<() => void>()

  /** Returns a function that stops the listener. */
  listen(listener: () => void): () => void {
    // Wrapped, so that a function that is added twice is two listeners, each stopped separately.
    const own = (): void => listener()
    this.#listeners.add(own)
    return () => void this.#listeners.delete(own)
  }

  /** Calls the listeners asynchronously, so that an error of a listener does not fail the append. */
  notify(): void {
    for (const listener of this.#listeners) setImmediate(listener)
  }

  removeListeners(): void {
    this.#listeners.clear()
  }
}
