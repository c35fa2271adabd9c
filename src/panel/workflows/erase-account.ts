/** The end of an account: what stands or falls with it ends in one append, and then the keys are destroyed that tell who it was. */
import type { HandlerContext } from '#kernel/http/route'
import { liftLocks } from '#kernel/auth/verify-credentials'
import { apiKeySubjects } from '#projections/panel/users'
import { forgetAvatars } from '../users/avatars.ts'
import { loadAccount, actingUser } from '../access/accounts.ts'
import { endUserSessions, userRealm } from '../access/user-realm.ts'
import { revokeKeysOf } from './api-keys.ts'
import { leaveProjects } from './project-memberships.ts'
import { leaveTeams } from './team-memberships.ts'
import { userRoster, users } from '../users/decider.ts'
import { erasedSubjects } from '../users/events.ts'

/** @throws Rejection 404 · 403 HIERARCHY · 409 LAST_SUPERADMIN */
export async function eraseAccount(
  { run, caller, vault, telemetry, read }: HandlerContext,
  userId: string,
): Promise<void> {
  const { emailKey } = await run(async (unit) => {
    const erased = await loadAccount(unit, userId)
    await unit.decide(users, userId, 'Erase', { by: await actingUser(unit, caller) })
    await unit.decide(userRoster, undefined, 'Leave', { userId })
    await endUserSessions(unit, userId, 'ERASED')
    await leaveProjects(unit, userId)
    await leaveTeams(unit, userId)
    await revokeKeysOf(unit, userId)
    return erased
  })
  await forgetAvatars(telemetry, userId)
  // After the event, since a key cannot be brought back; whoever does not live to do it leaves it to the erasure loop.
  await vault.erase([...erasedSubjects(userId), ...(await apiKeySubjects(read, userId))])
  // Guesses at his password were counted by his address, which may be somebody else's next.
  await liftLocks(telemetry, userRealm, { id: userId, emailKey })
}
