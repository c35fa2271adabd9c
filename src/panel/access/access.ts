/** Access by a session, an API key with a scope, or a token for event streams. Projects: `project-access.ts`. */
import { requiring } from '#kernel/http/requirement'
import type { Access, AccessRuleInput } from '#kernel/http/route'
import { reject } from '#kernel/lib/rejection'
import type { PlatformPermission, PlatformRole } from './permissions.ts'

export const USER = 'user'
export const KEY = 'key'
export const SSE = 'sse'

/** Any session: for the account's own data, and for routes with a rule of their own. */
export const session: Access = { kinds: [USER] }

/** Event streams: a single-use token or a session. */
export const sseAccess: Access = { kinds: [USER], scheme: SSE }

/** A session that holds the platform permission. */
export const platform = (permission: PlatformPermission): Access => ({ kinds: [USER], permission })

const ofRole = (...roles: readonly PlatformRole[]) =>
  requiring(
    `the role ${roles.join(' or ')}`,
    ({ caller }: AccessRuleInput) => {
      const { role } = caller as typeof caller & { readonly role?: PlatformRole }
      if (role === undefined || !roles.includes(role))
        reject('forbidden', `Requires the role ${roles.join(' or ')}`, 'ROLE_MISSING')
    },
    roles.map((role) => `role:${role}`),
  )

/** Session of a SUPERADMIN: for what no permission can grant. */
export const superadmin: Access = { kinds: [USER], rule: ofRole('SUPERADMIN') }
/** Session of any ADMIN or SUPERADMIN, whatever its permissions are. */
export const anyAdmin: Access = { kinds: [USER], rule: ofRole('ADMIN', 'SUPERADMIN') }

/** A session, or a key that holds the scope. */
export const sessionOrKey = (scope: string): Access => ({ kinds: [USER, KEY], scope })
