/** How often an account begins and asks, whichever way it signs in at a provider. */
import { enforceLimit, forgetIdleAttempts } from '#kernel/auth/caller-limits'
import type { CallerLimit } from '#kernel/auth/caller-limits'
import type { HandlerContext } from '#kernel/http/route'
import { userCallerOf } from '../../access/user-caller.ts'

export const STARTS: CallerLimit = { name: 'git-flow-start', windowMax: 10, windowSeconds: 600 }

/** @throws Rejection 429 */
export async function limited(call: Pick<HandlerContext, 'caller' | 'telemetry'>, limit: CallerLimit): Promise<void> {
  await enforceLimit(call, limit, userCallerOf(call.caller).userId)
  await forgetIdleAttempts(call, limit)
}
