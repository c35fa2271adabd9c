/**
 * Ids in requests. A UUID may be written in either case (RFC 9562, 4), while streams, claims and idempotent calls are named by one
 * spelling: the lower-case one. Each id that a request holds is parsed here, and a route that parses one otherwise does not start.
 */
import { z } from 'zod'

/** A UUID in any spelling, as its lower-case one. */
export const uuid = z.uuid().toLowerCase()

/** For text that may be an id or another word: a UUID in its lower-case spelling, and anything else as it is. */
export const normalizeUuid = (text: string): string => uuid.safeParse(text).data ?? text

export const isUuid = (text: string): boolean => uuid.safeParse(text).success
