/** Erases an account: all that depends on it ends in one append, and then its data keys are destroyed. */
import { liftLocks } from '#kernel/auth/verify-credentials'
import type { HandlerContext } from '#kernel/http/route'
import { apiKeySubjects } from '#projections/panel/users'
import { loadAccount, runAsCaller } from '../access/accounts.ts'
import { endUserSessions, userRealm } from '../access/user-realm.ts'
import { forgetAvatars } from '../users/avatars.ts'
import { userRoster, users } from '../users/decider.ts'
import { erasedSubjects } from '../users/events.ts'
import { revokeKeysOf } from './api-keys.ts'
import { leaveProjects } from './project-memberships.ts'
import { leaveTeams } from './team-memberships.ts'

/** @throws Rejection 404 · 403 HIERARCHY · 409 LAST_SUPERADMIN */
export async function eraseAccount(call: HandlerContext, userId: string): Promise<void> {
  const { vault, telemetry, read } = call
  const { emailKey } = await runAsCaller(call, async (unit, by) => {
    const erased = await loadAccount(unit, userId)
    await unit.decide(users, userId, 'Erase', { by })
    await unit.decide(userRoster, undefined, 'Leave', { userId })
    await endUserSessions(unit, userId, 'ERASED')
    await leaveProjects(unit, userId)
    await leaveTeams(unit, userId)
    await revokeKeysOf(unit, userId)
    return erased
  })
  await forgetAvatars(telemetry, userId)
  // Destroying a key is irreversible, so it follows the event. If the process dies, the erasure loop does it.
  await vault.erase([...erasedSubjects(userId), ...(await apiKeySubjects(read, userId))])
  // Failed sign-ins are counted by address, and the address may belong to another account next.
  await liftLocks(telemetry, userRealm, { id: userId, emailKey })
}
