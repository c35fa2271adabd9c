/** Time-based one-time passwords: RFC 6238 with SHA-1, 6 digits, steps of 30 s, secrets of 160 bits in base32. */
import { timingSafeEqual } from 'node:crypto'
import { generateSecret, generateSync, generateURI } from 'otplib'

export interface TotpOptions {
  readonly at: Date
  /** The newest step ever accepted for this secret; that one and all older ones are spent. */
  readonly lastStep: number | undefined
}

const STEP_SECONDS = 30
const CODE = /^[0-9]{6}$/

export function newTotpSecret(): string {
  return generateSecret({ length: 20 })
}

/** The `otpauth://totp/…` address that authenticator apps read from a QR code. */
export function totpUri(secret: string, account: string, issuer: string): string {
  return generateURI({ secret, label: account, issuer })
}

/**
 * The time step (seconds since 1970 / 30) that the code belongs to, when it is the current or the previous one (RFC 6238,
 * 5.2) and newer than `lastStep`; undefined otherwise, whatever the input. The caller consumes the step, not the code:
 * one code has many spellings, one step has one number.
 */
export function verifyTotp(secret: string, code: string, { at, lastStep = -1 }: TotpOptions): number | undefined {
  if (!CODE.test(code)) return undefined
  const current = Math.floor(at.getTime() / 1000 / STEP_SECONDS)
  const matching = [current, current - 1].filter((step) => sameCode(codeAt(secret, step), code))
  return matching.find((step) => step > lastStep)
}

/** otplib throws on secrets that are too short or no base32; such an account has no code that could be right. */
function codeAt(secret: string, step: number): string {
  try {
    return generateSync({ secret, epoch: step * STEP_SECONDS })
  } catch {
    return ''
  }
}

function sameCode(expected: string, given: string): boolean {
  return expected.length === given.length && timingSafeEqual(Buffer.from(expected), Buffer.from(given))
}
