/** The ways into a project: what a route asks of its caller about the project that its path names. */
import type { Kysely, SelectQueryBuilder } from 'kysely'
import type { Access, Caller, AccessRuleInput, AccessRule } from '#kernel/http/route'
import { found, reject } from '#kernel/lib/rejection'
import {
  projectEnvironmentTable,
  projectMemberTable,
  projectTable,
  projectTeamTable,
  projectVariableTable,
} from '#projections/panel/projects'
import type { ProjectMemberRow } from '#projections/panel/projects'
import { mustHold } from '../projects/rights/rules.ts'
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

/** Of an API key as of a session: in whose name it acts, and how far that goes. */
interface ProjectCaller extends Caller {
  readonly userId?: string
  /** Of a key; absent for a MACHINE key, which is a principal of its own. */
  readonly ownerId?: string | undefined
  /** The only projects that a key knows. */
  readonly projectIds?: readonly string[] | undefined
}

/** In whose name is asked: nobody's where a MACHINE key asks. */
export const actingUserIdOf = (caller: Caller): string | undefined => {
  const { kind, userId, ownerId } = caller as ProjectCaller
  return kind === KEY ? ownerId : userId
}

/** Undefined: whatever the person may see. */
export const projectIdsOf = (caller: Caller): readonly string[] | undefined => (caller as ProjectCaller).projectIds

/** How far the platform's permissions let somebody into every project; never as its OWNER. A MACHINE key goes as far as its scopes. */
export function platformReach(caller: Caller): PlatformReach | undefined {
  const isMachine = caller.kind === KEY && actingUserIdOf(caller) === undefined
  return isMachine ? 'ADMIN' : platformReachFrom((permission) => caller.can(permission))
}

