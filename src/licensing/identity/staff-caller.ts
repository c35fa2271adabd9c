/** Somebody of the staff with a session. The session is looked up on every request, so its end holds at once. */
import type { Kysely, SelectQueryBuilder } from 'kysely'
import type { Arrival, Caller } from '#kernel/http/route'
import { reject } from '#kernel/rejection'
import type { LastUses } from '#kernel/identity/last-uses'
import { invalidSession } from '#kernel/realm/refusals'
import { sessionTokens } from '#kernel/realm/session-tokens'
import type { TokenKind } from '#kernel/realm/session-tokens'
import type { Vault } from '#kernel/vault'
import type { StaffRow } from '#projections/licensing/staff'
import { staffSessionTable } from '#projections/licensing/auth'
import type { StaffSessionRow } from '#projections/licensing/auth'
import { isSet } from '#projections/licensing/settings'
import { STAFF } from './access.ts'
import { permissionsOf, ROLES } from './permissions.ts'
import type { Permission, Role } from './permissions.ts'

const FACTOR_FIRST = 'Set up a second factor first: POST /api/admin/auth/2fa/setup'
const STEP_UP_MS = 5 * 60_000

export const STAFF_TOKENS: TokenKind = { audience: 'daybook-licensing-admin', seed: 'staff-sessions' }

export interface StaffCaller extends Caller {
  readonly kind: typeof STAFF
  readonly staffId: string
  /** The session's id. */
  readonly sid: string
  readonly totpEnabled: boolean
  /** When this session last proved the second factor by step-up. */
  readonly steppedUpAt: Date | undefined
}

export interface StaffCallerParts {
  readonly read: Kysely<any>
  readonly vault: Vault
  readonly baseUrl: string
  /** Told of every accepted call; absent where nobody asks for last uses. */
  readonly uses?: { readonly sessions: LastUses }
}

/** @throws Rejection 401 `Invalid or expired session`, whatever is wrong with the token or its session */
export async function staffCaller(token: string, { now }: Arrival, parts: StaffCallerParts): Promise<StaffCaller> {
  const claims = await (await sessionTokens(parts, STAFF_TOKENS)).verify(token, now)
  const session = claims && (await liveSession(parts.read, claims.sid, now))
  if (!session || session.staffId !== claims.sub) return invalidSession()
  const held = new Set<string>(permissionsHeld(session.roles))
  const lacksFactor = session.isFactorRequired && !session.totpEnabled
  return {
    kind: STAFF,
    actor: { type: 'STAFF', id: session.staffId },
    can: (permission) => held.has(permission),
    notOpen: 'This endpoint is not available to staff sessions.',
    never: () => (lacksFactor ? FACTOR_FIRST : undefined),
    admitted: () => parts.uses?.sessions.note(session.id, now),
    staffId: session.staffId,
    sid: session.id,
    totpEnabled: session.totpEnabled,
    steppedUpAt: session.steppedUpAt === null ? undefined : new Date(session.steppedUpAt),
  }
}

/** The caller of a route that only staff may call. */
export function staffOf(caller: Caller): StaffCaller {
  if (caller.kind !== STAFF) throw new Error(`A ${caller.kind} is not staff: this route is open to more than staff()`)
  return caller as StaffCaller
}

/** A role that a later release has dropped grants nothing. */
export const permissionsHeld = (roles: readonly string[]): Permission[] =>
  permissionsOf(roles.filter((role): role is Role => Object.hasOwn(ROLES, role)))

/**
 * Asks accounts with a second factor for a code not older than five minutes, given by POST /api/admin/auth/step-up in this
 * session; others pass (licensing.md 11).
 * @throws Rejection 403 STEP_UP_REQUIRED
 */
export function requireStepUp(caller: Caller, now: Date): void {
  const { totpEnabled, steppedUpAt } = staffOf(caller)
  if (!totpEnabled) return
  if (steppedUpAt && now.getTime() - steppedUpAt.getTime() <= STEP_UP_MS) return
  reject(
    'forbidden',
    'A code of the last five minutes is needed: POST /api/admin/auth/step-up, then try again',
    'STEP_UP_REQUIRED',
  )
}

type LiveSession = Pick<StaffSessionRow, 'id' | 'staffId' | 'steppedUpAt'> &
  Pick<StaffRow, 'roles' | 'totpEnabled'> & { readonly isFactorRequired: boolean }

const LIVE_COLUMNS = ['staffSessions.id', 'staffId', 'steppedUpAt', 'staff.roles', 'staff.totpEnabled']

function liveSession(read: Kysely<any>, sid: string, now: Date): Promise<LiveSession | undefined> {
  const rows: SelectQueryBuilder<any, any, any> = staffSessionTable.in(read)
  return rows
    .innerJoin('read.staff as staff', 'staff.id', 'staffSessions.staffId')
    .where('staffSessions.id', '=', sid)
    .where('expiresAt', '>', now.toISOString())
    .where('staff.status', '<>', 'REMOVED')
    .select([...LIVE_COLUMNS, isSet('requireSecondFactor').as('isFactorRequired')])
    .executeTakeFirst() as Promise<LiveSession | undefined>
}
