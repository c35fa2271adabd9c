/**
 * Effective quotas: the own quota of an account or project, else the default. Existing objects are
 * never removed.
 */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { projectQuotas, quotaDefaults, userQuotas } from './decider.ts'
import type { ProjectQuota, UserQuota } from './decider.ts'

/** Null: no limit. A quota that changes before the append makes the unit decide again. */
export async function quotaOfUser(unit: UnitOfWork, userId: string): Promise<UserQuota> {
  const [own, defaults] = [await unit.look(userQuotas, userId), await unit.look(quotaDefaults)]
  return { projects: own.projects ?? defaults.projects }
}

/** Null: no limit. A quota that changes before the append makes the unit decide again. */
export async function quotaOfProject(unit: UnitOfWork, projectId: string): Promise<ProjectQuota> {
  const [own, defaults] = [await unit.look(projectQuotas, projectId), await unit.look(quotaDefaults)]
  return { members: own.members ?? defaults.members, environments: own.environments ?? defaults.environments }
}

/** The quota of owned projects, in the form that the project roster takes. */
export async function ownedProjectsMaxOf(unit: UnitOfWork, userId: string): Promise<{ ownedMax: number | undefined }> {
  return { ownedMax: (await quotaOfUser(unit, userId)).projects ?? undefined }
}
