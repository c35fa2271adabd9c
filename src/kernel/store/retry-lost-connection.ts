/** Asking what may be away: not for ever, and again when the connection broke. */
import { setTimeout as pause } from 'node:timers/promises'
import { StoreUnavailable } from '../events/store-port.ts'

const TRIES_MAX = 3
const PAUSE_MS = 50
/** No request may hang longer than 10 s; two more tries at a frozen server would. */
const ANSWER_WITHIN_MS = 9_000

/** When asking again may help. Throws what the asker is to see instead of the error. */
export type RetryPolicy = (error: unknown) => 'atOnce' | 'later' | 'never'

/**
 * `ask` must be safe to repeat.
 * @throws StoreUnavailable when asking again may help later, or helped at no try · what asking again never helps, as it is
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
