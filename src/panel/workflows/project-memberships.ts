/** Memberships across projects: commands that change all memberships of an account at once. */
import { invalidSession } from '#kernel/auth/rejections'
import type { SessionIdentity } from '#kernel/auth/session-rules'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { Caller } from '#kernel/http/route'
import { KEY } from '../access/access.ts'
import { actingUser, permissionsGrantedTo } from '../access/accounts.ts'
import { rejectInvalidKey } from '../access/key-caller.ts'
import type { KeyCaller } from '../access/key-caller.ts'
import { platformPermissions } from '../access/permissions.ts'
import { platformReach } from '../access/project-access.ts'
import { platformReachFrom } from '../access/rights.ts'
import { apiKeys, isActive } from '../api-keys/decider.ts'
import { MACHINE } from '../api-keys/events.ts'
import { userSessions } from '../auth/decider.ts'
import { projects } from '../projects/decider.ts'
import { memberOf } from '../projects/rights/rules.ts'
import type { UserPrincipal, Principal } from '../projects/rights/rules.ts'
import { projectMemberships, projectRoster } from '../projects/roster/decider.ts'
import { teamMemberships } from '../teams/decider.ts'
import { users } from '../users/decider.ts'
import type { User } from '../users/decider.ts'

/**
 * The principal of a caller, with the account as this unit of work reads it.
 * @throws Rejection 401
 */
export const userPrincipalOf = async (unit: UnitOfWork, caller: Caller): Promise<UserPrincipal> =>
  toUserPrincipal(unit, await actingUser(unit, caller))

/**
 * The same for a session that was begun before and lasts, of an active account.
 * @throws Rejection 401
 */
export async function principalOfSession(
  unit: UnitOfWork,
  { accountId, sessionId }: SessionIdentity,
): Promise<UserPrincipal> {
  const user = await unit.look(users, accountId)
  const session = (await unit.look(userSessions, accountId)).find(({ id }) => id === sessionId)
  return user?.status === 'ACTIVE' && session && session.expiresAt > unit.at
    ? toUserPrincipal(unit, user)
    : invalidSession()
}

/**
 * The same for sessions and API keys. The key and its owner must be active in this unit of work.
 * @throws Rejection 401
 */
export async function principalOf(unit: UnitOfWork, caller: Caller): Promise<Principal> {
  if (caller.kind !== KEY) return userPrincipalOf(unit, caller)
  const { keyId, ownerId } = caller as KeyCaller
  const keys = await unit.look(apiKeys, ownerId ?? MACHINE)
  if (!keys.some((key) => key.id === keyId && isActive(key, unit.at))) return rejectInvalidKey()
  if (ownerId === undefined) return { userId: undefined, teamIds: [], platform: platformReach(caller) }
  const owner = await unit.look(users, ownerId)
  return owner?.status === 'ACTIVE' ? toUserPrincipal(unit, owner) : rejectInvalidKey()
}

async function toUserPrincipal(unit: UnitOfWork, user: User): Promise<UserPrincipal> {
  const held = new Set<string>(platformPermissions(user.role, await permissionsGrantedTo(unit, user)))
  const teamIds = Object.keys(await unit.look(teamMemberships, user.id))
  return { userId: user.id, teamIds, platform: platformReachFrom((permission) => held.has(permission)) }
}

interface ProjectMembership {
  readonly projectId: string
  readonly memberId: string
}

/** A member, or an invitee. */
interface Person {
  readonly userId: string | null
  readonly emailKey?: string | null
  readonly invited?: { readonly emailKey: string } | null
}

/** The id of the account, or the key of an address that no account has proven. */
export const personOf = ({ userId, emailKey, invited }: Person): string => (userId ?? emailKey ?? invited?.emailKey)!

/** @param person id of an account or team, or the key of an address that no account has proven */
export const enterProject = (unit: UnitOfWork, person: string, place: ProjectMembership) =>
  unit.decide(projectMemberships, person, 'Enter', place)

export const exitProject = (unit: UnitOfWork, person: string, place: ProjectMembership) =>
  unit.decide(projectMemberships, person, 'Exit', place)

/** @param person id of an account or team, or the key of an address that no account has proven */
export const projectMembershipsOf = async (unit: UnitOfWork, person: string): Promise<ProjectMembership[]> =>
  Object.entries(await unit.load(projectMemberships, person)).map(([projectId, memberId]) => ({ projectId, memberId }))

/** Turns the invitations of a proven address into memberships, in the unit of work of the proof or later. */
export async function joinProjects(
  unit: UnitOfWork,
  { id: userId, emailKey }: Pick<User, 'id' | 'emailKey'>,
): Promise<void> {
  for (const place of await projectMembershipsOf(unit, emailKey)) {
    const { projectId, memberId } = place
    await unit.decide(projects, projectId, 'JoinMember', { memberId, userId })
    await exitProject(unit, emailKey, place)
    const project = await unit.load(projects, projectId)
    if (project && memberOf(project, userId)?.id === memberId) await enterProject(unit, userId, place)
  }
}

/** Ends all memberships of an account that is erased. Its projects have no owner until one claims them. */
export async function leaveProjects(unit: UnitOfWork, userId: string): Promise<void> {
  for (const place of await projectMembershipsOf(unit, userId)) {
    const { projectId } = place
    const project = await unit.load(projects, projectId)
    const isOwned = project !== undefined && memberOf(project, userId)?.role === 'OWNER'
    await unit.decide(projects, projectId, 'Forget', { userId })
    await exitProject(unit, userId, place)
    if (isOwned) await unit.decide(projectRoster, undefined, 'ChangeOwner', { projectId, ownerId: null })
  }
}
