/**
 * The time of the next request, in seconds. Full jitter, so that panels that failed at the same time do
 * not retry at the same time.
 */

const RETRY_MIN = 60
const RETRY_MAX = 4 * 3_600
/** A Retry-After of more than a day is not trusted. */
const RETRY_AFTER_MAX = 24 * 3_600
/** As a share of the interval between two heartbeats. */
const SPREAD = 0.1

/**
 * After a valid response: at the time that the service wants, or a little later.
 * @param random 0 to 1
 */
export function secondsUntilDue(due: number, heartbeatSeconds: number, now: number, random: number): number {
  return Math.max(RETRY_MIN, due - now) + random * SPREAD * heartbeatSeconds
}

/**
 * After a failure: at a random time within a span that doubles with each failure; never before the
 * service allows it.
 */
export function secondsUntilRetry(failures: number, retryAfter: number | undefined, random: number): number {
  const longest = Math.min(RETRY_MAX, RETRY_MIN * 2 ** Math.min(failures - 1, 20))
  const wait = random * longest
  const asked = Math.min(retryAfter ?? 0, RETRY_AFTER_MAX)
  return asked > 0 ? asked + wait : Math.max(1, wait)
}

/** At start: soon, but not all panels of a host or a site in the same second. */
export function secondsUntilFirst(due: number, heartbeatSeconds: number, now: number, random: number): number {
  return Math.max(due - now, random * Math.min(RETRY_MIN, SPREAD * heartbeatSeconds))
}

/**
 * RFC 9110, 10.2.3: seconds or a date.
 * @returns undefined without the header, or if it is invalid
 */
export function retryAfterSeconds(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  if (/^\d{1,9}$/.test(header.trim())) return Number(header)
  const date = header.endsWith(' GMT') ? Date.parse(header) : NaN
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil(date / 1_000 - now))
}
