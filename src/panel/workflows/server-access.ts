/** What a caller may do on a server, as a unit of work reads it. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { Caller } from '#kernel/http/route'
import { found, reject } from '#kernel/lib/rejection'
import { permissionsGrantedTo } from '../access/accounts.ts'
import { platformPermissions } from '../access/permissions.ts'
import type { PlatformPermission } from '../access/permissions.ts'
import { canDeploy } from '../access/rights.ts'
import { projects } from '../projects/decider.ts'
import { rightsOf } from '../projects/rights/rules.ts'
import type { Principal } from '../projects/rights/rules.ts'
import { serverAccess } from '../servers/access/decider.ts'
import type { AccessSubject, ServerLevel } from '../servers/access/events.ts'
import { levelOf, projectsNamedBy } from '../servers/access/rules.ts'
import type { AccessRule, ServerReach } from '../servers/access/rules.ts'
import { servers } from '../servers/decider.ts'
import { teamMember, teams } from '../teams/decider.ts'
import { users } from '../users/decider.ts'
import { principalOf } from './project-memberships.ts'

export async function holdsPermission(
  unit: UnitOfWork,
  userId: string | undefined,
  permission: PlatformPermission,
): Promise<boolean> {
  const user = userId === undefined ? undefined : await unit.look(users, userId)
  return (
    user !== undefined && platformPermissions(user.role, await permissionsGrantedTo(unit, user)).includes(permission)
  )
}

const rulesOf = async (unit: UnitOfWork, serverId: string): Promise<AccessRule[]> =>
  Object.values(await unit.look(serverAccess, serverId))

export async function rightsInProject(unit: UnitOfWork, projectId: string, by: Principal) {
  const project = await unit.look(projects, projectId)
  return project ? rightsOf(project, by) : []
}

async function deployingIn(unit: UnitOfWork, projectIds: readonly string[], by: Principal): Promise<Set<string>> {
  const deploying = new Set<string>()
  for (const projectId of projectIds)
    if (canDeploy(await rightsInProject(unit, projectId, by))) deploying.add(projectId)
  return deploying
}

/**
 * The authority of a caller that manages the server by a permission or a rule. Only the permission gives MANAGE to others.
 * @throws Rejection 401 · 404 · 403
 */
export async function mustManageServer(
  unit: UnitOfWork,
  caller: Caller,
  serverId: string,
): Promise<{ readonly isManager: boolean; readonly by: Principal }> {
  found(await unit.look(servers, serverId))
  const by = await principalOf(unit, caller)
  const isManager = await holdsPermission(unit, by.userId, 'servers:manage')
  if (isManager) return { isManager, by }
  const rules = await rulesOf(unit, serverId)
  const named = projectsNamedBy(rules.filter(({ level }) => level === 'MANAGE'))
  const projectIds = await deployingIn(unit, named, by)
  const { userId, teamIds } = by
  if (levelOf(rules, { isManager, userId, teamIds, projectIds }) !== 'MANAGE')
    reject('forbidden', 'Missing permission servers:manage, or MANAGE of this server', 'PERMISSION_MISSING')
  return { isManager, by }
}

interface Placement {
  readonly serverId: string
  /** A rule for it counts for a caller that deploys in it. Null: for the installation. */
  readonly projectId: string | null
}

/**
 * An unknown server is refused like one that the caller may not use.
 * @throws Rejection 401 · 403 SERVER_NOT_YOURS
 */
export async function mustUseServer(
  unit: UnitOfWork,
  caller: Caller,
  { serverId, projectId }: Placement,
): Promise<ServerLevel> {
  const by = await principalOf(unit, caller)
  const { userId, teamIds } = by
  const isManager = await holdsPermission(unit, userId, 'servers:manage')
  const projectIds = await deployingIn(unit, projectId === null ? [] : [projectId], by)
  const reach: ServerReach = { isManager, userId, teamIds, projectIds }
  const server = await unit.look(servers, serverId)
  const level = server && levelOf(await rulesOf(unit, serverId), reach)
  return level ?? reject('forbidden', 'No server that you may use has this id', 'SERVER_NOT_YOURS')
}

/**
 * Hides teams and projects that the caller does not see. Any account may be named, as a member of a project may.
 * @throws Rejection 400 UNKNOWN_SUBJECT
 */
export async function mustExist(unit: UnitOfWork, by: Principal, { userId, teamId, projectId }: AccessSubject) {
  const isKnown =
    (userId !== null && (await unit.look(users, userId)) !== undefined) ||
    (teamId !== null && (await seesTeam(unit, teamId, by))) ||
    (projectId !== null && (await rightsInProject(unit, projectId, by)).length > 0)
  if (!isKnown) reject('invalid', 'No account, team or project has this id', 'UNKNOWN_SUBJECT')
}

async function seesTeam(unit: UnitOfWork, teamId: string, { userId }: Principal): Promise<boolean> {
  const team = await unit.look(teams, teamId)
  if (!team || userId === undefined) return false
  return teamMember(team, userId) !== undefined || holdsPermission(unit, userId, 'users:view')
}
