/** How much an account, a project or a server may have: by a quota of its own, else by the default. What exists stays, whatever this says. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { servers } from '../servers/decider.ts'
import { usualLimits } from '../servers/load/rules.ts'
import type { ServerQuota } from '../servers/load/rules.ts'
import { projectQuotas, quotaDefaults, serverQuotas, userQuotas } from './records.ts'

/** Null: no limit. What is decided on it holds only if it has not changed meanwhile. */
export async function quotaOfUser(unit: UnitOfWork, userId: string) {
  const [own, defaults] = [await unit.look(userQuotas, userId), await unit.look(quotaDefaults)]
  return { projects: own.projects ?? defaults.projects }
}

/** As quotaOfUser. */
export async function quotaOfProject(unit: UnitOfWork, projectId: string) {
  const [own, defaults] = [await unit.look(projectQuotas, projectId), await unit.look(quotaDefaults)]
  return {
    members: own.members ?? defaults.members,
    environments: own.environments ?? defaults.environments,
    applications: own.applications ?? defaults.applications,
    previews: own.previews ?? defaults.previews,
  }
}

/** As quotaOfUser. What is usual follows from what the host has. */
export async function quotaOfServer(unit: UnitOfWork, serverId: string): Promise<ServerQuota> {
  const [own, server] = [await unit.look(serverQuotas, serverId), await unit.look(servers, serverId)]
  return { own, usual: usualLimits(server?.agent?.facts.capacity) }
}

/** How many projects an account may own, as the roster of projects is asked. */
export async function ownedProjectsMaxOf(unit: UnitOfWork, userId: string): Promise<{ ownedMax: number | undefined }> {
  return { ownedMax: (await quotaOfUser(unit, userId)).projects ?? undefined }
}

const BUILDS_USUAL = 2

/** How many deployments that build may run on a server at once. */
export const buildsMaxOf = async (unit: UnitOfWork, serverId: string): Promise<number> =>
  (await unit.look(serverQuotas, serverId)).builds ?? BUILDS_USUAL
