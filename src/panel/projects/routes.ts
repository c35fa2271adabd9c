import type { Kysely, SelectQueryBuilder } from 'kysely'
import { z } from 'zod'
import { requiring } from '#kernel/http/requirement'
import { route } from '#kernel/http/route'
import type { Access, AccessRuleInput, HandlerContext, Caller } from '#kernel/http/route'
import { nameSchema } from '#kernel/lib/display-text'
import { found, reject } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import {
  projectEnvironmentTable,
  projectMemberTable,
  projectRoleTable,
  projectTable,
  projectTeamTable,
  projectVariableTable,
} from '#projections/panel/projects'
import type { ProjectRow } from '#projections/panel/projects'
import { teamMemberTable } from '#projections/panel/teams'
import { platform, sessionOrKey } from '../access/access.ts'
import { panelList, panelListReply, panelListQuery } from '../access/panel-list.ts'
import { PROJECT_PERMISSIONS, BUILT_IN_PROJECT_ROLES } from '../access/permissions.ts'
import {
  inProject,
  actingUserIdOf,
  platformReach,
  projectIdsOf,
  projectOwner,
  rightsIn,
} from '../access/project-access.ts'
import { hasPermission } from '../access/rights.ts'
import type { Rights } from '../access/rights.ts'
import { userCallerOf } from '../access/user-caller.ts'
import { limitsOf } from '../license/limits.ts'
import { ownedProjectsMaxOf } from '../quotas/effective-quota.ts'
import { users } from '../users/decider.ts'
import { userPrincipalOf, enterProject, exitProject, principalOf } from '../workflows/project-memberships.ts'
import { projects } from './decider.ts'
import { ownerOf } from './rights/rules.ts'
import type { Project as ProjectState } from './rights/rules.ts'
import { projectRoster } from './roster/decider.ts'

const VIEW = 'platform:projects:view'
const MANAGE = 'platform:projects:manage'

const Project = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string().nullable(),
  /** Null until an account claims the ownership. */
  ownerId: z.uuid().nullable(),
  createdAt: z.iso.datetime(),
})

const name = nameSchema(100)
const description = z.string().trim().max(1_000).nullable()

const NewProject = z.strictObject({ name, description: description.default(null) })
const ProjectChange = z.strictObject({ name, description }).partial()

const permissions = z.array(z.string())

const projectOf = (project: ProjectState) => ({ ...project, ownerId: ownerOf(project)?.userId ?? null })

const list = panelListQuery({ scope: z.enum(['mine', 'all']).default('mine') })

const listAccess: Access = {
  ...sessionOrKey(VIEW),
  rule: requiring('for `scope=all` the permission `projects:view`', ({ caller, query }: AccessRuleInput) => {
    if (query.scope === 'all' && platformReach(caller) === undefined)
      reject('forbidden', 'Missing permission projects:view', 'PERMISSION_MISSING')
  }),
}

/** A key restricted to some projects cannot create others. */
const createAccess: Access = {
  ...sessionOrKey(MANAGE),
  rule: requiring('no restriction of the key to some projects', ({ caller }: AccessRuleInput) => {
    if (projectIdsOf(caller))
      reject('forbidden', 'This API key is restricted to some projects and cannot create new ones', 'KEY_RESTRICTED')
  }),
}

/**
 * `mine`: projects of the caller's own and team memberships. A MACHINE key has none, so it gets every
 * project that it can see.
 */
function visibleProjects(read: Kysely<any>, caller: Caller, scope: 'mine' | 'all') {
  const [person, only] = [actingUserIdOf(caller), projectIdsOf(caller)]
  let rows: SelectQueryBuilder<any, any, any> = projectTable.queryIn(read).selectAll()
  if (only) rows = rows.where('id', 'in', only)
  if (scope === 'all' || person === undefined) return rows
  const own = projectMemberTable.queryIn(read).select('projectId').where('userId', '=', person)
  const teamIds = teamMemberTable.queryIn(read).select('teamId').where('userId', '=', person)
  const byTeams = projectTeamTable.queryIn(read).select('projectId').where('teamId', 'in', teamIds)
  return rows.where((where) => where.or([where('id', 'in', own), where('id', 'in', byTeams)]))
}

/** Permissions in the whole project, and the additional ones per environment. */
function effectivePermissions(rights: Rights, environmentIds: readonly string[]) {
  const inAll = PROJECT_PERMISSIONS.filter((permission) => hasPermission(rights, permission))
  const more = environmentIds.map((environmentId) => ({
    environmentId,
    permissions: PROJECT_PERMISSIONS.filter(
      (permission) => !inAll.includes(permission) && hasPermission(rights, permission, environmentId),
    ),
  }))
  return { permissions: inAll, environments: more.filter(({ permissions }) => permissions.length > 0) }
}

