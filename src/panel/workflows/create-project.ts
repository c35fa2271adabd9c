/** A new project, with what counts it and with its owner. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { limitsOf } from '../license/limits.ts'
import { projects } from '../projects/decider.ts'
import { projectRoster } from '../projects/roster/decider.ts'
import { ownedProjectsMaxOf } from '../quotas/effective-quota.ts'
import { enterProject } from './project-memberships.ts'

interface NewProject {
  readonly name: string
  readonly description: string | null
}

/**
 * @param ownerId undefined: it has none until an account claims it
 * @returns its id @throws Rejection 402 · 409 QUOTA_REACHED
 */
export async function createProject(
  unit: UnitOfWork,
  values: NewProject,
  ownerId: string | undefined,
): Promise<string> {
  const [projectId, memberId] = [unit.newId(), unit.newId()]
  await unit.decide(projectRoster, undefined, 'Enrol', {
    projectId,
    ownerId: ownerId ?? null,
    ...(ownerId !== undefined && (await ownedProjectsMaxOf(unit, ownerId))),
    ...(await limitsOf(unit)),
  })
  const owner = ownerId === undefined ? undefined : { userId: ownerId, memberId }
  await unit.decide(projects, projectId, 'CreateProject', { projectId, ...values, owner })
  if (ownerId !== undefined) await enterProject(unit, ownerId, { projectId, memberId })
  return projectId
}
