/** Access rules for routes with a project in their path. */
import { z } from 'zod'
import { requiring } from '#kernel/http/requirement'
import type { Access, Caller, AccessRuleInput, AccessRule } from '#kernel/http/route'
import { found, reject } from '#kernel/lib/rejection'
import { findRow } from '#kernel/projections/lookup'
import type { ReadDatabase } from '#kernel/projections/read-database'
import {
  projectEnvironmentTable,
  projectMemberTable,
  projectTeamTable,
  projectVariableTable,
} from '#projections/panel/projects'
import type { ProjectRow } from '#projections/panel/projects'
import { findProjectWithAssignments } from '#projections/panel/projects/assignments'
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
  hasSomewhere,
} from './rights.ts'
import type { PlatformReach, Rights } from './rights.ts'

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

/** The projects that an account is a member of, itself or through a team. */
export function ownProjectIds(read: ReadDatabase, userId: string) {
  const own = projectMemberTable.queryIn(read).select('projectId').where('userId', '=', userId)
  const teamIds = teamMemberTable.queryIn(read).select('teamId').where('userId', '=', userId)
  return own.union(projectTeamTable.queryIn(read).select('projectId').where('teamId', 'in', teamIds))
}

/** The query parameter of lists over several projects. */
export const listScope = { scope: z.enum(['mine', 'all']).default('mine') }

/** A list over several projects: `scope=all` needs a permission of the platform. */
export const withAllScope = (access: Access): Access => ({
  ...access,
  rule: requiring('for `scope=all` the permission `projects:view`', ({ caller, query }: AccessRuleInput) => {
    if (query.scope === 'all' && platformReach(caller) === undefined)
      reject('forbidden', 'Missing permission projects:view', 'PERMISSION_MISSING')
  }),
})

/** A project as the caller sees it. */
interface ProjectView {
  /** Its columns are sealed. */
  readonly project: ProjectRow
  /** At least one. */
  readonly rights: Rights
  /** Whether the caller's account is a member itself, and not only through a team. */
  readonly isDirectMember: boolean
}

/**
 * Reads the read models. A revoking command is answered only after they no longer show what it revoked.
 * @returns undefined if the project does not exist or the caller does not see it
 */
async function viewProject(read: ReadDatabase, caller: Caller, id: string): Promise<ProjectView | undefined> {
  const only = projectIdsOf(caller)
  if (only && !only.includes(id)) return undefined
  const row = await findProjectWithAssignments(read, { id, userId: actingUserIdOf(caller) ?? null })
  if (!row) return undefined
  const { own, throughTeams, ...project } = row
  const rights = [
    ...(own ?? []).map((each) => buildAssignment(each, each.granted ?? [], each.more)),
    ...(throughTeams ?? []).map((each) => buildAssignment(each, each.granted ?? [])),
    ...platformRights(platformReach(caller)),
  ]
  return rights.length === 0 ? undefined : { project, rights, isDirectMember: own !== null }
}

/** The caller's current rights in the project; empty if it does not exist or the caller does not see it. */
export const rightsIn = async (read: ReadDatabase, caller: Caller, projectId: string): Promise<Rights> =>
  (await viewProject(read, caller, projectId))?.rights ?? []

interface ProjectParams {
  readonly id: string
}

type ProjectRule = (view: ProjectView, entering: AccessRuleInput & { readonly params: ProjectParams }) => unknown

/** Answers 404 to a caller that does not see the project, as for a project that does not exist. */
const ruleInProject =
  (question: ProjectRule = () => {}): AccessRule<ProjectView> =>
  async (entering) => {
    const view = found(await viewProject(entering.read, entering.caller, entering.params.id))
    await question(view, entering)
    return view
  }

/** @typeParam By those that it lets in: a session acts for an account, a key may act for none */
export interface ProjectAccess<By extends Principal = UserPrincipal, Result = unknown> extends Access<Result> {
  readonly admits?: By
}

/** Its handlers get what the rule has read. */
type ViewAccess<By extends Principal = UserPrincipal> = ProjectAccess<By, ProjectView>

/**
 * @param words what the question asks, for the documentation
 * @param asks the same for programs: the caller needs one of them
 */
const projectAccess = (words: string, asks: readonly string[], question?: ProjectRule): ViewAccess => ({
  kinds: [USER],
  rule: requiring(words, ruleInProject(question), asks),
})

const ACCESS_TO_PROJECT = 'access to the project'
const permissionIn = (permission: ProjectPermission, place: string): string =>
  `the permission \`${permission}\` in ${place}`

/** @param permission that the caller must hold in the whole project */
export const inProject = (permission?: ProjectPermission): ViewAccess =>
  permission
    ? projectAccess(permissionIn(permission, 'the project'), [`project:${permission}`], ({ rights }) =>
        mustHold(rights, permission),
      )
    : projectAccess(ACCESS_TO_PROJECT, ['project'])

/**
 * As `inProject`, for API keys too.
 * @param scope that a key must hold
 */
