/**
 * Reads bearer credentials, which are accepted only in one Authorization header of the scheme Bearer
 * (RFC 6750, 2.1).
 */

import { reject } from '../lib/rejection.ts'

const BEARER = /^Bearer ([A-Za-z0-9._~+/=-]{1,4096})$/i

/**
 * @param headers all Authorization values of the request, one per header line
 * @returns the token · undefined without a header · 'malformed' otherwise: several headers, another
 * scheme, other characters (no valid credential is spelled "malformed")
 */
export function bearerToken(headers: readonly string[]): string | undefined {
  const [only, ...others] = headers
  if (only === undefined) return undefined
  if (others.length > 0) return 'malformed'
  return BEARER.exec(only)?.[1] ?? 'malformed'
}

/**
 * As `bearerToken`.
 * @throws Rejection 401 for `null` and `undefined`, which clients send by mistake if they have no token
 */
export function requireBearerToken(headers: readonly string[]): string | undefined {
  const token = bearerToken(headers)
  if (token === 'null' || token === 'undefined')
    reject(
      'unauthenticated',
      `Authentication required: the client sent the word “${token}” instead of a token`,
      'AUTHENTICATION_REQUIRED',
    )
  return token
}
