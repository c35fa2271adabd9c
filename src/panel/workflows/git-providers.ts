/** Providers of git: who may share and remove them, as a unit of work reads it. */
import type { SessionIdentity } from '#kernel/auth/session-rules'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { Caller } from '#kernel/http/route'
import { found, reject } from '#kernel/lib/rejection'
import { hasSomewhere } from '../access/rights.ts'
import { gitProviders } from '../git-providers/decider.ts'
import { mustHold } from '../projects/rights/rules.ts'
import type { UserPrincipal } from '../projects/rights/rules.ts'
import { principalOfSession, userPrincipalOf } from './project-memberships.ts'
import { rightsInProject } from './server-access.ts'

/**
 * @param projectId null: it is not shared
 * @returns the account of the caller, which owns it
 * @throws Rejection 401 · 403 · 404 for a project that the caller does not see
 */
export const mustConnectProvider = async (
  unit: UnitOfWork,
  caller: Caller,
  projectId: string | null,
): Promise<string> => mustShare(unit, await userPrincipalOf(unit, caller), projectId)

/**
 * The same for a session that a browser does not send, while it lasts.
 * @throws Rejection 401 · 403 · 404
 */
export const mustConnectProviderIn = async (
  unit: UnitOfWork,
  session: SessionIdentity,
  projectId: string | null,
): Promise<string> => mustShare(unit, await principalOfSession(unit, session), projectId)

async function mustShare(unit: UnitOfWork, by: UserPrincipal, projectId: string | null): Promise<string> {
  if (projectId === null) return by.userId
  const rights = await rightsInProject(unit, projectId, by)
  if (rights.length === 0) found(undefined)
  if (!hasSomewhere(rights, 'apps:create'))
    reject('forbidden', 'Missing permission apps:create in this project', 'PERMISSION_MISSING')
  return by.userId
}

/**
 * The one way in which a caller removes a provider.
 * @throws Rejection 401 · 403 · 404
 */
export async function removeProviderBy(unit: UnitOfWork, caller: Caller, providerId: string): Promise<void> {
  const by = await userPrincipalOf(unit, caller)
  const { ownerId, projectId } = found(await unit.load(gitProviders, providerId))
  if (ownerId !== by.userId)
    mustHold(projectId === null ? [] : await rightsInProject(unit, projectId, by), 'settings:manage')
  await unit.decide(gitProviders, providerId, 'Remove', {})
}
