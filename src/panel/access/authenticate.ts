/** Whose credential a request of the panel carries. */
import type { Authenticate } from '#kernel/http/route'
import { neededToken } from '#kernel/credentials/bearer-token'
import { KEY_PREFIX, keyCaller } from './key-caller.ts'
import type { KeyCallerParts } from './key-caller.ts'
import { userCaller } from './user-caller.ts'
import type { UserCallerParts } from './user-caller.ts'

export type AuthenticateParts = UserCallerParts & KeyCallerParts

/** An API key by its prefix; everything else, misspelled headers included, is judged as a session. */
export const authenticate =
  (parts: AuthenticateParts): Authenticate =>
  async (arrival) => {
    const credential = neededToken(arrival.authorization)
    if (credential === undefined) return undefined
    return credential.startsWith(KEY_PREFIX)
      ? keyCaller(credential, arrival, parts)
      : userCaller(credential, arrival, parts)
  }
