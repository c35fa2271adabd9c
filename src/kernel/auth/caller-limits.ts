/** How often a caller may ask for what costs others something: mails, signatures, whole exports. Counted before it is done. */
import type { Call } from '../http/route.ts'
import { Attempts } from '../credentials/attempt-counter.ts'
import type { AttemptPolicy, Try } from '../credentials/attempt-counter.ts'
import { blocksOf } from '../credentials/ip-address.ts'
import { reject } from '../lib/rejection.ts'

/** So many in any window. */
export type Limit = Required<Pick<AttemptPolicy, 'name' | 'windowMax' | 'windowSeconds'>>

/** Mails to one address that only tell its owner something. Those with a link have a limit of their own (`isAskedTooSoon`). */
export const NOTICE_MAILS: Limit = { name: 'notice-mail', windowMax: 5, windowSeconds: 3_600 }
/** Links asked for from one address block, for whatever account. */
export const LINK_ASKERS: Limit = { name: 'link-asker', windowMax: 30, windowSeconds: 3_600 }

type Counting = Pick<Call, 'telemetry'>

export const isWithin = async ({ telemetry }: Counting, policy: Limit, subject: string) =>
  (await new Attempts(telemetry).reserve({ policy, subject })).allowed

/** @throws Rejection 429 with the headers of draft-ietf-httpapi-ratelimit-headers-11, saying the longest that it can take */
export async function limited(call: Counting, limit: Limit, subject: string): Promise<void> {
  if (!(await isWithin(call, limit, subject))) tooMany(limit, limit.windowMax)
}

/** The same for each block that the caller's address is in. @throws Rejection 429 */
export async function limitedByBlock(call: Counting & FromAddress, limit: Limit): Promise<void> {
  const reserved = await new Attempts(call.telemetry).reserveAll(...(await blockTries(call, limit)))
  if (!reserved.allowed) tooMany(limit, reserved.refusedBy.windowMax ?? limit.windowMax)
}

function tooMany({ name, windowSeconds }: Limit, windowMax: number): never {
  reject('tooMany', 'This was asked too often, try again later', 'TOO_MANY_REQUESTS', {
    'Retry-After': String(windowSeconds),
    RateLimit: `"${name}";r=0;t=${windowSeconds}`,
    'RateLimit-Policy': `"${name}";q=${windowMax};w=${windowSeconds}`,
  })
}

export type FromAddress = Pick<Call, 'ip' | 'vault'>

/**
 * A try for each block that the caller's address is in, the narrowest first: what that refuses is not counted for the wider ones. Under a
 * key, because all four billion IPv4 addresses can be hashed to find the one.
 */
export const blockTries = ({ ip, vault }: FromAddress, policy: Limit): Promise<Try[]> =>
  Promise.all(
    blocksOf(ip).map(async ({ name, share }) => ({
      policy: { ...policy, windowMax: policy.windowMax * share },
      subject: await vault.hmac('pepper', `address:${name}`),
    })),
  )

/** Strangers can invent addresses and call from any number of them. */
export async function forgetIdle({ telemetry }: Counting, ...limits: readonly Limit[]): Promise<void> {
  for (const limit of limits) await new Attempts(telemetry).sweep(limit, limit.windowSeconds)
}