export const inProjectByKey = (scope: string, permission?: ProjectPermission): ViewAccess<Principal> => ({
  ...inProject(permission),
  kinds: [USER, KEY],
  scope,
})

/** In some environment of the project. The handler leaves out what is in others. */
export const somewhereInProject = (permission: ProjectPermission): ViewAccess =>
  projectAccess(
    permissionIn(permission, 'an environment of the project'),
    [`environment:${permission}`],
    ({ rights }) => {
      if (!hasSomewhere(rights, permission)) mustHold(rights, permission)
    },
  )

/** @throws Rejection 403 ROLE_MISSING */
export function mustAdminister(rights: Rights): void {
  if (!isProjectAdmin(rights)) reject('forbidden', 'Requires the project role ADMIN or OWNER', 'ROLE_MISSING')
}

/** Built-in ADMIN or OWNER: for what no permission can grant. */
export const projectAdmin = projectAccess(
  'the role ADMIN or OWNER in the project',
  ['project-role:ADMIN', 'project-role:OWNER'],
  ({ rights }) => mustAdminister(rights),
)

export const projectOwner = projectAccess('the role OWNER in the project', ['project-role:OWNER'], ({ rights }) => {
  if (!isProjectOwner(rights)) reject('forbidden', 'Requires the project role OWNER', 'ROLE_MISSING')
})

/**
 * The caller must have a direct membership and must not be the OWNER. Access through a team or the
 * platform is not a membership to leave.
 */
export const ownMembership = projectAccess(
  'a direct membership of the project, not as OWNER',
  ['project-membership'],
  ({ rights, isDirectMember }) => {
    if (isProjectOwner(rights))
      reject('forbidden', 'You are the OWNER: transfer the project before you leave it', 'OWNER_STAYS')
    if (!isDirectMember)
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
  ['project-membership:own', 'project:members:manage'],
  async ({ rights }, { caller, read, params }) => {
    const { id: projectId, memberId } = params as ProjectParams & { memberId: string }
    const member = await findRow(read, projectMemberTable, { projectId, id: memberId })
    if (!member || member.userId !== actingUserIdOf(caller)) mustHold(rights, 'members:manage')
  },
)

/** Checks the permission in the environment that the path names. */
export const inEnvironment = (permission: ProjectPermission): ViewAccess =>
  projectAccess(
    permissionIn(permission, 'the environment'),
    [`environment:${permission}`],
    async ({ rights }, { read, params }) => {
      const { id: projectId, envId } = params as ProjectParams & { envId: string }
      await rejectUnlessVisible(read, rights, { projectId, environmentId: envId })
      mustHold(rights, permission, envId)
    },
  )

/** From the environment that the path names first to the one that it names last. */
export const promotion: ViewAccess = projectAccess(
  'the permission `apps:view` in the one environment, and `apps:deploy` in the other',
  ['environment:apps:view', 'environment:apps:deploy'],
  async ({ rights }, { read, params }) => {
    const { id: projectId, envId, dstEnvId } = params as ProjectParams & { envId: string; dstEnvId: string }
    for (const environmentId of [envId, dstEnvId]) await rejectUnlessVisible(read, rights, { projectId, environmentId })
    mustHold(rights, 'apps:view', envId)
    mustHold(rights, 'apps:deploy', dstEnvId)
  },
)

/** Checks the permission in the environment that the query names, or in the whole project without one. */
export const inSharedEnv = (permission?: ProjectPermission): ViewAccess =>
  projectAccess(
    permission ? permissionIn(permission, 'the environment of the query, or in the whole project') : ACCESS_TO_PROJECT,
    [permission ? `environment:${permission}` : 'project'],
    async ({ rights }, { read, params, query }) => {
      const { environmentId = null } = query as { environmentId?: string }
      if (environmentId !== null) await rejectUnlessVisible(read, rights, { projectId: params.id, environmentId })
      if (permission) mustHold(rights, permission, environmentId)
    },
  )

/** Checks the permission in the environment of the shared variable that the path names. */
export const inVariable = (permission: ProjectPermission): ViewAccess =>
  projectAccess(
    permissionIn(permission, 'the environment of the variable'),
    [`environment:${permission}`],
    async ({ rights }, { read, params }) => {
      const { id: projectId, rowId } = params as ProjectParams & { rowId: string }
      const { environmentId } = found(await findRow(read, projectVariableTable, { projectId, id: rowId }))
      mustHold(rights, permission, environmentId)
    },
  )

/**
 * @throws Rejection 404 for an environment of another project, and for one that the caller's
 * assignments do not include
 */
async function rejectUnlessVisible(
  read: ReadDatabase,
  rights: Rights,
  { projectId, environmentId }: { projectId: string; environmentId: string },
): Promise<void> {
  found(await findRow(read, projectEnvironmentTable, { projectId, id: environmentId }))
  if (!canSeeEnvironment(rights, environmentId)) found(undefined)
}
