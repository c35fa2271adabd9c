/**
 * Limits for expensive requests: mails, signatures, whole exports. Each request is counted before the
 * work is done.
 */
import { AttemptCounter } from '../credentials/attempt-counter.ts'
import type { AttemptPolicy, CountedAttempt } from '../credentials/attempt-counter.ts'
import { addressBlocksOf } from '../credentials/ip-address.ts'
import type { HandlerContext } from '../http/route.ts'
import { reject } from '../lib/rejection.ts'

/** The maximum number of requests in any window. */
export type CallerLimit = Required<Pick<AttemptPolicy, 'name' | 'windowMax' | 'windowSeconds'>>

/** Notices mailed to one address. Mails with a link have their own limit (`isRequestedTooSoon`). */
export const NOTICE_MAILS: CallerLimit = { name: 'notice-mail', windowMax: 5, windowSeconds: 3_600 }
/** Links requested from one address block, for any account. */
export const LINK_REQUESTS: CallerLimit = { name: 'link-asker', windowMax: 30, windowSeconds: 3_600 }

type CounterContext = Pick<HandlerContext, 'telemetry'>

export const isWithinLimit = async ({ telemetry }: CounterContext, policy: CallerLimit, subject: string) =>
  (await new AttemptCounter(telemetry).reserve({ policy, subject })).allowed

/**
 * @throws Rejection 429 with the headers of draft-ietf-httpapi-ratelimit-headers-11, which state the
 * longest possible wait
 */
export async function enforceLimit(call: CounterContext, limit: CallerLimit, subject: string): Promise<void> {
  if (!(await isWithinLimit(call, limit, subject))) tooMany(limit, limit.windowMax)
}

/**
 * Applies the limit to each block of the caller's address.
 * @throws Rejection 429
 */
export async function enforceLimitByBlock(call: CounterContext & AddressContext, limit: CallerLimit): Promise<void> {
  const reserved = await new AttemptCounter(call.telemetry).reserveAll(...(await addressBlockAttempts(call, limit)))
  if (!reserved.allowed) tooMany(limit, reserved.refusedBy.windowMax ?? limit.windowMax)
}

function tooMany({ name, windowSeconds }: CallerLimit, windowMax: number): never {
  reject('tooMany', 'Too many requests of this kind: try again later', 'TOO_MANY_REQUESTS', {
    'Retry-After': String(windowSeconds),
    RateLimit: `"${name}";r=0;t=${windowSeconds}`,
    'RateLimit-Policy': `"${name}";q=${windowMax};w=${windowSeconds}`,
  })
}

export type AddressContext = Pick<HandlerContext, 'ip' | 'vault'>

/**
 * One attempt for each block of the caller's address, the narrowest first: what it rejects is not
 * counted for the wider ones. Hashed with a key, because all four billion IPv4 addresses can be hashed
 * to find the one.
 */
export const addressBlockAttempts = ({ ip, vault }: AddressContext, policy: CallerLimit): Promise<CountedAttempt[]> =>
  Promise.all(
    addressBlocksOf(ip).map(async ({ name, share }) => ({
      policy: { ...policy, windowMax: policy.windowMax * share },
      subject: await vault.hmac('pepper', `address:${name}`),
    })),
  )

/** Deletes idle counters, because attackers can use any number of addresses. */
export async function forgetIdleAttempts(
  { telemetry }: CounterContext,
  ...limits: readonly CallerLimit[]
): Promise<void> {
  for (const limit of limits) await new AttemptCounter(telemetry).sweep(limit, limit.windowSeconds)
}
