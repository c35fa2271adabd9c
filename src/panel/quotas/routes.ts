import { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { route } from '#kernel/http/route'
import type { Access, HandlerContext } from '#kernel/http/route'
import { found } from '#kernel/lib/rejection'
import { anyAdmin, platform } from '../access/access.ts'
import { projects } from '../projects/decider.ts'
import { quotaOfProject, quotaOfUser } from './effective-quota.ts'
import { users } from '../users/decider.ts'
import { projectQuotas, quotaDefaults, userQuotas } from './decider.ts'

const QUOTA_MAX = 1_000_000

const most = z.int().min(0).max(QUOTA_MAX).nullable()
const ofUser = { projects: most }
const ofProject = { members: most, environments: most }

const Defaults = z.object({ ...ofUser, ...ofProject })
/** Null: the default holds. `inEffect`: what holds in the end; null there: no limit. */
const UserQuota = z.object({ ...ofUser, inEffect: z.object(ofUser) })
const ProjectQuota = z.object({ ...ofProject, inEffect: z.object(ofProject) })

const change = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z
    .strictObject(shape)
    .partial()
    .refine((given) => Object.values(given).some((value) => value !== undefined), 'Nothing to change is given')

const ProjectChange = change(ofProject)

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
    await unit.decide(projectQuotas, projectId, 'ChangeProjectQuota', { projectId, ...body })
    return projectQuota(unit, projectId)
  })

/** By the seed's letter, an ADMIN of the platform besides. */
const byAdmin: Access = { ...platform('quotas:manage'), ...(anyAdmin.rule && { rule: anyAdmin.rule }) }

export const quotaRoutes = [
  route('GET /api/admin/quotas/defaults', {
    does: 'Read the quotas of whoever has none of his own: projects that an account owns, members and environments of a project. Null: no limit.',
    access: platform('quotas:view'),
    reply: Defaults,
    handle: ({ run }) => run((unit) => unit.look(quotaDefaults)),
  }),

  route('PATCH /api/admin/quotas/defaults', {
    does: 'Change the quotas of whoever has none of his own. What exists already stays. What is not given stays; null: no limit.',
    access: platform('quotas:manage'),
    body: change({ ...ofUser, ...ofProject }),
    reply: Defaults,
    handle: ({ run, body }) =>
      run(async (unit) => {
        await unit.decide(quotaDefaults, undefined, 'ChangeQuotaDefaults', body)
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
    body: change(ofUser),
    reply: UserQuota,
    handle: ({ run, body, params: { id: userId } }) =>
      run(async (unit) => {
        found(await unit.look(users, userId))
        await unit.decide(userQuotas, userId, 'ChangeUserQuota', { userId, ...body })
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
    does: 'Change the quota of a project: how many members, awaited ones included, and environments it may have. What it has already stays; null: the default.',
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
