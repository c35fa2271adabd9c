/**
 * Authenticates and authorizes every request before its path, query and body are read. The order is
 * fixed: credential, kind of caller, scope, permission bans of the kind, permission. A public route
 * ignores credentials.
 */
import { Rejection, reject } from '../lib/rejection.ts'
import { FailureLimit } from './limits/failure-limit.ts'
import type { FailureLimitOptions } from './limits/failure-limit.ts'
import type { Access, RequestHead, Authenticate, Caller } from './route.ts'

const BEARER = { 'WWW-Authenticate': 'Bearer' }

/** One way to authenticate, for example the Authorization header or a cookie. */
export interface AuthenticationScheme {
  readonly authenticate: Authenticate
  /**
   * Identifies a credential before it is verified. One that was accepted earlier bypasses the failure
   * limit of its address.
   */
  credential(arrival: RequestHead): string
  /** The headers of a 401: the challenge (RFC 9110, 11.6.1) and any others of this scheme. */
  readonly challenge: Readonly<Record<string, string>>
  readonly failures?: FailureLimitOptions
}

export interface Gate {
  /** Whether the scheme that the route names is configured. */
  hasSchemeFor(access: Access): boolean
  /**
   * @param seen is told the caller even if access is then denied
   * @returns the caller; undefined on a public route
   * @throws Rejection 401 | 403 | 429
   */
  authorize(access: Access, arrival: RequestHead, seen?: (caller: Caller) => void): Promise<Caller | undefined>
  /** The caller of an accepted credential; undefined if it is missing or rejected. */
  identify(arrival: RequestHead): Promise<Caller | undefined>
}

/** @param others the schemes besides the Authorization header, by the names that routes use */
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
  reject('unauthenticated', 'Authentication required', 'AUTHENTICATION_REQUIRED', {
    ...challenge,
  })
}

/** RFC 9110, 11.6.1: every 401 carries a challenge, including one that `authenticate` throws. */
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
  if (permission !== undefined) requirePermission(caller, permission)
}

/**
 * For a route whose input decides which permission it needs.
 * @throws Rejection 403
 */
export function requirePermission(caller: Caller, permission: string): void {
  const banned = caller.permissionBan?.(permission)
  if (banned !== undefined) reject('forbidden', banned, 'PERMISSION_BANNED')
  if (!caller.can(permission)) reject('forbidden', `Missing permission ${permission}`, 'PERMISSION_MISSING')
}
