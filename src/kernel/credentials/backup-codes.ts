/**
 * Ten one-time codes of 16 base32 characters (80 bits), for whoever lost the authenticator; stored as argon2id hashes,
 * since ASVS 6.5.2 asks for a slow hash below 112 bits.
 *
 * The ten share one random salt, so one computation checks a code against all of them instead of ten. A stolen table
 * thereby answers one guess for ten codes, which costs log2(10) = 3.3 of the 80 bits. A public selector beside each hash
 * would have saved as much work but given away 20 bits.
 */
import { randomBytes } from 'node:crypto'
import { argon2id, parsePhc, phcText, SALT_BYTES, sameHash } from './argon2.ts'
import { LIVE_COST } from './argon2-cost.ts'
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

/** The one spelling that is hashed: upper case, without spaces and hyphens; undefined when it is no code at all. */
export function normaliseBackupCode(text: string): string | undefined {
  if (text.length > SPELLING_UNITS_MAX) return undefined
  const code = text.replaceAll(SEPARATORS, '').toUpperCase()
  return CODE.test(code) ? code : undefined
}

/** One PHC string per code, in their order. @throws Rejection 503 PASSWORD_BUSY */
export async function hashBackupCodes(codes: readonly string[], place?: QueueShare): Promise<string[]> {
  const salt = randomBytes(SALT_BYTES)
  const phcs: string[] = []
  // One after another: ten at once would fill a fifth of the queue that sign-ins wait in.
  for (const code of codes)
    phcs.push(phcText({ cost: LIVE_COST, salt, hash: await argon2id(code, salt, LIVE_COST, place) }))
  return phcs
}

/** Where among the hashes the code's own stands, -1 when nowhere. @throws Rejection 503 PASSWORD_BUSY */
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
