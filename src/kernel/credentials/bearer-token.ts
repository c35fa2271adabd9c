/** Credentials travel in exactly one place: one Authorization header of the scheme Bearer (RFC 6750, 2.1). */

import { reject } from '../lib/rejection.ts'

const BEARER = /^Bearer ([A-Za-z0-9._~+/=-]{1,4096})$/i

/**
 * `headers` are all Authorization values of the request, one per header line.
 * Returns the token, undefined when there is no header, and 'malformed' for everything else: several headers, another
 * scheme, other characters. (A token spelled "malformed" is no credential of ours either.)
 */
export function bearerToken(headers: readonly string[]): string | undefined {
  const [only, ...others] = headers
  if (only === undefined) return undefined
  if (others.length > 0) return 'malformed'
  return BEARER.exec(only)?.[1] ?? 'malformed'
}

/**
 * The token of a request that has to have one, as `bearerToken`.
 * @throws Rejection 401 for `null` and `undefined`, which a client sends that has no token and does not know it
 */
export function requireBearerToken(headers: readonly string[]): string | undefined {
  const token = bearerToken(headers)
  if (token === 'null' || token === 'undefined')
    reject(
      'unauthenticated',
      `Authentication required: the client sent the word “${token}” in place of a token`,
      'AUTHENTICATION_REQUIRED',
    )
  return token
}
