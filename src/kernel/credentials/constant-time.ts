/** Answers that take equally long, whatever was looked at before they were given. */
import { setTimeout as sleep } from 'node:timers/promises'

/** Lets a refusal out no sooner than `floorMs` after the start, which must be longer than the work ever takes at rest. */
export async function withConstantTimeRefusal<Result>(floorMs: number, work: () => Promise<Result>): Promise<Result> {
  const from = performance.now()
  try {
    return await work()
  } catch (error) {
    await sleep(Math.max(0, floorMs - (performance.now() - from)))
    throw error
  }
}

/** The same for success and refusal: what was done must not be told by its time either. */
export async function withConstantTime<Result>(floorMs: number, work: () => Promise<Result>): Promise<Result> {
  const from = performance.now()
  try {
    return await work()
  } finally {
    await sleep(Math.max(0, floorMs - (performance.now() - from)))
  }
}
