/** How often somebody may ask for what costs others something: mails, signatures, whole exports. Counted before it is done. */
import type { Call } from '../http/route.ts'
import { Attempts } from '../identity/attempts.ts'
import type { AttemptPolicy } from '../identity/attempts.ts'
import { limitedBlock } from '../identity/ip.ts'
import { reject } from '../rejection.ts'

/** So many in any window. */
export type Limit = Required<Pick<AttemptPolicy, 'name' | 'windowMax' | 'windowSeconds'>>

/** Links mailed to one address, whoever asks for them. */
export const LINK_MAILS: Limit = { name: 'link-mail', windowMax: 5, windowSeconds: 3_600 }
/** Asked from one address block, for whomever. */
export const LINK_ASKERS: Limit = { name: 'link-asker', windowMax: 30, windowSeconds: 3_600 }

export const isWithin = async ({ telemetry }: Pick<Call, 'telemetry'>, policy: Limit, subject: string) =>
  (await new Attempts(telemetry).reserve({ policy, subject })).allowed

/** @throws Rejection 429 with the headers of draft-ietf-httpapi-ratelimit-headers-11, saying the longest that it can take */
export async function limited(call: Pick<Call, 'telemetry'>, limit: Limit, subject: string): Promise<void> {
  if (await isWithin(call, limit, subject)) return
  const { name, windowMax, windowSeconds } = limit
  reject('tooMany', 'This was asked too often, try again later', 'TOO_MANY_REQUESTS', {
    'Retry-After': String(windowSeconds),
    RateLimit: `"${name}";r=0;t=${windowSeconds}`,
    'RateLimit-Policy': `"${name}";q=${windowMax};w=${windowSeconds}`,
  })
}

/** Whose tries are counted together. Under a key, because whoever hashes all four billion IPv4 addresses finds this one among them. */
export const blockOf = ({ ip, vault }: Pick<Call, 'ip' | 'vault'>): Promise<string> =>
  vault.hmac('pepper', `address:${limitedBlock(ip)}`)

/** Strangers can invent addresses and call from any number of them. */
export async function forgetIdle({ telemetry }: Pick<Call, 'telemetry'>, ...limits: readonly Limit[]): Promise<void> {
  for (const limit of limits) await new Attempts(telemetry).sweep(limit, limit.windowSeconds)
}
