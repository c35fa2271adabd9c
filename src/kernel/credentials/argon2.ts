/**
 * Argon2id (RFC 9106) as PHC strings, at most two hashes concurrently: each takes 19 MiB and one core
 * for about 18 ms.
 */
import { argon2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Rejection, reject } from '../lib/rejection.ts'
import { LIVE_COST } from './argon2-cost.ts'
import type { Argon2Cost } from './argon2-cost.ts'
import { FairQueue, HOST_SHARE } from './fair-queue.ts'
import type { QueueShare } from './fair-queue.ts'

export interface Phc {
  readonly cost: Argon2Cost
  readonly salt: Buffer
  readonly hash: Buffer
}

export const SALT_BYTES = 16

const HASH_BYTES = 32
const AT_ONCE_MAX = 2
const WAITING_MAX = 50
const BUSY = 'PASSWORD_BUSY'
const RETRY = { 'Retry-After': '1' }
const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/

const derive = promisify(argon2)
const queue = new FairQueue({ atOnceMax: AT_ONCE_MAX, waitingMax: WAITING_MAX })

/**
 * @param place the share of the queue to wait in
 * @throws Rejection 503 PASSWORD_BUSY if two hashes run, 50 wait and no other share is larger than this
 * one
 */
export async function argon2id(
  message: string,
  salt: Buffer,
  cost: Argon2Cost = LIVE_COST,
  place: QueueShare = HOST_SHARE,
): Promise<Buffer> {
  if (!(await queue.enter(place))) reject('unavailable', 'Too many concurrent sign-ins: try again', BUSY, RETRY)
  try {
    const { memoryKiB: memory, passes, lanes: parallelism } = cost
    return await derive('argon2id', { message, nonce: salt, memory, passes, parallelism, tagLength: HASH_BYTES })
  } finally {
    queue.leave()
  }
}

/** Whether no hash was computed because the queue was full. */
export const isQueueFullError = (error: unknown): boolean => error instanceof Rejection && error.code === BUSY

/** `$argon2id$v=19$m=…,t=…,p=…$salt$hash`, base64 without padding. */
export function phcText({ cost, salt, hash }: Phc): string {
  const [saltText, hashText] = [salt, hash].map((bytes) => bytes.toString('base64').replaceAll('=', ''))
  return `$argon2id$v=19$m=${cost.memoryKiB},t=${cost.passes},p=${cost.lanes}$${saltText}$${hashText}`
}

/**
 * @throws Error for text that `phcText` did not write: an unreadable stored hash is a bug, not a wrong
 * password
 */
export function parsePhc(text: string): Phc {
  const [, memoryKiB, passes, lanes, salt, hash] = PHC.exec(text) ?? []
  if (salt === undefined || hash === undefined) throw new Error('A stored password hash is not an argon2id PHC string')
  const cost = { memoryKiB: Number(memoryKiB), passes: Number(passes), lanes: Number(lanes) }
  return { cost, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') }
}

export function sameHash(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}
