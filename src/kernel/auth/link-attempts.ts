/**
 * Tries at one-time links. The secret of a link is beyond guessing (238 bits and more), so who has it is known: the link is looked at
 * wherever the caller is, and what is done with it is counted for the link alone. A wrong secret is a failure of the address.
 */
import type { HandlerContext } from '../http/route.ts'
import { AttemptCounter } from '../credentials/attempt-counter.ts'
import { addressOrigin } from './verify-credentials.ts'
import { forgetIdleAttempts, enforceLimit } from './caller-limits.ts'
import type { AddressContext, CallerLimit } from './caller-limits.ts'

/** Passwords and codes that are sent with one link, right or refused: each may cost a hash. */
const LINK_ATTEMPTS: CallerLimit = { name: 'link-try', windowMax: 20, windowSeconds: 15 * 60 }

/**
 * Whose link it is. Ask before anything is hashed.
 * @param find looks for the secret; it throws where there is no such link
 * @throws what `find` throws · Rejection 429 for the 21st try with one link in a quarter of an hour
 */
export async function linkHolder<Holder>(
  call: AddressContext & Pick<HandlerContext, 'telemetry'>,
  linkHash: string,
  find: () => Promise<Holder>,
): Promise<Holder> {
  const attempts = new AttemptCounter(call.telemetry)
  const { attempts: tries } = await addressOrigin(call)
  const { allowed } = await attempts.reserveAll(...tries)
  const holder = await find()
  if (allowed) await attempts.succeed(...tries)
  await enforceLimit(call, LINK_ATTEMPTS, linkHash)
  await forgetIdleAttempts(call, LINK_ATTEMPTS)
  return holder
}
