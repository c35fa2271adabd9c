/** Retries a query after a lost connection, for at most 9 seconds. */
import { setTimeout as pause } from 'node:timers/promises'
import { StoreUnavailable } from '../events/store-port.ts'

const TRIES_MAX = 3
const PAUSE_MS = 50
/** A request may take at most 10 s; two more attempts at a frozen server would take longer. */
const ANSWER_WITHIN_MS = 9_000

/** When a retry may succeed. The policy may throw a different error for the caller. */
export type RetryPolicy = (error: unknown) => 'atOnce' | 'later' | 'never'

/**
 * `ask` must be safe to repeat.
 * @throws StoreUnavailable after an outage that outlasts all attempts · any other error unchanged
 */
export function retryLostConnection<Answer>(ask: () => Promise<Answer>, judge: RetryPolicy): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let isLate = false
    const deadline = setTimeout(() => {
      isLate = true
      reject(new StoreUnavailable(new Error(`No answer within ${ANSWER_WITHIN_MS} ms`)))
    }, ANSWER_WITHIN_MS)
    void tryRepeatedly(ask, judge, () => isLate)
      .then(resolve, reject)
      .finally(() => clearTimeout(deadline))
  })
}

async function tryRepeatedly<Answer>(
  ask: () => Promise<Answer>,
  judge: RetryPolicy,
  isLate: () => boolean,
): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask()
    } catch (error) {
      const when = judge(error)
      if (when === 'never') throw error
      if (when === 'later' || tries === TRIES_MAX || isLate()) throw new StoreUnavailable(error)
      await pause(PAUSE_MS * tries)
    }
  }
}
