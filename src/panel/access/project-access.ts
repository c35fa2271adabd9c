/** Access rules for routes with a project in their path. */
import { requiring } from '#kernel/http/requirement'
import type { Access, Caller, AccessRuleInput, AccessRule } from '#kernel/http/route'
import { found, reject } from '#kernel/lib/rejection'
import type { ReadDatabase } from '#kernel/projections/read-database'
import {
  projectEnvironmentTable,
  projectMemberTable,
  projectRoleTable,
  projectTable,
  projectTeamTable,
  projectVariableTable,
} from '#projections/panel/projects'
import { teamMemberTable } from '#projections/panel/teams'
import { mustHold } from '../projects/rights/rules.ts'
import type { Principal, UserPrincipal } from '../projects/rights/rules.ts'
import { KEY, USER } from './access.ts'
import type { ProjectPermission } from './permissions.ts'
import {
  buildAssignment,
  platformRights,
  isProjectAdmin,
  isProjectOwner,
  platformReachFrom,
  canSeeEnvironment,
} from './rights.ts'
import type { Assignment, PlatformReach, Rights } from './rights.ts'

/**
 * Fields that a session or an API key adds to `Caller`: the account that it acts for, and the projects
 * that it may use.
 */
interface ProjectCaller extends Caller {
  readonly userId?: string
  /** Owner of a key; absent for a MACHINE key, which acts as itself. */
  readonly ownerId?: string | undefined
  /** The projects that a key is restricted to. */
  readonly projectIds?: readonly string[] | undefined
}

/** The account that the caller acts for; undefined for a MACHINE key. */
export const actingUserIdOf = (caller: Caller): string | undefined => {
  const { kind, userId, ownerId } = caller as ProjectCaller
  return kind === KEY ? ownerId : userId
}

/** Undefined: all projects that the account can see. */
export const projectIdsOf = (caller: Caller): readonly string[] | undefined => (caller as ProjectCaller).projectIds

/**
 * Rights that platform permissions give in every project; never those of its OWNER. A MACHINE key gets
 * ADMIN, limited by its scopes.
 */
export function platformReach(caller: Caller): PlatformReach | undefined {
  const isMachine = caller.kind === KEY && actingUserIdOf(caller) === undefined
  return isMachine ? 'ADMIN' : platformReachFrom((permission) => caller.can(permission))
}

/** The caller's current rights in the project; empty if it does not exist or the caller does not see it. */
export async function rightsIn(read: ReadDatabase, caller: Caller, projectId: string): Promise<Rights> {
  const only = projectIdsOf(caller)
  if (only && !only.includes(projectId)) return []
  const person = actingUserIdOf(caller)
  const platform = platformRights(platformReach(caller))
  const [own, teams, isThere] = await Promise.all([
    person === undefined ? [] : assignmentsOf(read, person, projectId),
    person === undefined ? [] : teamAssignmentsOf(read, person, projectId),
    platform.length === 0 ? true : projectExists(read, projectId),
  ])
  return isThere ? [...own, ...teams, ...platform] : []
}

const projectExists = async (read: ReadDatabase, projectId: string): Promise<boolean> =>
  (await projectTable.queryIn(read).select('id').where('id', '=', projectId).executeTakeFirst()) !== undefined

/** Reads the read models. A revoking command is answered only after they no longer show what it revoked. */
async function assignmentsOf(read: ReadDatabase, userId: string, projectId: string): Promise<Assignment[]> {
  const rows = await projectMemberTable
    .queryIn(read)
    .leftJoin(projectRoleTable.as('custom'), 'custom.id', 'projectMembers.roleId')
    .where('projectMembers.projectId', '=', projectId)
    .where('userId', '=', userId)
    .select(['role', 'environmentIds', 'projectMembers.permissions as more', 'custom.permissions as granted'])
    .execute()
  return rows.map((row) => buildAssignment(row, row.granted ?? [], row.more))
}

/** Assignments through the account's teams. */
async function teamAssignmentsOf(read: ReadDatabase, userId: string, projectId: string): Promise<Assignment[]> {
  const rows = await projectTeamTable
    .queryIn(read)
    .innerJoin(teamMemberTable.as('own'), 'own.teamId', 'projectTeams.teamId')
    .leftJoin(projectRoleTable.as('custom'), 'custom.id', 'projectTeams.roleId')
    .where('projectTeams.projectId', '=', projectId)
    .where('own.userId', '=', userId)
    .select(['role', 'environmentIds', 'custom.permissions as granted'])
    .execute()
  return rows.map((row) => buildAssignment(row, row.granted ?? []))
}

interface ProjectParams {
  readonly id: string
}

type ProjectRule = (rights: Rights, entering: AccessRuleInput & { readonly params: ProjectParams }) => unknown

/** Answers 404 to a caller that does not see the project, as for a project that does not exist. */
const ruleInProject =
  (question: ProjectRule = () => {}): AccessRule =>
  async (entering) => {
    const rights = await rightsIn(entering.read, entering.caller, entering.params.id)
    if (rights.length === 0) found(undefined)
    await question(rights, entering)
  }

