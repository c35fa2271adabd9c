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
/** Null: the default applies. `inEffect` is the resulting limit; null there means no limit. */
const UserQuota = z.object({ ...ofUser, inEffect: z.object(ofUser) })
const ProjectQuota = z.object({ ...ofProject, inEffect: z.object(ofProject) })

const change = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z
    .strictObject(shape)
    .partial()
    .refine((given) => Object.values(given).some((value) => value !== undefined), 'Give at least one value to change')

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

/** The seed requires the role ADMIN as well as the permission. */
const byAdmin: Access = { ...platform('quotas:manage'), ...(anyAdmin.rule && { rule: anyAdmin.rule }) }

export const quotaRoutes = [
  route('GET /api/admin/quotas/defaults', {
    does: 'Get the default quotas: projects per owner, members and environments per project. Null means no limit.',
    access: platform('quotas:view'),
    reply: Defaults,
    handle: ({ run }) => run((unit) => unit.look(quotaDefaults)),
  }),

  route('PATCH /api/admin/quotas/defaults', {
    does: 'Change the default quotas. Absent fields keep their value, null means no limit, and existing objects stay.',
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
    does: 'Get the quota of an account (null: the default applies) and the resulting limit.',
    access: platform('quotas:view'),
    reply: UserQuota,
    handle: ({ run, params: { id } }) => run((unit) => userQuota(unit, id)),
  }),

  route('PATCH /api/admin/quotas/users/:id', {
    does: 'Change how many projects an account may own. Null restores the default; projects that it owns stay.',
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
    does: 'Get the quota of a project (null: the default applies) and the resulting limits.',
    access: platform('quotas:view'),
    reply: ProjectQuota,
    handle: ({ run, params: { id } }) => run((unit) => projectQuota(unit, id)),
  }),

  route('PATCH /api/projects/:id/resource-quota', {
    does:
      'Change how many members (pending included) and environments a project may have. Null restores the default; ' +
      'existing ones stay.',
    access: platform('quotas:manage'),
    body: ProjectChange,
    reply: ProjectQuota,
    handle: changeProjectQuota,
  }),

  route('PATCH /api/projects/:id/quota', {
    does: 'Change the quota of a project, like PATCH /api/projects/{id}/resource-quota.',
    access: byAdmin,
    body: ProjectChange,
    reply: ProjectQuota,
    handle: changeProjectQuota,
  }),
]
