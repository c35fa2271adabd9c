/** Time-based one-time passwords: RFC 6238 with SHA-1, 6 digits, steps of 30 s, secrets of 160 bits in base32. */
import { timingSafeEqual } from 'node:crypto'
import { generateSecret, generateSync, generateURI } from 'otplib'

export interface TotpOptions {
  readonly at: Date
  /** The newest step accepted for this secret; it and all older steps are used up. */
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
 * The caller stores the step, not the code: one code has several spellings, one step has one number.
 * @returns the time step of the code (seconds since 1970 / 30) if it is the current or the previous one
 * (RFC 6238, 5.2) and newer than `lastStep`; otherwise undefined, for any input
 */
export function verifyTotp(secret: string, code: string, { at, lastStep = -1 }: TotpOptions): number | undefined {
  if (!CODE.test(code)) return undefined
  const current = Math.floor(at.getTime() / 1000 / STEP_SECONDS)
  const matching = [current, current - 1].filter((step) => sameCode(codeAt(secret, step), code))
  return matching.find((step) => step > lastStep)
}

/** otplib throws for a secret that is too short or not base32; no code of such an account is correct. */
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
