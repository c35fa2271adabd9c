/** Sends a change again, with its key, while the service says that it is recorded or that it is too busy for a moment. */
import { Refusal } from '#api-client/refusal'
import { tell } from '../kit/overlay.tsx'

const TRIES_MAX = 5
/** A longer wait is the person's to decide. */
export const OWN_WAIT_MAX_MS = 5_000
const UNAVAILABLE = 503

/** @throws what the last try was refused with */
export async function untilItHolds<Result>(send: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1)
    try {
      return await send()
    } catch (error) {
      const waitMs = error instanceof Refusal && error.statusCode === UNAVAILABLE ? error.retryAfterMs : undefined
      if (waitMs === undefined || waitMs > OWN_WAIT_MAX_MS || tries === TRIES_MAX) throw error
      const isRecorded = (error as Refusal).code === 'NOT_YET_IN_EFFECT'
      if (tries === 1)
        tell(isRecorded ? 'The change is recorded and takes effect …' : 'The service is busy: trying again …')
      await new Promise((passed) => setTimeout(passed, waitMs))
    }
}
