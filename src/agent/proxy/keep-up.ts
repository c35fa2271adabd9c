/** Looks after HAProxy all the time. */
import { setTimeout as pause } from 'node:timers/promises'

const LOOK_MS = 500

interface Kept {
  /** Until it has succeeded once. */
  first(): Promise<void>
  then(): Promise<void>
  log(message: string, error?: unknown): void
}

/** @returns what ends it */
export function keptUp({ first, then, log }: Kept): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  const run = async () => {
    let told = ''
    let work = first
    while (!signal.aborted) {
      try {
        await work()
        work = then
        told = ''
      } catch (error) {
        if (String(error) !== told) log('the proxy of the host does not run', error)
        told = String(error)
      }
      await pause(LOOK_MS, undefined, { signal }).catch(() => {})
    }
  }
  const running = run()
  return async () => {
    stopping.abort()
    await running
  }
}
