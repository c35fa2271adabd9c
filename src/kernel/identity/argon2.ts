/** Argon2id (RFC 9106) as PHC strings, at most two at once: each takes 19 MiB and a core for about 18 ms. */
import { argon2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { reject } from '../rejection.ts'
import { LIVE_COST } from './argon2-cost.ts'
import type { Argon2Cost } from './argon2-cost.ts'

export interface Phc {
  readonly cost: Argon2Cost
  readonly salt: Buffer
  readonly hash: Buffer
}

export const SALT_BYTES = 16

const HASH_BYTES = 32
const AT_ONCE_MAX = 2
const QUEUE_MAX = 50
const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/

const derive = promisify(argon2)
const waiting: (() => void)[] = []
let running = 0

/**
 * @param isAdmitted of somebody whose password was right a moment ago: he has waited once, and his counted try would be
 *   spent for nothing if the flood behind him turned him away
 * @throws Rejection 503 PASSWORD_BUSY when two hashes run and 50 wait: a flood of logins must not exhaust the machine.
 */
export async function argon2id(
  message: string,
  salt: Buffer,
  cost: Argon2Cost = LIVE_COST,
  { isAdmitted = false } = {},
): Promise<Buffer> {
  await enter(isAdmitted)
  try {
    const { memoryKiB: memory, passes, lanes: parallelism } = cost
    return await derive('argon2id', { message, nonce: salt, memory, passes, parallelism, tagLength: HASH_BYTES })
  } finally {
    leave()
  }
}

/** `$argon2id$v=19$m=…,t=…,p=…$salt$hash`, base64 without padding. */
export function phcText({ cost, salt, hash }: Phc): string {
  const [saltText, hashText] = [salt, hash].map((bytes) => bytes.toString('base64').replaceAll('=', ''))
  return `$argon2id$v=19$m=${cost.memoryKiB},t=${cost.passes},p=${cost.lanes}$${saltText}$${hashText}`
}

/** @throws Error for anything but what `phcText` wrote: a stored hash that cannot be read is a bug, not a wrong password. */
export function parsePhc(text: string): Phc {
  const [, memoryKiB, passes, lanes, salt, hash] = PHC.exec(text) ?? []
  if (salt === undefined || hash === undefined) throw new Error('A stored password hash is not an argon2id PHC string')
  const cost = { memoryKiB: Number(memoryKiB), passes: Number(passes), lanes: Number(lanes) }
  return { cost, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') }
}

export function sameHash(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}

async function enter(isAdmitted: boolean): Promise<void> {
  if (running < AT_ONCE_MAX) {
    running++
    return
  }
  if (!isAdmitted && waiting.length >= QUEUE_MAX) {
    reject('unavailable', 'Too many sign-ins at once, try again', 'PASSWORD_BUSY', { 'Retry-After': '1' })
  }
  await new Promise<void>((resolve) => {
    waiting.push(resolve)
  })
}

/** Whoever leaves hands its place on, so a newcomer cannot slip in before those who wait. */
function leave(): void {
  const next = waiting.shift()
  if (next) next()
  else running--
}
