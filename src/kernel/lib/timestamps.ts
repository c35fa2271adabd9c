import { z } from 'zod'

/** No year 0, no offset beyond 15:59, no fraction finer than a nanosecond: Postgres reads none of them, though RFC 3339 allows them. */
const COMPARABLE = /^(?!0000)[^.]*(?:\.\d{1,9})?(?:Z|[+-](?:0\d|1[0-5]):\d\d)$/

/** Whether Postgres reads a moment in RFC 3339 as one. */
const isReadableMoment = (text: string): boolean => COMPARABLE.test(text)

/** A moment in RFC 3339, with any offset, that a query may compare with stored ones. */
export const timestamp = z.iso
  .datetime({ offset: true })
  .refine(isReadableMoment, 'must be after the year 0, with an offset below 16 hours')

/** As JWTs tell times (RFC 7519, 2): whole seconds since 1970. @param at milliseconds since then, or an instant in RFC 3339 */
export const unixSeconds = (at: Date | number | string): number => Math.floor(new Date(at).getTime() / 1_000)

const FIRST_MS = Date.parse('0001-01-01T00:00:00.000Z')
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')
const DAY_MS = 86_400_000

/** Whether a moment in RFC 3339 lies in the years 1 to 9999 of UTC: RFC 3339 writes no others, and each column holds these. */
export function isStorableMoment(text: string): boolean {
  const ms = Date.parse(text)
  return isReadableMoment(text) && ms >= FIRST_MS && ms <= LAST_MS
}

/** A moment for an event to hold, in UTC and milliseconds, as columns show it: so the texts of two moments compare as they do. */
export const moment = timestamp
  .refine(isStorableMoment, 'must be a moment of the years 1 to 9999 in UTC')
  .transform((text) => new Date(text).toISOString())

/** So many days later, in UTC; no later than the end of the year 9999, and no earlier than the year 1. @param moment in RFC 3339 */
export const daysAfter = (moment: string, days: number): string =>
  new Date(Math.min(Math.max(Date.parse(moment) + days * DAY_MS, FIRST_MS), LAST_MS)).toISOString()
