/** Whose credential a request of the panel carries. */
import type { Authenticate } from '#kernel/http/route'
import { bearerToken } from '#kernel/identity/bearer'
import { userCaller } from './user-caller.ts'
import type { UserCallerParts } from './user-caller.ts'

export type AuthenticateParts = UserCallerParts

export const authenticate =
  (parts: AuthenticateParts): Authenticate =>
  async (arrival) => {
    const credential = bearerToken(arrival.authorization)
    return credential === undefined ? undefined : userCaller(credential, arrival, parts)
  }
