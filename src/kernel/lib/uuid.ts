/**
 * Ids in requests. A UUID may be written in either case (RFC 9562, 4), but the names of streams, unique constraints and
 * idempotent calls use lower case only. Each id in a request is parsed here; the service refuses to start with a route
 * that parses one otherwise.
 */
import { z } from 'zod'

/** Accepts a UUID in any case and returns it in lower case. */
export const uuid = z.uuid().toLowerCase()

/** For text that may be an id or another word: returns a UUID in lower case, and any other text unchanged. */
export const normalizeUuid = (text: string): string => uuid.safeParse(text).data ?? text

export const isUuid = (text: string): boolean => uuid.safeParse(text).success
