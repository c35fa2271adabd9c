/**
 * Rejections of callers that are not authenticated. One text covers many causes, so that callers cannot
 * distinguish them.
 */
import { reject } from '../lib/rejection.ts'

/** RFC 9110, 11.6.1: a 401 carries a challenge. */
const CHALLENGE = { 'WWW-Authenticate': 'Bearer' }

/** For unknown, ended, expired and foreign sessions alike. */
export function invalidSession(): never {
  reject('unauthenticated', 'Invalid or expired session', 'SESSION_INVALID', CHALLENGE)
}

/** For unknown accounts, wrong passwords, wrong codes, delayed and locked accounts alike. */
export function invalidCredentials(): never {
  reject('unauthenticated', 'Invalid credentials', 'INVALID_CREDENTIALS', CHALLENGE)
}

/** The one exception: the caller has proved the password (security.md 2.1). */
export function secondFactorRequired(): never {
  reject('unauthenticated', 'Second factor required', 'TOTP_REQUIRED', CHALLENGE)
}