/** What the caller may do in the project now; empty when he does not see it, or when there is none. */
export async function rightsIn(read: Kysely<any>, caller: Caller, projectId: string): Promise<Rights> {
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

const projectExists = async (read: Kysely<any>, projectId: string): Promise<boolean> =>
  (await projectTable.queryIn(read).select('id').where('id', '=', projectId).executeTakeFirst()) !== undefined

/** As the read models show it: what is taken away is gone from them before that is answered. */
async function assignmentsOf(read: Kysely<any>, userId: string, projectId: string): Promise<Assignment[]> {
  const members: SelectQueryBuilder<any, any, any> = projectMemberTable.queryIn(read)
  const rows = (await members
    .leftJoin('read.projectRoles as custom', 'custom.id', 'projectMembers.roleId')
    .where('projectMembers.projectId', '=', projectId)
    .where('userId', '=', userId)
    .select(['role', 'environmentIds', 'projectMembers.permissions as more', 'custom.permissions as granted'])
    .execute()) as AssignmentRow[]
  return rows.map((row) => buildAssignment(row, row.granted ?? [], row.more))
}

/** What each of his teams is there. */
async function teamAssignmentsOf(read: Kysely<any>, userId: string, projectId: string): Promise<Assignment[]> {
  const teams: SelectQueryBuilder<any, any, any> = projectTeamTable.queryIn(read)
  const rows = (await teams
    .innerJoin('read.teamMembers as own', 'own.teamId', 'projectTeams.teamId')
    .leftJoin('read.projectRoles as custom', 'custom.id', 'projectTeams.roleId')
    .where('projectTeams.projectId', '=', projectId)
    .where('own.userId', '=', userId)
    .select(['role', 'environmentIds', 'custom.permissions as granted'])
    .execute()) as Omit<AssignmentRow, 'more'>[]
  return rows.map((row) => buildAssignment(row, row.granted ?? []))
}

type AssignmentRow = Pick<ProjectMemberRow, 'role' | 'environmentIds'> & {
  readonly more: readonly string[]
  readonly granted: readonly string[] | null
}

interface ProjectParams {
  readonly id: string
}

type ProjectRule = (rights: Rights, entering: AccessRuleInput & { readonly params: ProjectParams }) => unknown

/** Whoever does not see the project is told what he is told of one that does not exist. */
const ruleInProject =
  (question: ProjectRule = () => {}): AccessRule =>
  async (entering) => {
    const rights = await rightsIn(entering.read, entering.caller, entering.params.id)
    if (rights.length === 0) found(undefined)
    await question(rights, entering)
  }

const projectAccess = (question?: ProjectRule, scope?: string): Access =>
  scope === undefined
    ? { kinds: [USER], rule: ruleInProject(question) }
    : { kinds: [USER, KEY], scope, rule: ruleInProject(question) }

/** @param permission that he must hold in the whole project. @param scope of the keys that the route is open to */
export const inProject = (permission?: ProjectPermission, scope?: string): Access =>
  projectAccess(permission && ((rights) => mustHold(rights, permission)), scope)

/** Built-in ADMIN or OWNER: what no permission stands for. */
export const projectAdmin: Access = projectAccess((rights) => {
  if (!isProjectAdmin(rights)) reject('forbidden', 'Only for an ADMIN of the project or its OWNER', 'ROLE_MISSING')
})

export const projectOwner: Access = projectAccess((rights) => {
  if (!isProjectOwner(rights)) reject('forbidden', 'Only for the OWNER of the project', 'ROLE_MISSING')
})

/** Whoever was added himself and may go: not the owner, and not who is here by a team or by the platform alone. */
export const ownMembership: Access = projectAccess(async (rights, { caller, read, params }) => {
  if (isProjectOwner(rights)) reject('forbidden', 'The OWNER stays until he has handed the project over', 'OWNER_STAYS')
  const own = await assignmentsOf(read, actingUserIdOf(caller) ?? '', params.id)
  if (own.length === 0) reject('forbidden', 'You are here without a membership of your own', 'NO_MEMBERSHIP')
})

/** About a member: whoever is that member, or may manage members. */
export const memberOrManager: Access = projectAccess(async (rights, { caller, read, params }) => {
  const { id: projectId, memberId } = params as ProjectParams & { memberId: string }
  const members = projectMemberTable.queryIn(read).select('userId').where('projectId', '=', projectId)
  const member = await members.where('id', '=', memberId).executeTakeFirst()
  if (!member || member.userId !== actingUserIdOf(caller)) mustHold(rights, 'members:manage')
})

/** About the environment that the path names. */
export const inEnvironment = (permission: ProjectPermission): Access =>
  projectAccess(async (rights, { read, params }) => {
    const { id: projectId, envId } = params as ProjectParams & { envId: string }
    await rejectUnlessVisible(read, rights, { projectId, environmentId: envId })
    mustHold(rights, permission, envId)
  })

/** About the environment that the query names, or about all of them. */
export const inSharedEnv = (permission?: ProjectPermission): Access =>
  projectAccess(async (rights, { read, params, query }) => {
    const { environmentId = null } = query as { environmentId?: string }
    if (environmentId !== null) await rejectUnlessVisible(read, rights, { projectId: params.id, environmentId })
    if (permission) mustHold(rights, permission, environmentId)
  })

/** About the shared variable that the path names, wherever that is. */
export const inVariable = (permission: ProjectPermission): Access =>
  projectAccess(async (rights, { read, params }) => {
    const { id: projectId, rowId } = params as ProjectParams & { rowId: string }
    const variables = projectVariableTable.queryIn(read).select('environmentId').where('projectId', '=', projectId)
    const { environmentId } = found(await variables.where('id', '=', rowId).executeTakeFirst())
    mustHold(rights, permission, environmentId)
  })

/** @throws Rejection 404 for an environment of another project, and for one that none of his assignments reaches */
async function rejectUnlessVisible(
  read: Kysely<any>,
  rights: Rights,
  { projectId, environmentId }: { projectId: string; environmentId: string },
): Promise<void> {
  const environments = projectEnvironmentTable.queryIn(read).select('id').where('projectId', '=', projectId)
  found(await environments.where('id', '=', environmentId).executeTakeFirst())
  if (!canSeeEnvironment(rights, environmentId)) found(undefined)
}
