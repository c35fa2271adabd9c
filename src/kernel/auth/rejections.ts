/** The few things that are said to whoever is not let in. One text for many causes, so that nothing can be told apart. */
import { reject } from '../lib/rejection.ts'

/** RFC 9110, 11.6.1: a 401 carries a challenge. */
const CHALLENGE = { 'WWW-Authenticate': 'Bearer' }

/** Unknown, ended, expired and foreign sessions alike. */
export function invalidSession(): never {
  reject('unauthenticated', 'Invalid or expired session', 'SESSION_INVALID', CHALLENGE)
}

/** Unknown accounts, wrong passwords, wrong codes, delayed and locked accounts alike. */
export function invalidCredentials(): never {
  reject('unauthenticated', 'Invalid credentials', 'INVALID_CREDENTIALS', CHALLENGE)
}

/** The one exception, said to somebody who knows the password (security.md 2.1). */
export function secondFactorRequired(): never {
  reject('unauthenticated', 'Second factor required', 'TOTP_REQUIRED', CHALLENGE)
}
