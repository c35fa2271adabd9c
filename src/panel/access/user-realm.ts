/** Sign-in realm of the panel's accounts. */
import type { RealmAccount, Realm } from '#kernel/auth/realm'
import { realmDecisions } from '#kernel/auth/realm-decisions'
import { refreshScope } from '#kernel/auth/session-events'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { userSessions } from '../auth/decider.ts'
import { userLoginEvents } from '../auth/events.ts'
import type { UserSessionEndReason } from '../auth/events.ts'
import { adminRoles } from '../roles/resource.ts'
import { users } from '../users/decider.ts'
import type { User } from '../users/decider.ts'
import { userRealmNames } from '../users/events.ts'
import { platformPermissions } from './permissions.ts'
import { USER_TOKENS, userCaller, userCallerOf } from './user-caller.ts'

const NOBODY = 'nobody'

export type SignInUser = User & RealmAccount

/** Undefined unless the account is active and has a password. */
async function signInUser(unit: UnitOfWork, userId: string): Promise<SignInUser | undefined> {
  const user = await unit.load(users, userId)
  if (user?.status !== 'ACTIVE' || user.passwordHash === undefined) return undefined
  return { ...user, passwordHash: user.passwordHash }
}

/** The permissions include those of the admin role. */
async function member(unit: UnitOfWork, userId: string): Promise<SignInUser | undefined> {
  const user = await signInUser(unit, userId)
  if (!user?.adminRoleId) return user
  const role = (await unit.look(adminRoles)).find(({ id }) => id === user.adminRoleId)
  return { ...user, permissions: [...user.permissions, ...(role?.permissions ?? [])] }
}

export const userProfile = ({ id, email, name, role, status, permissions, createdAt, totp }: User) => ({
  id,
  email,
  name,
  role,
  status,
  permissions: [...platformPermissions(role, permissions)],
  totpEnabled: totp !== undefined,
  createdAt,
})

const decisions = realmDecisions(users, userSessions, (unit, userId, reason) =>
  unit.appendEvent(userLoginEvents, userId, userLoginEvents.UserLoginFailed({ userId, reason })),
)

export const userRealm: Realm<SignInUser, ReturnType<typeof userProfile>> = {
  actorType: 'USER',
  authPath: '/api/auth',
  cookies: { refresh: 'daybook_panel_refresh', device: 'daybook_panel_device' },
  refresh: {
    constraintScope: refreshScope(userRealmNames),
    key: 'user-refresh',
  },
  tokens: USER_TOKENS,
  counterPrefix: 'panel/',
  accountByEmailKey: async (unit, emailKey) => signInUser(unit, (await unit.holderOf('userEmail', emailKey)) ?? NOBODY),
  account: member,
  sessions: (unit, userId) => unit.load(userSessions, userId),
  caller: userCaller,
  sessionIdentityOf(caller) {
    const { userId, sid } = userCallerOf(caller)
    return { accountId: userId, sessionId: sid }
  },
  profile: userProfile,
  decide: {
    ...decisions,
    async refresh(unit, held, tokens) {
      const decided = await unit.decide(userSessions, held.accountId, 'RefreshSession', { ...held, ...tokens })
      if (decided.length === 0)
        unit.appendEvent(
          userLoginEvents,
          held.accountId,
          userLoginEvents.UserSessionRefreshRepeated(userRealmNames.ofSession(held)),
        )
    },
  },
}

/**
 * Call it in the unit of work that removes an account's rights. The gate refuses the account from then
 * on even without it.
 */
export const endUserSessions = (unit: UnitOfWork, userId: string, reason: UserSessionEndReason) =>
  unit.decide(userSessions, userId, 'EndAllSessions', { reason })
