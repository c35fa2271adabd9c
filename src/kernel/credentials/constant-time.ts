/** Hides the duration of secret-dependent work from the caller. */
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Delays an error until `floorMs` after the start. `floorMs` must exceed the duration of the work on an
 * idle machine.
 */
export async function withConstantTimeRefusal<Result>(floorMs: number, work: () => Promise<Result>): Promise<Result> {
  const from = performance.now()
  try {
    return await work()
  } catch (error) {
    await sleep(Math.max(0, floorMs - (performance.now() - from)))
    throw error
  }
}

/** The same for success and error, so that the duration reveals neither. */
export async function withConstantTime<Result>(floorMs: number, work: () => Promise<Result>): Promise<Result> {
  const from = performance.now()
  try {
    return await work()
  } finally {
    await sleep(Math.max(0, floorMs - (performance.now() - from)))
  }
}
