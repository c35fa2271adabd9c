import { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { route } from '#kernel/http/route'
import type { Access, HandlerContext } from '#kernel/http/route'
import { found } from '#kernel/lib/rejection'
import { changeOf } from '#kernel/resource/change-of'
import { anyAdmin, platform } from '../access/access.ts'
import { projects } from '../projects/decider.ts'
import { users } from '../users/decider.ts'
import { quotaOfProject, quotaOfUser } from './effective-quota.ts'
import { projectQuotas, quotaDefaults, userQuotas } from './records.ts'

const QUOTA_MAX = 1_000_000

const most = z.int().min(0).max(QUOTA_MAX).nullable()
const ofUser = { projects: most }
const ofProject = { members: most, environments: most }

const Defaults = z.object({ ...ofUser, ...ofProject })
/** Null: the default holds. `inEffect`: what holds in the end; null there: no limit. */
const UserQuota = z.object({ ...ofUser, inEffect: z.object(ofUser) })
const ProjectQuota = z.object({ ...ofProject, inEffect: z.object(ofProject) })

const ProjectChange = changeOf(ofProject)

async function userQuota(unit: UnitOfWork, userId: string) {
  found(await unit.look(users, userId))
  return { ...(await unit.load(userQuotas, userId)), inEffect: await quotaOfUser(unit, userId) }
}

async function projectQuota(unit: UnitOfWork, projectId: string) {
  found(await unit.look(projects, projectId))
  return { ...(await unit.load(projectQuotas, projectId)), inEffect: await quotaOfProject(unit, projectId) }
}

const changeProjectQuota = ({
  run,
  body,
  params,
}: HandlerContext<{ id: string }, unknown, z.output<typeof ProjectChange>>) =>
  run(async (unit) => {
    const { id: projectId } = params
    found(await unit.look(projects, projectId))
    await unit.decide(projectQuotas, projectId, 'Change', { of: { projectId }, changes: body })
    return projectQuota(unit, projectId)
  })

/** By the seed's letter, an ADMIN of the platform besides. */
const byAdmin: Access = { ...platform('quotas:manage'), ...(anyAdmin.rule && { rule: anyAdmin.rule }) }

export const quotaRoutes = [
  route('GET /api/admin/quotas/defaults', {
    does: 'Read the default quotas: projects of an account, members and environments of a project. Null: no limit.',
    access: platform('quotas:view'),
    reply: Defaults,
    handle: ({ run }) => run((unit) => unit.look(quotaDefaults)),
  }),

  route('PATCH /api/admin/quotas/defaults', {
    does: 'Change the default quotas. Fields that are left out stay; null: no limit. Nothing that exists is removed.',
    access: platform('quotas:manage'),
    body: changeOf({ ...ofUser, ...ofProject }),
    reply: Defaults,
    handle: ({ run, body }) =>
      run(async (unit) => {
        await unit.decide(quotaDefaults, undefined, 'Change', { of: { quotaId: 'defaults' }, changes: body })
        return unit.load(quotaDefaults)
      }),
  }),

  route('GET /api/admin/quotas/users/:id', {
    does: 'Read the quota of an account: its own, null where the default holds, and what is in effect.',
    access: platform('quotas:view'),
    reply: UserQuota,
    handle: ({ run, params: { id } }) => run((unit) => userQuota(unit, id)),
  }),

  route('PATCH /api/admin/quotas/users/:id', {
    does: 'Change the quota of an account: how many projects it may own. What it owns already stays; null: the default.',
    access: platform('quotas:manage'),
    body: changeOf(ofUser),
    reply: UserQuota,
    handle: ({ run, body, params: { id: userId } }) =>
      run(async (unit) => {
        found(await unit.look(users, userId))
        await unit.decide(userQuotas, userId, 'Change', { of: { userId }, changes: body })
        return userQuota(unit, userId)
      }),
  }),

  route('GET /api/projects/:id/resource-quota', {
    does: 'Read the quota of a project: its own, null where the default holds, and what is in effect.',
    access: platform('quotas:view'),
    reply: ProjectQuota,
    handle: ({ run, params: { id } }) => run((unit) => projectQuota(unit, id)),
  }),

  route('PATCH /api/projects/:id/resource-quota', {
    does: 'Change how many members, awaited ones included, and environments a project may have. Nothing is removed; null: the default.',
    access: platform('quotas:manage'),
    body: ProjectChange,
    reply: ProjectQuota,
    handle: changeProjectQuota,
  }),

  route('PATCH /api/projects/:id/quota', {
    does: 'As PATCH /api/projects/{id}/resource-quota: there is one quota.',
    access: byAdmin,
    body: ProjectChange,
    reply: ProjectQuota,
    handle: changeProjectQuota,
  }),
]
