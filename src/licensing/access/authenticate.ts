/** Authenticates a bearer credential: a staff session, a customer session or a machine token. */
import { hasAudience } from '#kernel/auth/session-tokens'
import { requireBearerToken } from '#kernel/credentials/bearer-token'
import type { Authenticate } from '#kernel/http/route'
import { CUSTOMER_TOKENS, customerCaller } from './customer-caller.ts'
import { staffCaller } from './staff-caller.ts'
import type { StaffCallerDependencies } from './staff-caller.ts'
import { tokenCaller } from './token-caller.ts'
import type { TokenCallerDependencies } from './token-caller.ts'

export type AuthenticateDependencies = StaffCallerDependencies & TokenCallerDependencies

/**
 * Three parts between dots are a session's JWT. Everything else, malformed headers included, is
 * handled as a machine token.
 */
export const authenticate =
  (parts: AuthenticateDependencies): Authenticate =>
  async (arrival) => {
    const credential = requireBearerToken(arrival.authorization)
    if (credential === undefined) return undefined
    if (credential.split('.').length !== 3) return tokenCaller(credential, arrival, parts)
    return hasAudience(credential, CUSTOMER_TOKENS)
      ? customerCaller(credential, arrival, parts)
      : staffCaller(credential, arrival, parts)
  }
