/** When a panel asks next. Full jitter, so that those who were turned away together do not come back together. Seconds. */

const RETRY_MIN = 60
const RETRY_MAX = 4 * 3_600
/** A day off for whoever answers nonsense is enough. */
const RETRY_AFTER_MAX = 24 * 3_600
/** Of the time between two heartbeats. */
const SPREAD = 0.1

/** After a good answer: when the service wants it, or a little later. @param random 0 to 1 */
export function secondsUntilDue(due: number, heartbeatSeconds: number, now: number, random: number): number {
  return Math.max(RETRY_MIN, due - now) + random * SPREAD * heartbeatSeconds
}

/** After a failure: at some moment of a time that doubles with each; never before the service allows it. */
export function secondsUntilRetry(failures: number, retryAfter: number | undefined, random: number): number {
  const longest = Math.min(RETRY_MAX, RETRY_MIN * 2 ** Math.min(failures - 1, 20))
  const wait = random * longest
  const asked = Math.min(retryAfter ?? 0, RETRY_AFTER_MAX)
  return asked > 0 ? asked + wait : Math.max(1, wait)
}

/** At a start: soon, but not all panels of a host or a site in the same second. */
export function secondsUntilFirst(due: number, heartbeatSeconds: number, now: number, random: number): number {
  return Math.max(due - now, random * Math.min(RETRY_MIN, SPREAD * heartbeatSeconds))
}

/** RFC 9110, 10.2.3: seconds or a date. @returns undefined for none, or nonsense */
export function retryAfterSeconds(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  if (/^\d{1,9}$/.test(header.trim())) return Number(header)
  const date = header.endsWith(' GMT') ? Date.parse(header) : NaN
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil(date / 1_000 - now))
}
