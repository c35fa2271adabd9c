/** Whose credential a request carries: a staff session's, a customer session's or a machine token's. */
import type { Authenticate } from '#kernel/http/route'
import { neededToken } from '#kernel/credentials/bearer-token'
import { claimsToBe } from '#kernel/auth/session-tokens'
import { CUSTOMER_TOKENS, customerCaller } from './customer-caller.ts'
import { staffCaller } from './staff-caller.ts'
import type { StaffCallerParts } from './staff-caller.ts'
import { tokenCaller } from './token-caller.ts'
import type { TokenCallerParts } from './token-caller.ts'

export type AuthenticateParts = StaffCallerParts & TokenCallerParts

/** Three parts between dots are a session's JWT; everything else, misspelled headers included, is judged as a machine token. */
export const authenticate =
  (parts: AuthenticateParts): Authenticate =>
  async (arrival) => {
    const credential = neededToken(arrival.authorization)
    if (credential === undefined) return undefined
    if (credential.split('.').length !== 3) return tokenCaller(credential, arrival, parts)
    return claimsToBe(credential, CUSTOMER_TOKENS)
      ? customerCaller(credential, arrival, parts)
      : staffCaller(credential, arrival, parts)
  }
