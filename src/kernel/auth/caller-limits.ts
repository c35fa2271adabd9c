/** How often a caller may ask for what costs others something: mails, signatures, whole exports. Counted before it is done. */
import type { HandlerContext } from '../http/route.ts'
import { AttemptCounter } from '../credentials/attempt-counter.ts'
import type { AttemptPolicy, CountedAttempt } from '../credentials/attempt-counter.ts'
import { addressBlocksOf } from '../credentials/ip-address.ts'
import { reject } from '../lib/rejection.ts'

/** So many in any window. */
export type CallerLimit = Required<Pick<AttemptPolicy, 'name' | 'windowMax' | 'windowSeconds'>>

/** Mails to one address that only tell its owner something. Those with a link have a limit of their own (`isAskedTooSoon`). */
export const NOTICE_MAILS: CallerLimit = { name: 'notice-mail', windowMax: 5, windowSeconds: 3_600 }
/** Links asked for from one address block, for whatever account. */
export const LINK_REQUESTS: CallerLimit = { name: 'link-asker', windowMax: 30, windowSeconds: 3_600 }

type CounterContext = Pick<HandlerContext, 'telemetry'>

export const isWithinLimit = async ({ telemetry }: CounterContext, policy: CallerLimit, subject: string) =>
  (await new AttemptCounter(telemetry).reserve({ policy, subject })).allowed

/** @throws Rejection 429 with the headers of draft-ietf-httpapi-ratelimit-headers-11, saying the longest that it can take */
export async function enforceLimit(call: CounterContext, limit: CallerLimit, subject: string): Promise<void> {
  if (!(await isWithinLimit(call, limit, subject))) tooMany(limit, limit.windowMax)
}

/** The same for each block that the caller's address is in. @throws Rejection 429 */
export async function enforceLimitByBlock(call: CounterContext & AddressContext, limit: CallerLimit): Promise<void> {
  const reserved = await new AttemptCounter(call.telemetry).reserveAll(...(await addressBlockAttempts(call, limit)))
  if (!reserved.allowed) tooMany(limit, reserved.refusedBy.windowMax ?? limit.windowMax)
}

function tooMany({ name, windowSeconds }: CallerLimit, windowMax: number): never {
  reject('tooMany', 'This was asked too often, try again later', 'TOO_MANY_REQUESTS', {
    'Retry-After': String(windowSeconds),
    RateLimit: `"${name}";r=0;t=${windowSeconds}`,
    'RateLimit-Policy': `"${name}";q=${windowMax};w=${windowSeconds}`,
  })
}

export type AddressContext = Pick<HandlerContext, 'ip' | 'vault'>

/**
 * A try for each block that the caller's address is in, the narrowest first: what that refuses is not counted for the wider ones. Under a
 * key, because all four billion IPv4 addresses can be hashed to find the one.
 */
export const addressBlockAttempts = ({ ip, vault }: AddressContext, policy: CallerLimit): Promise<CountedAttempt[]> =>
  Promise.all(
    addressBlocksOf(ip).map(async ({ name, share }) => ({
      policy: { ...policy, windowMax: policy.windowMax * share },
      subject: await vault.hmac('pepper', `address:${name}`),
    })),
  )

/** Strangers can invent addresses and call from any number of them. */
export async function forgetIdleAttempts(
  { telemetry }: CounterContext,
  ...limits: readonly CallerLimit[]
): Promise<void> {
  for (const limit of limits) await new AttemptCounter(telemetry).sweep(limit, limit.windowSeconds)
}
