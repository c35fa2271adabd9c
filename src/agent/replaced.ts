/**
 * A process of which the panel says that another one has replaced it. That answer is not signed, so the panel is asked
 * again, seldom. It never takes back a process that was replaced, so two agents of one server never work at once.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { POOLS } from '../tasks/pools.ts'
import type { PollBody } from '../tasks/protocol.ts'
import type { BackOffLimits } from './back-off.ts'
import type { PanelClient } from './panel-client.ts'

const FIRST_MS = 600_000
const LONGEST_MS = 3_600_000
const NO_PLACES = Object.fromEntries(POOLS.map((pool) => [pool, 0])) as PollBody['free']

/** @param panel asked as the same process @returns false if the signal was aborted before the panel took it back */
export async function untilTakenBack(
  panel: Pick<PanelClient, 'poll'>,
  signal: AbortSignal,
  { firstMs = FIRST_MS, longestMs = LONGEST_MS }: BackOffLimits = {},
): Promise<boolean> {
  for (let waitMs = firstMs; ; waitMs = Math.min(longestMs, 2 * waitMs)) {
    // Between three quarters and five quarters of it.
    await sleep(waitMs * (0.75 + Math.random() / 2), undefined, { signal }).catch(() => {})
    if (signal.aborted) return false
    const answered = panel.poll({ waitMs: 0, free: NO_PLACES, holding: [] }, signal)
    const isTaken = await answered.then(
      () => true,
      () => false,
    )
    if (isTaken) return true
  }
}
