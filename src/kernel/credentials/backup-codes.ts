/**
 * Ten one-time codes of 16 base32 characters (80 bits), for a user who has lost the authenticator. They
 * are stored as argon2id hashes, because ASVS 6.5.2 requires a slow hash below 112 bits.
 *
 * The ten codes share one random salt, so one computation checks a code against all ten. With a stolen
 * table, one guess then tests ten codes, which costs log2(10) = 3.3 of the 80 bits. A public selector
 * beside each hash would save the same work but reveal 20 bits.
 */
import { randomBytes } from 'node:crypto'
import { LIVE_COST } from './argon2-cost.ts'
import { argon2id, parsePhc, phcText, SALT_BYTES, sameHash } from './argon2.ts'
import type { Phc } from './argon2.ts'
import type { QueueShare } from './fair-queue.ts'

const CODES = 10
const CODE_LENGTH = 16
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const CODE = /^[A-Z2-7]{16}$/
const SEPARATORS = /[\s-]+/g
const SPELLING_UNITS_MAX = 64

export function newBackupCodes(): string[] {
  return Array.from({ length: CODES }, () =>
    Array.from(randomBytes(CODE_LENGTH), (byte) => BASE32.charAt(byte % BASE32.length)).join(''),
  )
}

/** The spelling that is hashed: upper case, without spaces and hyphens; undefined if the text is not a code. */
export function normaliseBackupCode(text: string): string | undefined {
  if (text.length > SPELLING_UNITS_MAX) return undefined
  const code = text.replaceAll(SEPARATORS, '').toUpperCase()
  return CODE.test(code) ? code : undefined
}

/**
 * @returns one PHC string per code, in their order
 * @throws Rejection 503 PASSWORD_BUSY
 */
export async function hashBackupCodes(codes: readonly string[], place?: QueueShare): Promise<string[]> {
  const salt = randomBytes(SALT_BYTES)
  const phcs: string[] = []
  // Sequential: ten concurrent hashes would fill a fifth of the queue that sign-ins use.
  for (const code of codes)
    phcs.push(phcText({ cost: LIVE_COST, salt, hash: await argon2id(code, salt, LIVE_COST, place) }))
  return phcs
}

/**
 * @returns the index of the code's hash, or -1
 * @throws Rejection 503 PASSWORD_BUSY
 */
export async function findBackupCode(hashes: readonly string[], text: string, place?: QueueShare): Promise<number> {
  const code = normaliseBackupCode(text)
  if (code === undefined) return -1
  const stored = hashes.map(parsePhc)
  let found = -1
  for (const set of saltSets(stored)) {
    const hash = await argon2id(code, set.salt, set.cost, place)
    for (const [index, phc] of stored.entries()) if (sameHash(phc.hash, hash)) found = index
  }
  return found
}

function saltSets(stored: readonly Phc[]): Phc[] {
  return [...new Map(stored.map((phc) => [phcText({ ...phc, hash: Buffer.alloc(0) }), phc])).values()]
}
