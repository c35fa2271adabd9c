/** Signals that tell a long response to end: its client disconnected, or the server is closing. */
import type { ServerResponse } from 'node:http'

export class AbortOnClose {
  readonly #open = new Set<AbortController>()
  #isOver = false

  signalFor(response: ServerResponse): AbortSignal {
    const ending = new AbortController()
    if (this.#isOver || response.closed) ending.abort()
    this.#open.add(ending)
    response.once('close', () => {
      this.#open.delete(ending)
      ending.abort()
    })
    return ending.signal
  }

  abortAll(): void {
    this.#isOver = true
    for (const ending of this.#open) ending.abort()
  }
}
