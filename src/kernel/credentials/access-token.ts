/**
 * Access tokens of a session: signed and valid for 15 minutes. The gate looks up the session `sid` on
 * every request, so a revoked session makes its tokens useless. Never use the token's text as a key:
 * use `jti`.
 */
import { randomUUID } from 'node:crypto'
import { errors, jwtVerify, SignJWT } from 'jose'
import { unixSeconds } from '../lib/timestamps.ts'
import { ed25519FromSeed } from './jws.ts'

export interface SessionSignerConfig {
  /** 32 random bytes: the Ed25519 private key (RFC 8032, 5.1.5). */
  readonly seed: Buffer
  readonly issuer: string
  readonly audience: string
}

export interface SessionClaims {
  readonly sub: string
  readonly sid: string
  readonly jti: string
  readonly extra?: Readonly<Record<string, unknown>>
}

export interface SessionSigner {
  /**
   * @param at the database's time
   * @returns the token in compact form, valid for 15 minutes
   */
  sign(claims: Omit<SessionClaims, 'jti'> & { readonly at: Date }): Promise<string>
  /**
   * @param now the database's time
   * @returns undefined for every token that is not valid at `now`, without a reason
   */
  verify(token: string, now: Date): Promise<SessionClaims | undefined>
}

export const ACCESS_TOKEN_SECONDS = 15 * 60

const ALGORITHM = 'EdDSA'
const TYPE = 'at+jwt'
const TOKEN_LENGTH_MAX = 4096

export function sessionSigner({ seed, issuer, audience }: SessionSignerConfig): SessionSigner {
  const { privateKey, publicKey } = ed25519FromSeed(seed)
  const expected = {
    algorithms: [ALGORITHM],
    typ: TYPE,
    issuer,
    audience,
    requiredClaims: ['sub', 'sid', 'jti', 'iat', 'exp'],
    // Without a maximum age, jose accepts an `iat` in the future.
    maxTokenAge: ACCESS_TOKEN_SECONDS,
  }
  return {
    sign({ sub, sid, at, extra }) {
      const issuedAt = unixSeconds(at)
      const payload = { iss: issuer, aud: audience, sub, sid, jti: randomUUID(), iat: issuedAt }
      const claims = { ...payload, exp: issuedAt + ACCESS_TOKEN_SECONDS, ...(extra && { extra }) }
      return new SignJWT(claims).setProtectedHeader({ alg: ALGORITHM, typ: TYPE }).sign(privateKey)
    },
    async verify(token, now) {
      // Every comparison with NaN is false, so no token would ever expire.
      if (Number.isNaN(now.getTime())) throw new RangeError('The current time is not a valid date')
      if (!isCanonical(token)) return undefined
      try {
        const { payload } = await jwtVerify(token, publicKey, { ...expected, currentDate: now })
        return claimsOf(payload)
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined
        throw error
      }
    },
  }
}

/**
 * jose also accepts padding, line breaks and other spare bits, so one token would have many spellings.
 * Only the signed text is accepted.
 */
function isCanonical(token: string): boolean {
  if (token.length > TOKEN_LENGTH_MAX) return false
  const parts = token.split('.')
  return parts.length === 3 && parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
}

function claimsOf({ sub, sid, jti, extra }: Record<string, unknown>): SessionClaims | undefined {
  if (typeof sub !== 'string' || typeof sid !== 'string' || typeof jti !== 'string') return undefined
  return isRecord(extra) ? { sub, sid, jti, extra } : { sub, sid, jti }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
