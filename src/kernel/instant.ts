import { z } from 'zod'

/** No year 0, no offset beyond 15:59, no fraction finer than a nanosecond: Postgres reads none of them, though RFC 3339 allows them. */
const COMPARABLE = /^(?!0000)[^.]*(?:\.\d{1,9})?(?:Z|[+-](?:0\d|1[0-5]):\d\d)$/

/** A moment in RFC 3339, with any offset, that a query may compare with stored ones. */
export const instant = z.iso
  .datetime({ offset: true })
  .refine((text) => COMPARABLE.test(text), 'must be after the year 0, with an offset below 16 hours')

/** As JWTs tell times (RFC 7519, 2): whole seconds since 1970. @param at milliseconds since then, or an instant in RFC 3339 */
export const unixSeconds = (at: Date | number | string): number => Math.floor(new Date(at).getTime() / 1_000)
