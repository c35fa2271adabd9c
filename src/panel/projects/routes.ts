import { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { inState } from '#kernel/http/in-state'
import { recordVersion } from '#kernel/http/record-version'
import { requiring } from '#kernel/http/requirement'
import { route } from '#kernel/http/route'
import type { Access, AccessRuleInput, Caller } from '#kernel/http/route'
import { found, reject } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import { countRows } from '#kernel/projections/count-rows'
import type { ReadDatabase } from '#kernel/projections/read-database'
import type { ReadModel } from '#kernel/projections/read-model'
import { arrayLists } from '#kernel/resource/array-lists'
import { listRoute } from '#kernel/resource/list-route'
import type { RowsOf } from '#kernel/resource/list-route'
import {
  projectEnvironmentTable,
  projectMemberTable,
  projectRoleTable,
  projectTable,
  projectTeamTable,
  projectVariableTable,
} from '#projections/panel/projects'
import type { ProjectRow } from '#projections/panel/projects'
import { platform, sessionOrKey } from '../access/access.ts'
import { panelLists } from '../access/panel-lists.ts'
import { PROJECT_PERMISSIONS, BUILT_IN_PROJECT_ROLES } from '../access/permissions.ts'
import {
  inProject,
  inProjectByKey,
  actingUserIdOf,
  listScope,
  ownProjectIds,
  platformReach,
  projectIdsOf,
  projectOwner,
  withAllScope,
} from '../access/project-access.ts'
import { projectRoutes } from '../access/project-routes.ts'
import { hasPermission, isProjectAdmin } from '../access/rights.ts'
import type { Rights } from '../access/rights.ts'
import { userCallerOf } from '../access/user-caller.ts'
import { ownedProjectsMaxOf } from '../quotas/effective-quota.ts'
import { users } from '../users/decider.ts'
import { createProject } from '../workflows/create-project.ts'
import { enterProject, exitProject, personOf, principalOf } from '../workflows/project-memberships.ts'
import { projectContents } from './contents/decider.ts'
import { projects } from './decider.ts'
import { loadProject, Project, projectName as name } from './project-view.ts'
import { ownerOf } from './rights/rules.ts'
import { projectRoster } from './roster/decider.ts'

const VIEW = 'platform:projects:view'
const MANAGE = 'platform:projects:manage'

const description = z.string().trim().max(1_000).nullable()

const NewProject = z.strictObject({ name, description: description.default(null) })
const ProjectChange = z.strictObject({ name, description }).partial()

const permissions = z.array(z.string())

const Usage = z.object({
  members: z.int().describe('Members with an account.'),
  pendingMembers: z.int().describe('Invited addresses without an account.'),
  teams: z.int().describe('Teams that take part.'),
  roles: z.int().describe('Roles of its own.'),
  environments: z.int().describe('Environments.'),
  sharedVariables: z.int().describe('Shared variables, of all environments.'),
})

const version = recordVersion(Project.pick({ name: true, description: true }), (unit, { params }) =>
  unit.look(projects, params['id']),
)

/** @throws Rejection 409 QUOTA_REACHED */
async function changeOwner(unit: UnitOfWork, projectId: string, ownerId: string): Promise<void> {
  const owner = { projectId, ownerId, ...(await ownedProjectsMaxOf(unit, ownerId)) }
  await unit.decide(projectRoster, undefined, 'ChangeOwner', owner)
}

/** A key restricted to some projects cannot create others. */
const createAccess: Access = {
  ...sessionOrKey(MANAGE),
  rule: requiring('no restriction of the key to some projects', ({ caller }: AccessRuleInput) => {
    if (projectIdsOf(caller))
      reject('forbidden', 'This API key is restricted to some projects and cannot create new ones', 'KEY_RESTRICTED')
  }),
}

/** `mine`: by own and team memberships. A MACHINE key has none, so it gets all projects that it can see. */
function visibleProjects(
  all: RowsOf<'projects', ProjectRow>,
  read: ReadDatabase,
  caller: Caller,
  scope: 'mine' | 'all',
) {
  const [person, only] = [actingUserIdOf(caller), projectIdsOf(caller)]
  const rows = only ? all.where('id', 'in', only) : all
  if (scope === 'all' || person === undefined) return rows
  return rows.where('id', 'in', ownProjectIds(read, person))
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

async function environmentIdsOf(read: ReadDatabase, projectId: string): Promise<string[]> {
  const rows = await projectEnvironmentTable.queryIn(read).select('id').where('projectId', '=', projectId).execute()
  return rows.map(({ id }) => id)
}

const owner = projectRoutes(projectOwner)

export const wholeProjectRoutes = [
  listRoute('GET /api/projects', projectTable, arrayLists(listScope), {
    does: 'List the caller’s projects, or with `scope=all` every project, which needs projects:view.',
    access: withAllScope(sessionOrKey(VIEW)),
    item: Project,
    only: (rows, { read, caller, query: { scope } }) => visibleProjects(rows, read, caller, scope),
  }),

  route('POST /api/projects', {
    does: 'Create a project that the caller owns. That of a MACHINE key has no owner until an account claims it.',
    access: createAccess,
    isLimited: true,
    status: 201,
    body: NewProject,
    reply: Project,
    handle: ({ run, body, caller }) =>
      run(async (unit) => {
        const { userId } = await principalOf(unit, caller)
        return loadProject(unit, await createProject(unit, body, userId))
      }),
  }),

  route('GET /api/projects/rbac-catalog', {
    does: 'List all project permissions, also those that no route requires yet, and those of each built-in role.',
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

  listRoute('GET /api/admin/projects', projectTable, panelLists, {
    does: 'List every project on the platform.',
    access: platform('projects:view'),
    item: Project,
  }),

  route('GET /api/projects/:id', {
    does: 'Get a project.',
    access: inProjectByKey(VIEW),
    version,
    reply: Project,
    async handle({ vault, ruleResult: { project } }) {
      const [opened] = await projectTable.open(vault, [project])
      return opened!
    },
  }),

  projectRoutes(inProjectByKey(MANAGE, 'settings:manage')).change('PATCH /api/projects/:id', {
    does: 'Change the name or description of a project.',
    version,
    body: ProjectChange,
    reply: Project,
    async decide({ unit, projectId, body, by }) {
      await unit.decide(projects, projectId, 'ChangeProject', { ...body, by })
      return loadProject(unit, projectId)
    },
  }),

  owner.change('DELETE /api/projects/:id', {
    does: 'Delete a project without applications, with its environments and shared variables. Its sealed data becomes unreadable for good.',
    async decide({ unit, projectId, by }) {
      const { members, teams } = found(await unit.load(projects, projectId))
      await unit.decide(projects, projectId, 'DeleteProject', { by })
      await unit.decide(projectContents, projectId, 'MustBeEmpty', { environmentId: null })
      await unit.decide(projectRoster, undefined, 'Strike', { projectId })
      for (const member of Object.values(members))
        await exitProject(unit, personOf(member), { projectId, memberId: member.id })
      for (const teamId of Object.keys(teams)) await exitProject(unit, teamId, { projectId, memberId: teamId })
    },
  }),

  projectRoutes(platform('projects:manage')).change('POST /api/projects/:id/claim-ownership', {
    does: 'Become the owner of a project that has none.',
    from: inState(Project, { ownerId: [null] }),
    reply: Project,
    async decide({ unit, projectId, by }) {
      await unit.decide(projects, projectId, 'ClaimOwnership', { by, memberId: unit.newId() })
      await changeOwner(unit, projectId, by.userId)
      const { id: memberId } = ownerOf((await unit.load(projects, projectId))!)!
      await enterProject(unit, by.userId, { projectId, memberId })
      return loadProject(unit, projectId)
    },
  }),

  owner.change('POST /api/projects/:id/transfer-ownership', {
    does: 'Transfer a project to another member. The former owner stays as an ADMIN.',
    body: z.strictObject({ memberId: uuid }),
    reply: Project,
    async decide({ unit, projectId, body: { memberId }, by }) {
      await unit.decide(projects, projectId, 'TransferOwnership', { memberId, by })
      const project = await loadProject(unit, projectId)
      if ((await unit.look(users, project.ownerId!))?.status !== 'ACTIVE')
        reject(
          'conflict',
          'The account of this member is not active: choose a member with an active account',
          'NOT_ACTIVE',
        )
      await changeOwner(unit, projectId, project.ownerId!)
      return project
    },
  }),

  route('GET /api/projects/:id/my-permissions', {
    does: 'Get the caller’s effective permissions in the project as a whole, and the additional ones per environment.',
    access: inProject(),
    reply: z.object({
      permissions,
      environments: z.array(z.object({ environmentId: z.uuid(), permissions })),
    }),
    async handle({ read, ruleResult: { rights }, params: { id } }) {
      return effectivePermissions(rights, await environmentIdsOf(read, id))
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
      /** Whether the caller may do what only an ADMIN or OWNER may, by its own role, a team or the platform. */
      isAdmin: z.boolean(),
    }),
    async handle({ read, caller, ruleResult: { rights }, params: { id } }) {
      const { userId } = userCallerOf(caller)
      const members = projectMemberTable.queryIn(read).select(['role', 'roleId', 'environmentIds'])
      const own = await members.where('projectId', '=', id).where('userId', '=', userId).executeTakeFirst()
      const none = { role: null, roleId: null, environmentIds: null }
      return { ...(own ?? none), platform: platformReach(caller) ?? null, isAdmin: isProjectAdmin(rights) }
    },
  }),

  route('GET /api/projects/:id/usage', {
    does: 'Count the members, teams, roles, environments and shared variables of a project.',
    access: inProjectByKey(VIEW),
    reply: Usage,
    async handle({ read, params: { id } }) {
      const rowsIn = (table: ReadModel) => table.queryIn(read).where('projectId', '=', id)
      const [all, pendingMembers, teams, roles, environments, sharedVariables] = await Promise.all([
        countRows(rowsIn(projectMemberTable)),
        countRows(rowsIn(projectMemberTable).where('userId', 'is', null)),
        countRows(rowsIn(projectTeamTable)),
        countRows(rowsIn(projectRoleTable)),
        countRows(rowsIn(projectEnvironmentTable)),
        countRows(rowsIn(projectVariableTable)),
      ])
      return { members: all - pendingMembers, pendingMembers, teams, roles, environments, sharedVariables }
    },
  }),
]
