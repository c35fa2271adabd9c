/** Providers of git: who may share and remove them, as a unit of work reads it. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { Caller } from '#kernel/http/route'
import { found, reject } from '#kernel/lib/rejection'
import { hasSomewhere } from '../access/rights.ts'
import { gitProviders } from '../git-providers/decider.ts'
import { mustHold } from '../projects/rights/rules.ts'
import { userPrincipalOf } from './project-memberships.ts'
import { rightsInProject } from './server-access.ts'

/**
 * @param projectId null: it is not shared
 * @returns the account of the caller, which owns it
 * @throws Rejection 401 · 403 · 404 for a project that the caller does not see
 */
export async function mustConnectProvider(unit: UnitOfWork, caller: Caller, projectId: string | null): Promise<string> {
  const by = await userPrincipalOf(unit, caller)
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
