import { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { Access } from '#kernel/http/route'
import { found } from '#kernel/lib/rejection'
import { recordRoutes } from '#kernel/resource/record-routes'
import { anyAdmin, platform } from '../access/access.ts'
import { projects } from '../projects/decider.ts'
import { servers } from '../servers/decider.ts'
import { limitsInEffect } from '../servers/load/rules.ts'
import { users } from '../users/decider.ts'
import { buildsMaxOf, quotaOfProject, quotaOfServer, quotaOfUser } from './effective-quota.ts'
import { projectQuotas, quotaDefaults, serverQuotas, userQuotas } from './records.ts'

const QUOTA_MAX = 1_000_000
/** 1 PiB, or a million CPUs. */
const AMOUNT_MAX = 2 ** 30

/** Of deployments that build at once. */
const BUILDS_MAX = 8

const most = z.int().min(0).max(QUOTA_MAX).nullable()
const ofUser = { projects: most }
const ofProject = { members: most, environments: most, applications: most, previews: most }
const amount = z.int().min(0).max(AMOUNT_MAX).nullable()
const ofServer = {
  workloads: most,
  cpuMillis: amount,
  memoryMiB: amount,
  diskMiB: amount,
  builds: z.int().min(1).max(BUILDS_MAX).nullable(),
}

const Defaults = z.object({ ...ofUser, ...ofProject })
/** Null: the default holds. `inEffect`: what holds in the end; null there: no limit. */
const UserQuota = z.object({ ...ofUser, inEffect: z.object(ofUser) })
const ProjectQuota = z.object({ ...ofProject, inEffect: z.object(ofProject) })
const ServerQuota = z.object({ ...ofServer, inEffect: z.object(ofServer) })

async function userQuota(unit: UnitOfWork, userId: string) {
  found(await unit.look(users, userId))
  return { ...(await unit.load(userQuotas, userId)), inEffect: await quotaOfUser(unit, userId) }
}

async function projectQuota(unit: UnitOfWork, projectId: string) {
  found(await unit.look(projects, projectId))
  return { ...(await unit.load(projectQuotas, projectId)), inEffect: await quotaOfProject(unit, projectId) }
}

async function serverQuota(unit: UnitOfWork, serverId: string) {
  found(await unit.look(servers, serverId))
  const quota = await quotaOfServer(unit, serverId)
  return {
    ...(await unit.load(serverQuotas, serverId)),
    inEffect: { ...limitsInEffect(quota), builds: await buildsMaxOf(unit, serverId) },
  }
}

const defaults = recordRoutes(quotaDefaults, {
  view: platform('quotas:view'),
  manage: platform('quotas:manage'),
  input: { ...ofUser, ...ofProject },
  reply: Defaults,
  of: () => ({ quotaId: 'defaults' as const }),
  show: (unit) => unit.look(quotaDefaults),
})
const ofUsers = recordRoutes(userQuotas, {
  view: platform('quotas:view'),
  manage: platform('quotas:manage'),
  input: ofUser,
  reply: UserQuota,
  of: (userId) => ({ userId }),
  show: userQuota,
})
const ofProjects = recordRoutes(projectQuotas, {
  view: platform('quotas:view'),
  manage: platform('quotas:manage'),
  input: ofProject,
  reply: ProjectQuota,
  of: (projectId) => ({ projectId }),
  show: projectQuota,
})
const ofServers = recordRoutes(serverQuotas, {
  view: platform('quotas:view'),
  manage: platform('quotas:manage'),
  input: ofServer,
  reply: ServerQuota,
  of: (serverId) => ({ serverId }),
  show: serverQuota,
})

/** By the seed's letter, an ADMIN of the platform besides. */
const byAdmin: Access = { ...platform('quotas:manage'), ...(anyAdmin.rule && { rule: anyAdmin.rule }) }

export const quotaRoutes = [
  defaults.read('GET /api/admin/quotas/defaults', 'Read the default quotas. Null: no limit.'),
  defaults.change('PATCH /api/admin/quotas/defaults', 'Change default quotas; null: no limit. What exists stays.'),
  ofUsers.read('GET /api/admin/quotas/users/:id', 'Read an account’s quota (null: default) and what holds.'),
  ofUsers.change('PATCH /api/admin/quotas/users/:id', 'Change how many projects an account may own; null: default.'),
  ofServers.read('GET /api/admin/quotas/servers/:id', 'Read a server’s quota (null: by its capacity) and what holds.'),
  ofServers.change(
    'PATCH /api/admin/quotas/servers/:id',
    'Change how much may be reserved on a server. What is placed stays; null: by the capacity of the host.',
  ),
  ofProjects.read('GET /api/projects/:id/resource-quota', 'Read a project’s quota (null: default) and what holds.'),
  ofProjects.change(
    'PATCH /api/projects/:id/resource-quota',
    'Change how many members, also pending ones, environments and applications a project may have. What exists stays; null: default.',
  ),
  ofProjects.change('PATCH /api/projects/:id/quota', 'As PATCH /api/projects/{id}/resource-quota.', byAdmin),
]
