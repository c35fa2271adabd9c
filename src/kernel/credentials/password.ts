/**
 * Password hashes: NFKC (NIST SP 800-63B), then argon2id. For the rules of new passwords see
 * password-policy.ts.
 */
import { randomBytes } from 'node:crypto'
import { LIVE_COST } from './argon2-cost.ts'
import { argon2id, parsePhc, phcText, SALT_BYTES, sameHash } from './argon2.ts'
import type { QueueShare } from './fair-queue.ts'

/**
 * The longest spelling, in UTF-16 units, of 256 code points. NFKC takes 400 ms for 100 KB of combining
 * marks, so longer text is never normalised.
 */
export const SPELLING_UNITS_MAX = 1024

const DUMMY_SALT = randomBytes(SALT_BYTES)

/**
 * @param place the share of the queue to wait in; see `argon2id`
 * @returns a PHC string
 * @throws Rejection 503 PASSWORD_BUSY
 */
export async function hashPassword(password: string, place?: QueueShare): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  return phcText({ cost: LIVE_COST, salt, hash: await argon2id(password.normalize('NFKC'), salt, LIVE_COST, place) })
}

/**
 * Compares in constant time.
 * @throws Rejection 503 PASSWORD_BUSY · Error if `phc` is not a PHC string
 */
export async function verifyPassword(phc: string, password: string, place?: QueueShare): Promise<boolean> {
  if (password.length > SPELLING_UNITS_MAX) return verifyDummy(password, place)
  const { cost, salt, hash } = parsePhc(phc)
  return sameHash(await argon2id(password.normalize('NFKC'), salt, cost, place), hash)
}

/**
 * Always false, at the cost of a real check, so that unknown, locked and delayed accounts take as long
 * as others.
 */
export async function verifyDummy(password: string, place?: QueueShare): Promise<false> {
  await argon2id(password.slice(0, SPELLING_UNITS_MAX).normalize('NFKC'), DUMMY_SALT, LIVE_COST, place)
  return false
}

/**
 * Whether a hash was made with other parameters than the current ones: hash the password again at the
 * next successful sign-in.
 */
export function needsRehash(phc: string): boolean {
  const { memoryKiB, passes, lanes } = parsePhc(phc).cost
  return memoryKiB !== LIVE_COST.memoryKiB || passes !== LIVE_COST.passes || lanes !== LIVE_COST.lanes
}
