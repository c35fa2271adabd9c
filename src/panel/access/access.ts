/**
 * The ways into the panel: a session, an API key where a route declares a scope, a token for the event streams. What is asked
 * about a project stands in `project-access.ts`.
 */
import type { Access, AccessRuleInput } from '#kernel/http/route'
import { reject } from '#kernel/lib/rejection'
import type { PlatformPermission, PlatformRole } from './permissions.ts'

export const USER = 'user'
export const KEY = 'key'
export const SSE = 'sse'

/** A session of anybody, for what is his own or decided by a rule. */
export const session: Access = { kinds: [USER] }

/** Into an event stream: a token that is good once, or a session. */
export const sseAccess: Access = { kinds: [USER], scheme: SSE }

/** A session that holds the platform permission. */
export const platform = (permission: PlatformPermission): Access => ({ kinds: [USER], permission })

const ofRole =
  (...roles: readonly PlatformRole[]) =>
  ({ caller }: AccessRuleInput) => {
    const { role } = caller as typeof caller & { readonly role?: PlatformRole }
    if (role === undefined || !roles.includes(role))
      reject('forbidden', `Only for the role ${roles.join(' or ')}`, 'ROLE_MISSING')
  }

/** Session of a SUPERADMIN: what no permission stands for. */
export const superadmin: Access = { kinds: [USER], rule: ofRole('SUPERADMIN') }
/** Session of any ADMIN or SUPERADMIN, whatever he was granted. */
export const anyAdmin: Access = { kinds: [USER], rule: ofRole('ADMIN', 'SUPERADMIN') }

/** A session, or a key that holds the scope. */
export const sessionOrKey = (scope: string): Access => ({ kinds: [USER, KEY], scope })
