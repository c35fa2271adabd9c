/**
 * A member of staff with a session. The session is read on every request, so ending it takes effect
 * at once.
 */
import { liveSessionBy } from '#kernel/auth/live-session'
import { requireFreshProof } from '#kernel/auth/recent-proof'
import { invalidSession } from '#kernel/auth/rejections'
import { sessionTokens } from '#kernel/auth/session-tokens'
import type { AccessTokenKind } from '#kernel/auth/session-tokens'
import type { LastUseRecorder } from '#kernel/credentials/last-uses'
import type { RequestHead, Caller } from '#kernel/http/route'
import { lookup } from '#kernel/projections/lookup'
import type { ReadDatabase } from '#kernel/projections/read-database'
import type { Vault } from '#kernel/vault/vault'
import { staffSessionTable } from '#projections/licensing/auth'
import type { StaffSessionRow } from '#projections/licensing/auth'
import { isSettingOn } from '#projections/licensing/settings'
import { staffTable } from '#projections/licensing/staff'
import type { StaffRow } from '#projections/licensing/staff'
import { STAFF } from './access.ts'
import { permissionsOf, ROLES } from './permissions.ts'
import type { Permission, Role } from './permissions.ts'

export const STAFF_AUTH_PATH = '/api/admin/auth'
const FACTOR_FIRST = `Set up a second factor first: POST ${STAFF_AUTH_PATH}/2fa/setup`

export const STAFF_TOKENS: AccessTokenKind = { audience: 'daybook-licensing-admin', seed: 'staff-sessions' }

export interface StaffCaller extends Caller {
  readonly kind: typeof STAFF
  readonly staffId: string
  /** The session's id. */
  readonly sid: string
  /** Those that the session may use now: none while the account has to set up a second factor first. */
  readonly permissions: readonly Permission[]
}

export interface StaffCallerDependencies {
  readonly read: ReadDatabase
  readonly vault: Vault
  readonly baseUrl: string
  /** Records every accepted call; absent if last uses are not recorded. */
  readonly uses?: { readonly sessions: LastUseRecorder }
}

/**
 * @throws Rejection 401 `Invalid or expired session`, for every fault of the token or the session
 */
export async function staffCaller(
  token: string,
  { now }: RequestHead,
  parts: StaffCallerDependencies,
): Promise<StaffCaller> {
  const claims = await (await sessionTokens(parts, STAFF_TOKENS)).verify(token, now)
  const session = claims && (await findLiveSession(parts.read, claims.sid, now))
  if (!session || session.staffId !== claims.sub) return invalidSession()
  return callerOfSession(session, now, parts.uses?.sessions)
}

export function callerOfSession(session: LiveSession, now: Date, uses?: LastUseRecorder): StaffCaller {
  const { id, staffId, roles, totpEnabled, isFactorRequired } = session
  const isFactorDue = isSecondFactorDue(isFactorRequired, totpEnabled)
  const permissions = isFactorDue ? [] : permissionsOfKnownRoles(roles)
  const held = new Set<string>(permissions)
  return {
    kind: STAFF,
    actor: { type: 'STAFF', id: staffId },
    can: (permission) => held.has(permission),
    forbiddenMessage: 'This endpoint is not available to staff sessions.',
    permissionBan: () => (isFactorDue ? FACTOR_FIRST : undefined),
    onAdmitted: () => uses?.note(id, now),
    staffId,
    sid: id,
    permissions,
    requireRecentProof: () => requireFreshProof(provedAt(session), now, STAFF_AUTH_PATH),
  }
}

/** Until the account has a second factor, it may only set one up. */
export const isSecondFactorDue = (isRequired: boolean, isEnabled: boolean): boolean => isRequired && !isEnabled

/** The caller of a route that only staff may call. */
export function staffOf(caller: Caller): StaffCaller {
  if (caller.kind !== STAFF)
    throw new Error(`Expected staff, got ${caller.kind}: use staffOf only on routes with access staff()`)
  return caller as StaffCaller
}

/** A role that a later release has removed grants nothing. */
export const permissionsOfKnownRoles = (roles: readonly string[]): Permission[] =>
  permissionsOf(roles.filter((role): role is Role => Object.hasOwn(ROLES, role)))

/**
 * When a session last proved its identity: by POST /api/admin/auth/step-up with a code if the account has a second
 * factor, with the password otherwise. Without a second factor, signing in is such a proof.
 */
function provedAt({ steppedUpAt, createdAt, totpEnabled }: LiveSession): Date | undefined {
  const at = totpEnabled ? steppedUpAt : (steppedUpAt ?? createdAt)
  return at === null ? undefined : new Date(at)
}

export type LiveSession = Pick<StaffSessionRow, 'id' | 'staffId' | 'createdAt' | 'steppedUpAt'> &
  Pick<StaffRow, 'roles' | 'totpEnabled'> & { readonly isFactorRequired: boolean }

export const findLiveSession = liveSessionBy(
  lookup(staffSessionTable, ['id'], (sessions) =>
    sessions
      .innerJoin(staffTable.as('staff'), 'staff.id', 'staffSessions.staffId')
      .where('staff.status', '<>', 'REMOVED')
      .select(['staffSessions.id', 'staffId', 'staffSessions.createdAt', 'expiresAt', 'steppedUpAt'])
      .select(['staff.roles', 'staff.totpEnabled', isSettingOn('requireSecondFactor').as('isFactorRequired')]),
  ),
)
