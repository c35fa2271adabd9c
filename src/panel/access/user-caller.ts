/**
 * Authenticates a session. The session and its account are read on every request, so that ending either
 * applies at once.
 */
import { liveSessionBy } from '#kernel/auth/live-session'
import { invalidSession } from '#kernel/auth/rejections'
import { sessionTokens } from '#kernel/auth/session-tokens'
import type { AccessTokenKind } from '#kernel/auth/session-tokens'
import type { LastUseRecorder } from '#kernel/credentials/last-uses'
import type { RequestHead, Caller } from '#kernel/http/route'
import { lookup } from '#kernel/projections/lookup'
import type { ReadDatabase } from '#kernel/projections/read-database'
import type { Vault } from '#kernel/vault/vault'
import { userSessionTable } from '#projections/panel/auth'
import type { UserSessionRow } from '#projections/panel/auth'
import { adminRoleTable } from '#projections/panel/roles'
import { userTable } from '#projections/panel/users'
import type { UserRow } from '#projections/panel/users'
import { USER } from './access.ts'
import { platformPermissions } from './permissions.ts'
import type { PlatformPermission, PlatformRole } from './permissions.ts'

export const USER_TOKENS: AccessTokenKind = { audience: 'daybook-panel', seed: 'user-sessions' }

export interface UserCaller extends Caller {
  readonly kind: typeof USER
  readonly userId: string
  /** Id of the session. */
  readonly sid: string
  readonly role: PlatformRole
  readonly permissions: readonly PlatformPermission[]
}

export interface UserCallerDependencies {
  readonly read: ReadDatabase
  readonly vault: Vault
  readonly baseUrl: string
  /** Records every accepted call; absent if last uses are not recorded. */
  readonly uses?: { readonly sessions: LastUseRecorder }
}

/** @throws Rejection 401 `Invalid or expired session`, whatever is wrong with the token, its session or its account */
export async function userCaller(
  token: string,
  { now }: RequestHead,
  parts: UserCallerDependencies,
): Promise<UserCaller> {
  const claims = await (await sessionTokens(parts, USER_TOKENS)).verify(token, now)
  const session = claims && (await findLiveSession(parts.read, claims.sid, now))
  return session?.userId === claims?.sub && session
    ? callerOfSession(session, now, parts.uses?.sessions)
    : invalidSession()
}

export function callerOfSession(session: LiveSession, now: Date, uses?: LastUseRecorder): UserCaller {
  const { id, userId, role } = session
  const permissions = platformPermissions(role, [...session.permissions, ...(session.rolePermissions ?? [])])
  const held = new Set<string>(permissions)
  return {
    kind: USER,
    actor: { type: 'USER', id: userId },
    can: (permission) => held.has(permission),
    forbiddenMessage: 'This endpoint is not available to sessions.',
    onAdmitted: () => uses?.note(id, now),
    userId,
    sid: id,
    role,
    permissions,
  }
}

/** The caller of a route that accepts only sessions. */
export function userCallerOf(caller: Caller): UserCaller {
  if (caller.kind !== USER)
    throw new Error(`Expected a session, got a ${caller.kind} caller: the route accepts more kinds than its handler`)
  return caller as UserCaller
}

export interface LiveSession extends Pick<UserSessionRow, 'id' | 'userId'>, Pick<UserRow, 'role' | 'permissions'> {
  /** Permissions of the admin role; null if the account has no admin role or the role was deleted. */
  readonly rolePermissions: readonly string[] | null
}

export const findLiveSession = liveSessionBy(
  lookup(userSessionTable, ['id'], (sessions) =>
    sessions
      .innerJoin(userTable.as('account'), 'account.id', 'userSessions.userId')
      .leftJoin(adminRoleTable.as('adminRole'), 'adminRole.id', 'account.adminRoleId')
      .where('account.status', '=', 'ACTIVE')
      .select(['userSessions.id', 'userId', 'expiresAt', 'account.role', 'account.permissions'])
      .select('adminRole.permissions as rolePermissions'),
  ),
)