/** @typeParam By those that it lets in: a session acts for an account, a key may act for none */
export interface ProjectAccess<By extends Principal = UserPrincipal> extends Access {
  readonly admits?: By
}

/** @param words what the question asks, for the documentation */
const projectAccess = (words: string, question?: ProjectRule): ProjectAccess => ({
  kinds: [USER],
  rule: requiring(words, ruleInProject(question)),
})

const ACCESS_TO_PROJECT = 'access to the project'
const permissionIn = (permission: ProjectPermission, place: string): string =>
  `the permission \`${permission}\` in ${place}`

/** @param permission that the caller must hold in the whole project */
export const inProject = (permission?: ProjectPermission): ProjectAccess =>
  permission
    ? projectAccess(permissionIn(permission, 'the project'), (rights) => mustHold(rights, permission))
    : projectAccess(ACCESS_TO_PROJECT)

/**
 * As `inProject`, for API keys too.
 * @param scope that a key must hold
 */
export const inProjectByKey = (scope: string, permission?: ProjectPermission): ProjectAccess<Principal> => ({
  ...inProject(permission),
  kinds: [USER, KEY],
  scope,
})

/** Built-in ADMIN or OWNER: for what no permission can grant. */
export const projectAdmin = projectAccess('the role ADMIN or OWNER in the project', (rights) => {
  if (!isProjectAdmin(rights)) reject('forbidden', 'Requires the project role ADMIN or OWNER', 'ROLE_MISSING')
})

export const projectOwner = projectAccess('the role OWNER in the project', (rights) => {
  if (!isProjectOwner(rights)) reject('forbidden', 'Requires the project role OWNER', 'ROLE_MISSING')
})

/**
 * The caller must have a direct membership and must not be the OWNER. Access through a team or the
 * platform is not a membership to leave.
 */
export const ownMembership = projectAccess(
  'a direct membership of the project, not as OWNER',
  async (rights, { caller, read, params }) => {
    if (isProjectOwner(rights))
      reject('forbidden', 'You are the OWNER: transfer the project before you leave it', 'OWNER_STAYS')
    const own = await assignmentsOf(read, actingUserIdOf(caller) ?? '', params.id)
    if (own.length === 0)
      reject(
        'forbidden',
        'You have no direct membership in this project; your access comes from a team or from platform permissions',
        'NO_MEMBERSHIP',
      )
  },
)

/** The member whom the path names, or a caller that may manage members. */
export const memberOrManager = projectAccess(
  "the caller's own membership, or the permission `members:manage` in the project",
  async (rights, { caller, read, params }) => {
    const { id: projectId, memberId } = params as ProjectParams & { memberId: string }
    const members = projectMemberTable.queryIn(read).select('userId').where('projectId', '=', projectId)
    const member = await members.where('id', '=', memberId).executeTakeFirst()
    if (!member || member.userId !== actingUserIdOf(caller)) mustHold(rights, 'members:manage')
  },
)

/** Checks the permission in the environment that the path names. */
export const inEnvironment = (permission: ProjectPermission): ProjectAccess =>
  projectAccess(permissionIn(permission, 'the environment'), async (rights, { read, params }) => {
    const { id: projectId, envId } = params as ProjectParams & { envId: string }
    await rejectUnlessVisible(read, rights, { projectId, environmentId: envId })
    mustHold(rights, permission, envId)
  })

/** Checks the permission in the environment that the query names, or in the whole project without one. */
export const inSharedEnv = (permission?: ProjectPermission): ProjectAccess =>
  projectAccess(
    permission ? permissionIn(permission, 'the environment of the query, or in the whole project') : ACCESS_TO_PROJECT,
    async (rights, { read, params, query }) => {
      const { environmentId = null } = query as { environmentId?: string }
      if (environmentId !== null) await rejectUnlessVisible(read, rights, { projectId: params.id, environmentId })
      if (permission) mustHold(rights, permission, environmentId)
    },
  )

/** Checks the permission in the environment of the shared variable that the path names. */
export const inVariable = (permission: ProjectPermission): ProjectAccess =>
  projectAccess(permissionIn(permission, 'the environment of the variable'), async (rights, { read, params }) => {
    const { id: projectId, rowId } = params as ProjectParams & { rowId: string }
    const variables = projectVariableTable.queryIn(read).select('environmentId').where('projectId', '=', projectId)
    const { environmentId } = found(await variables.where('id', '=', rowId).executeTakeFirst())
    mustHold(rights, permission, environmentId)
  })

/**
 * @throws Rejection 404 for an environment of another project, and for one that the caller's
 * assignments do not include
 */
async function rejectUnlessVisible(
  read: ReadDatabase,
  rights: Rights,
  { projectId, environmentId }: { projectId: string; environmentId: string },
): Promise<void> {
  const environments = projectEnvironmentTable.queryIn(read).select('id').where('projectId', '=', projectId)
  found(await environments.where('id', '=', environmentId).executeTakeFirst())
  if (!canSeeEnvironment(rights, environmentId)) found(undefined)
}
