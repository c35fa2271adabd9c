/**
 * The one gate. Every route passes it before anything else of the request is read, in one fixed order: who are you, is this
 * open to your kind, do you hold the scope, may your kind ever, do you hold the permission. Public routes look at no credential.
 */
import { Rejection, reject } from '../lib/rejection.ts'
import { FailureLimit } from './limits/failure-limit.ts'
import type { FailureLimitOptions } from './limits/failure-limit.ts'
import type { Access, RequestHead, Authenticate, Caller } from './route.ts'

const BEARER = { 'WWW-Authenticate': 'Bearer' }

/** A way to say who one is. */
export interface AuthenticationScheme {
  readonly authenticate: Authenticate
  /** What a caller is recognised by before he is known: who was accepted under it is not held up by the failures of his neighbours. */
  credential(arrival: RequestHead): string
  /** What a 401 asks for (RFC 9110, 11.6.1), and whatever else belongs to it. */
  readonly challenge: Readonly<Record<string, string>>
  readonly failures?: FailureLimitOptions
}

export interface Gate {
  /** Whether there is the way in that a route's callers come by. */
  hasSchemeFor(access: Access): boolean
  /**
   * The caller, or undefined on a public route; `seen` hears of him even when he may not enter.
   * @throws Rejection 401 | 403 | 429
   */
  authorize(access: Access, arrival: RequestHead, seen?: (caller: Caller) => void): Promise<Caller | undefined>
  /** Whoever's credential is accepted; undefined for everybody else. */
  identify(arrival: RequestHead): Promise<Caller | undefined>
}

/** @param others the ways in besides the header Authorization, by the names that routes call them by */
export function gate(
  authenticate: Authenticate,
  failures: FailureLimitOptions = {},
  others: Readonly<Record<string, AuthenticationScheme>> = {},
): Gate {
  const bearer = withFailureLimit({
    authenticate,
    credential: ({ authorization }) => authorization.join('\n'),
    challenge: BEARER,
    failures,
  })
  const ways = new Map(Object.entries(others).map(([name, way]) => [name, withFailureLimit(way)]))
  const leading = ({ scheme }: Access) => (scheme === undefined ? bearer : ways.get(scheme))

  return {
    hasSchemeFor: (access) => leading(access) !== undefined,
    async authorize(access, arrival, seen) {
      if (access.kinds.length === 0) return undefined
      const caller = await leading(access)!(arrival)
      seen?.(caller)
      checkAccess(caller, access)
      caller.onAdmitted?.()
      return caller
    },
    async identify(arrival) {
      try {
        return await bearer(arrival)
      } catch (error) {
        if (error instanceof Rejection && error.statusCode < 500) return undefined
        throw error
      }
    },
  }
}

function withFailureLimit(way: AuthenticationScheme): (arrival: RequestHead) => Promise<Caller> {
  const limit = new FailureLimit(way.failures)
  return async (arrival) => {
    const credential = way.credential(arrival)
    const caller = await limit.guard(
      arrival.ip,
      credential,
      async () => (await authenticateWithChallenge(way, arrival)) ?? rejectUnauthenticated(way),
    )
    limit.accept(credential)
    return caller
  }
}

function rejectUnauthenticated({ challenge }: AuthenticationScheme): never {
  reject('unauthenticated', 'Authentication required', 'AUTHENTICATION_REQUIRED', { ...challenge })
}

/** RFC 9110, 11.6.1: a 401 carries a challenge, whoever refused. */
async function authenticateWithChallenge(
  { authenticate, challenge }: AuthenticationScheme,
  arrival: RequestHead,
): Promise<Caller | undefined> {
  try {
    return await authenticate(arrival)
  } catch (error) {
    if (!(error instanceof Rejection && error.statusCode === 401)) throw error
    const refusal = new Rejection('unauthenticated', error.message, error.code, { ...challenge, ...error.headers })
    if (error.cause !== undefined) refusal.cause = error.cause
    throw refusal
  }
}

function checkAccess(caller: Caller, { kinds, permission, scope }: Access): void {
  const isOpen = kinds.includes(caller.kind) && (caller.scopes === undefined || scope !== undefined)
  if (!isOpen) reject('forbidden', caller.forbiddenMessage, 'NOT_OPEN')
  if (scope !== undefined && caller.scopes?.has(scope) === false)
    reject('forbidden', `Missing scope ${scope}`, 'SCOPE_MISSING')
  if (permission === undefined) return
  const banned = caller.permissionBan?.(permission)
  if (banned !== undefined) reject('forbidden', banned, 'PERMISSION_BANNED')
  if (!caller.can(permission)) reject('forbidden', `Missing permission ${permission}`, 'PERMISSION_MISSING')
}
