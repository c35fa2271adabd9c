/**
 * Limits attempts at one-time links. The secret of a link cannot be guessed (238 bits and more), so its
 * holder is identified: the link works from any address, and attempts with it are counted per link. A
 * wrong secret is counted as a failure of the address.
 */
import { AttemptCounter } from '../credentials/attempt-counter.ts'
import type { HandlerContext } from '../http/route.ts'
import { forgetIdleAttempts, enforceLimit } from './caller-limits.ts'
import type { AddressContext, CallerLimit } from './caller-limits.ts'
import { addressOrigin } from './verify-credentials.ts'

/** Passwords and codes sent with one link, correct or not: each may cost a hash. */
const LINK_ATTEMPTS: CallerLimit = { name: 'link-try', windowMax: 20, windowSeconds: 15 * 60 }

/**
 * The holder of a link. Call it before any hash is computed.
 * @param find looks up the secret and throws if there is no such link
 * @throws what `find` throws · Rejection 429 for the 21st attempt with one link within 15 minutes
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
