/** Determines the caller from the credential of a request. */
import { requireBearerToken } from '#kernel/credentials/bearer-token'
import type { Authenticate } from '#kernel/http/route'
import { KEY_PREFIX, keyCaller } from './key-caller.ts'
import type { KeyCallerDependencies } from './key-caller.ts'
import { userCaller } from './user-caller.ts'
import type { UserCallerDependencies } from './user-caller.ts'

export type AuthenticateDependencies = UserCallerDependencies & KeyCallerDependencies

/** A credential with the key prefix is an API key. Every other one, even malformed, is checked as a session. */
export const authenticate =
  (parts: AuthenticateDependencies): Authenticate =>
  async (arrival) => {
    const credential = requireBearerToken(arrival.authorization)
    if (credential === undefined) return undefined
    return credential.startsWith(KEY_PREFIX)
      ? keyCaller(credential, arrival, parts)
      : userCaller(credential, arrival, parts)
  }
