/**
 * Makes ids, and parses ids in requests. A UUID may be written in either case (RFC 9562, 4), but the names of streams, unique constraints and
 * idempotent calls use lower case only. Each id in a request is parsed here; the service refuses to start with a route
 * that parses one otherwise.
 */
import { v7 } from 'uuid'
import { z } from 'zod'
import { pooledRandomBytes } from './pooled-random.ts'

/** The time of an id in ms, and a counter of 32 bits within it. */
interface IdTime {
  readonly ms: number
  readonly counter: number
}

const COUNTER_SEED_MAX = 0x7fff_ffff

/**
 * RFC 9562, 6.2, method 1: ids within a millisecond count from a random number, and ids stay in order when the clock is
 * set back or the counter overflows.
 * @param seed at most 31 bits, so that a millisecond has room for 2³¹ ids
 */
export function idTimeAfter({ ms, counter }: IdTime, now: number, seed: number): IdTime {
  if (now > ms) return { ms: now, counter: seed }
  return counter === 0xffff_ffff ? { ms: ms + 1, counter: seed } : { ms, counter: counter + 1 }
}

let newest: IdTime = { ms: 0, counter: 0 }

/** A UUIDv7 that is greater than all ids that this process has made. Its last 42 bits are random. */
export function uuidv7(): string {
  const random = pooledRandomBytes(16)
  newest = idTimeAfter(newest, Date.now(), random.readUInt32BE(6) & COUNTER_SEED_MAX)
  return v7({ random, msecs: newest.ms, seq: newest.counter })
}

/** Accepts a UUID in any case and returns it in lower case. */
export const uuid = z.uuid().toLowerCase()

/** For text that may be an id or another word: returns a UUID in lower case, and any other text unchanged. */
export const normalizeUuid = (text: string): string => uuid.safeParse(text).data ?? text

export const isUuid = (text: string): boolean => uuid.safeParse(text).success
