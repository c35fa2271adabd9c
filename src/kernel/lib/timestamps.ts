import { z } from 'zod'

/**
 * Excludes the year 0, offsets beyond 15:59 and fractions finer than a nanosecond:
 * RFC 3339 allows them, PostgreSQL does not.
 */
const COMPARABLE = /^(?!0000)[^.]*(?:\.\d{1,9})?(?:Z|[+-](?:0\d|1[0-5]):\d\d)$/

/** Whether PostgreSQL accepts a timestamp in RFC 3339. */
const isReadableMoment = (text: string): boolean => COMPARABLE.test(text)

const RFC_3339 = z.iso.datetime({ offset: true })

/** A timestamp in RFC 3339, with any offset that PostgreSQL can compare with stored ones. */
export const timestamp = RFC_3339.refine(
  isReadableMoment,
  'must be after the year 0, with an offset below 16 hours',
).meta({ pattern: `(?=${COMPARABLE.source})${RFC_3339._zod.def.pattern!.source}` })

/** A NumericDate of a JWT (RFC 7519, 2): whole seconds since 1970. @param at milliseconds since 1970, or RFC 3339 */
export const unixSeconds = (at: Date | number | string): number => Math.floor(new Date(at).getTime() / 1_000)

const FIRST_MS = Date.parse('0001-01-01T00:00:00.000Z')
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')
const DAY_MS = 86_400_000

/**
 * Whether a timestamp in RFC 3339 lies in the years 1 to 9999 UTC:
 * RFC 3339 has no others, and every column can store these.
 */
export function isStorableMoment(text: string): boolean {
  const ms = Date.parse(text)
  return isReadableMoment(text) && ms >= FIRST_MS && ms <= LAST_MS
}

/** A moment for an event to hold, in UTC and milliseconds, as columns show it: so the texts of two moments compare as they do. */
export const moment = timestamp
  .refine(isStorableMoment, 'must be a moment of the years 1 to 9999 in UTC')
  .transform((text) => new Date(text).toISOString())

/** Adds days in UTC; the result is limited to the years 1 to 9999. @param moment in RFC 3339 */
export const daysAfter = (moment: string, days: number): string =>
  new Date(Math.min(Math.max(Date.parse(moment) + days * DAY_MS, FIRST_MS), LAST_MS)).toISOString()
