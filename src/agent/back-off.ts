/** Waits after failures: full jitter, so that agents that lost their panel together do not come back together. */
import { setTimeout as sleep } from 'node:timers/promises'

const FIRST_MS = 500
const LONGEST_MS = 30_000

export interface BackOffLimits {
  readonly firstMs?: number
  readonly longestMs?: number
}

export interface BackOff {
  /** Waits longer after each call. Ends at once when the signal is aborted. */
  wait(signal: AbortSignal): Promise<void>
  /** A success: the next wait is a short one. */
  reset(): void
}

export function backOff({ firstMs = FIRST_MS, longestMs = LONGEST_MS }: BackOffLimits = {}): BackOff {
  let failures = 0
  return {
    async wait(signal) {
      const upTo = Math.min(longestMs, firstMs * 2 ** Math.min(failures, 20))
      failures += 1
      await sleep(Math.random() * upTo, undefined, { signal }).catch(() => {})
    },
    reset: () => void (failures = 0),
  }
}