async function environmentIdsOf(read: Kysely<any>, projectId: string): Promise<string[]> {
  const rows = await projectEnvironmentTable.queryIn(read).select('id').where('projectId', '=', projectId).execute()
  return rows.map(({ id }) => id)
}

async function countOf(rows: SelectQueryBuilder<any, any, any>, projectId: string): Promise<number> {
  const counted = await rows
    .where('projectId', '=', projectId)
    .select((select: any) => select.fn.countAll().as('number'))
    .executeTakeFirstOrThrow()
  return counted['number'] as number
}

async function readProject(
  { read, vault }: Pick<HandlerContext, 'read' | 'vault'>,
  projectId: string,
): Promise<ProjectRow> {
  const row = found(await projectTable.queryIn(read).selectAll().where('id', '=', projectId).executeTakeFirst())
  const [project] = await projectTable.open(vault, [row])
  return project!
}

export const projectRoutes = [
  route('GET /api/projects', {
    does: 'List the caller’s projects, or with `scope=all` every project, which needs projects:view.',
    access: listAccess,
    query: list,
    reply: panelListReply(Project),
    handle: ({ read, vault, caller, query }) =>
      panelList<ProjectRow, ProjectRow>(visibleProjects(read, caller, query.scope), query, (rows) =>
        projectTable.open(vault, rows),
      ),
  }),

  route('POST /api/projects', {
    does:
      'Create a project. The caller owns it; a project that a MACHINE key creates has no owner until an account ' +
      'claims it.',
    access: createAccess,
    isLimited: true,
    status: 201,
    body: NewProject,
    reply: Project,
    handle: ({ run, body, caller }) =>
      run(async (unit) => {
        const { userId: ownerId } = await principalOf(unit, caller)
        const [projectId, memberId] = [unit.newId(), unit.newId()]
        await unit.decide(projectRoster, undefined, 'Enrol', {
          projectId,
          ownerId: ownerId ?? null,
          ...(ownerId !== undefined && (await ownedProjectsMaxOf(unit, ownerId))),
          ...(await limitsOf(unit)),
        })
        const owner = ownerId === undefined ? undefined : { userId: ownerId, memberId }
        await unit.decide(projects, projectId, 'CreateProject', { projectId, ...body, owner })
        if (ownerId !== undefined) await enterProject(unit, ownerId, { projectId, memberId })
        return projectOf((await unit.load(projects, projectId))!)
      }),
  }),

  route('GET /api/projects/rbac-catalog', {
    does:
      'List all project permissions and those of each built-in role. Permissions that no route requires yet can ' +
      'be granted.',
    access: sessionOrKey(VIEW),
    reply: z.object({ permissions, roles: z.array(z.object({ role: z.string(), permissions })) }),
    handle: async () => ({
      permissions: [...PROJECT_PERMISSIONS],
      roles: Object.entries(BUILT_IN_PROJECT_ROLES).map(([role, permissions]) => ({
        role,
        permissions: [...permissions],
      })),
    }),
  }),

  route('GET /api/admin/projects', {
    does: 'List every project on the platform.',
    access: platform('projects:view'),
    query: panelListQuery({}),
    reply: panelListReply(Project),
    handle: ({ read, vault, query }) =>
      panelList<ProjectRow, ProjectRow>(projectTable.queryIn(read).selectAll(), query, (rows) =>
        projectTable.open(vault, rows),
      ),
  }),

  route('GET /api/projects/:id', {
    does: 'Get a project.',
    access: inProject(undefined, VIEW),
    reply: Project,
    handle: (call) => readProject(call, call.params.id),
  }),

  route('PATCH /api/projects/:id', {
    does: 'Change the name or description of a project.',
    access: inProject('settings:manage', MANAGE),
    body: ProjectChange,
    reply: Project,
    handle: ({ run, body, caller, params: { id } }) =>
      run(async (unit) => {
        await unit.decide(projects, id, 'ChangeProject', { ...body, by: await principalOf(unit, caller) })
        return projectOf((await unit.load(projects, id))!)
      }),
  }),

  route('DELETE /api/projects/:id', {
    does: 'Delete a project with its environments and shared variables. Its sealed data becomes unreadable for good.',
    access: projectOwner,
    handle: ({ run, caller, params: { id: projectId } }) =>
      run(async (unit) => {
        const { members, teams } = found(await unit.load(projects, projectId))
        await unit.decide(projects, projectId, 'DeleteProject', { by: await userPrincipalOf(unit, caller) })
        await unit.decide(projectRoster, undefined, 'Strike', { projectId })
        for (const { id: memberId, userId, emailKey } of Object.values(members))
          await exitProject(unit, userId ?? emailKey!, { projectId, memberId })
        for (const teamId of Object.keys(teams)) await exitProject(unit, teamId, { projectId, memberId: teamId })
      }),
  }),

  route('POST /api/projects/:id/claim-ownership', {
    does: 'Become the owner of a project that has none.',
    access: platform('projects:manage'),
    reply: Project,
    handle: ({ run, caller, params: { id: projectId } }) =>
      run(async (unit) => {
        const by = await userPrincipalOf(unit, caller)
        const { userId } = by
        await unit.decide(projects, projectId, 'ClaimOwnership', { by, memberId: unit.newId() })
        const owner = { projectId, ownerId: userId, ...(await ownedProjectsMaxOf(unit, userId)) }
        await unit.decide(projectRoster, undefined, 'ChangeOwner', owner)
        const project = (await unit.load(projects, projectId))!
        await enterProject(unit, userId, { projectId, memberId: ownerOf(project)!.id })
        return projectOf(project)
      }),
  }),

  route('POST /api/projects/:id/transfer-ownership', {
    does: 'Transfer a project to another member. The former owner stays as an ADMIN.',
    access: projectOwner,
    body: z.strictObject({ memberId: uuid }),
    reply: Project,
    handle: ({ run, caller, body: { memberId }, params: { id: projectId } }) =>
      run(async (unit) => {
        const by = await userPrincipalOf(unit, caller)
        await unit.decide(projects, projectId, 'TransferOwnership', { memberId, by })
        const project = (await unit.load(projects, projectId))!
        const ownerId = ownerOf(project)!.userId!
        if ((await unit.look(users, ownerId))?.status !== 'ACTIVE')
          reject(
            'conflict',
            'The account of this member is not active: choose a member with an active account',
            'NOT_ACTIVE',
          )
        const owner = { projectId, ownerId, ...(await ownedProjectsMaxOf(unit, ownerId)) }
        await unit.decide(projectRoster, undefined, 'ChangeOwner', owner)
        return projectOf(project)
      }),
  }),

  route('GET /api/projects/:id/my-permissions', {
    does: 'Get the caller’s effective permissions in the project as a whole, and the additional ones per environment.',
    access: inProject(),
    reply: z.object({
      permissions,
      environments: z.array(z.object({ environmentId: z.uuid(), permissions })),
    }),
    async handle({ read, caller, params: { id } }) {
      const [rights, environmentIds] = await Promise.all([rightsIn(read, caller, id), environmentIdsOf(read, id)])
      return effectivePermissions(rights, environmentIds)
    },
  }),

  route('GET /api/projects/:id/my-role', {
    does: 'Get the caller’s direct role in the project, or null, and the access that platform permissions add.',
    access: inProject(),
    reply: z.object({
      role: z.string().nullable(),
      roleId: z.uuid().nullable(),
      environmentIds: z.array(z.uuid()).nullable(),
      platform: z.enum(['VIEWER', 'ADMIN']).nullable(),
    }),
    async handle({ read, caller, params: { id } }) {
      const { userId } = userCallerOf(caller)
      const members = projectMemberTable.queryIn(read).select(['role', 'roleId', 'environmentIds'])
      const own = await members.where('projectId', '=', id).where('userId', '=', userId).executeTakeFirst()
      const none = { role: null, roleId: null, environmentIds: null }
      return { ...(own ?? none), platform: platformReach(caller) ?? null }
    },
  }),

  route('GET /api/projects/:id/usage', {
    does: 'Count the members, teams, roles, environments and shared variables of a project.',
    access: inProject(undefined, VIEW),
    reply: z.object({
      members: z.int(),
      pendingMembers: z.int(),
      teams: z.int(),
      roles: z.int(),
      environments: z.int(),
      sharedVariables: z.int(),
    }),
    async handle({ read, params: { id } }) {
      const members = projectMemberTable.queryIn(read)
      const [all, pending, teams, roles, environments, variables] = await Promise.all([
        countOf(members, id),
        countOf(members.where('userId', 'is', null), id),
        countOf(projectTeamTable.queryIn(read), id),
        countOf(projectRoleTable.queryIn(read), id),
        countOf(projectEnvironmentTable.queryIn(read), id),
        countOf(projectVariableTable.queryIn(read), id),
      ])
      return { members: all - pending, pendingMembers: pending, teams, roles, environments, sharedVariables: variables }
    },
  }),
]
