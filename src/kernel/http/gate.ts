/**
 * The one gate. Every route passes it before anything else of the request is read, in one fixed order: who are you, is this
 * open to your kind, may your kind ever, do you hold the permission. Public routes look at no credential.
 */
import { Rejection, reject } from '../rejection.ts'
import { FailureLimit } from './failure-limit.ts'
import type { FailureLimitOptions } from './failure-limit.ts'
import type { Access, Arrival, Authenticate, Caller } from './route.ts'

const CHALLENGE = { 'WWW-Authenticate': 'Bearer' }

export interface Gate {
  /**
   * The caller, or undefined on a public route; `seen` hears of him even when he may not enter.
   * @throws Rejection 401 | 403 | 429
   */
  enter(access: Access, arrival: Arrival, seen?: (caller: Caller) => void): Promise<Caller | undefined>
  /** Whoever's credential is accepted; undefined for everybody else. */
  identify(arrival: Arrival): Promise<Caller | undefined>
}

export function gate(authenticate: Authenticate, failures: FailureLimitOptions = {}): Gate {
  const limit = new FailureLimit(failures)

  async function accepted(arrival: Arrival): Promise<Caller> {
    const credential = arrival.authorization.join('\n')
    const caller = await limit.guard(
      arrival.ip,
      credential,
      async () => (await identified(authenticate, arrival)) ?? none(),
    )
    limit.accept(credential)
    return caller
  }

  return {
    async enter(access, arrival, seen) {
      if (access.kinds.length === 0) return undefined
      const caller = await accepted(arrival)
      seen?.(caller)
      admit(caller, access)
      caller.admitted?.()
      return caller
    },
    async identify(arrival) {
      try {
        return await accepted(arrival)
      } catch (error) {
        if (error instanceof Rejection && error.statusCode < 500) return undefined
        throw error
      }
    },
  }
}

function none(): never {
  reject('unauthenticated', 'Authentication required', 'AUTHENTICATION_REQUIRED', CHALLENGE)
}

/** RFC 9110, 11.6.1: a 401 carries a challenge, whoever refused. */
async function identified(authenticate: Authenticate, arrival: Arrival): Promise<Caller | undefined> {
  try {
    return await authenticate(arrival)
  } catch (error) {
    if (!(error instanceof Rejection && error.statusCode === 401)) throw error
    throw new Rejection('unauthenticated', error.message, error.code, { ...CHALLENGE, ...error.headers })
  }
}

function admit(caller: Caller, { kinds, permission }: Access): void {
  if (!kinds.includes(caller.kind)) reject('forbidden', caller.notOpen, 'NOT_OPEN')
  if (permission === undefined) return
  const banned = caller.never?.(permission)
  if (banned !== undefined) reject('forbidden', banned, 'PERMISSION_BANNED')
  if (!caller.can(permission)) reject('forbidden', `Missing permission ${permission}`, 'PERMISSION_MISSING')
}
