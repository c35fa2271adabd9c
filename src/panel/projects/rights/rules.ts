/** What a project is, and who may what in it as it knows it itself: what every command of it asks before it decides. */
import { found, reject } from '#kernel/lib/rejection'
import type { ProjectPermission } from '../../access/permissions.ts'
import {
  buildAssignment,
  platformRights,
  covers,
  hasPermission,
  isProjectAdmin,
  canSeeEnvironment,
} from '../../access/rights.ts'
import type { Assignment, MemberRole, PlatformReach, Rights } from '../../access/rights.ts'

export type AssignableRole = Exclude<MemberRole, 'OWNER'>

export interface AssignedRole<Role = MemberRole> {
  readonly role: Role
  readonly roleId: string | null
  readonly environmentIds: readonly string[] | null
}

export interface ProjectMember extends AssignedRole {
  readonly id: string
  /** Null, with the address in its place, until somebody has proven that it is his. */
  readonly userId: string | null
  readonly emailKey: string | null
  readonly email: string | null
  /** Granted beside the role. */
  readonly permissions: readonly string[]
  readonly createdAt: string
}

export interface CustomRole {
  readonly id: string
  readonly name: string
  readonly permissions: readonly string[]
  readonly createdAt: string
}

export interface ProjectTeam extends AssignedRole {
  readonly createdAt: string
}

export interface Project {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly createdAt: string
  readonly members: Readonly<Record<string, ProjectMember>>
  readonly roles: Readonly<Record<string, CustomRole>>
  /** By the teams’ ids. */
  readonly teams: Readonly<Record<string, ProjectTeam>>
}

/** In whose name something is asked, and how he comes to what he holds. */
export interface Principal {
  /** Undefined: nobody's, where a MACHINE key asks. */
  readonly userId: string | undefined
  readonly teamIds: readonly string[]
  /** How far the platform's permissions let him into every project. */
  readonly platform: PlatformReach | undefined
}

/** Somebody, for what he must hold himself to give it. */
export interface UserPrincipal extends Principal {
  readonly userId: string
}

export const memberOf = ({ members }: Project, userId: string): ProjectMember | undefined =>
  Object.values(members).find((member) => member.userId === userId)

export const ownerOf = ({ members }: Project): ProjectMember | undefined =>
  Object.values(members).find(({ role }) => role === 'OWNER')

export const assignedRoleOf = <Role>({ role, roleId, environmentIds }: AssignedRole<Role>) => ({
  role,
  roleId,
  environmentIds: environmentIds && [...environmentIds],
})

const assignmentOf = ({ roles }: Project, each: AssignedRole, more: readonly string[] = []): Assignment =>
  buildAssignment(each, each.roleId === null ? [] : roles[each.roleId]?.permissions, more)

/** What somebody holds as this project itself knows it. */
export function rightsOf(project: Project, { userId, teamIds, platform }: Principal): Rights {
  const member = userId === undefined ? undefined : memberOf(project, userId)
  const teams = teamIds.flatMap((id) => project.teams[id] ?? [])
  return [
    ...(member ? [assignmentOf(project, member, member.permissions)] : []),
    ...teams.map((team) => assignmentOf(project, team)),
    ...platformRights(platform),
  ]
}

/**
 * Asked of what somebody holds at the moment of his decision: since the gate asked, it may have been taken from him.
 * @param environmentId null: in the whole project
 * @throws Rejection 404 where he sees nothing any more · 403 where he holds too little
 */
export function mustHold(rights: Rights, permission: ProjectPermission, environmentId: string | null = null): Rights {
  if (rights.length === 0) found(undefined)
  if (environmentId !== null && !canSeeEnvironment(rights, environmentId)) found(undefined)
  if (!hasPermission(rights, permission, environmentId))
    reject('forbidden', `Missing permission ${permission} in this project`, 'PERMISSION_MISSING')
  return rights
}

/** @throws as mustHold */
export const mustManage = (project: Project, by: UserPrincipal): Rights =>
  mustHold(rightsOf(project, by), 'members:manage')

/** @throws as mustHold */
export function mustOwn(project: Project, { userId }: UserPrincipal): Project {
  if (ownerOf(project)?.userId === userId) return project
  return reject('forbidden', 'Only for the OWNER of the project', 'ROLE_MISSING')
}

/** @throws as mustHold */
export function mustBeAdmin(project: Project, by: UserPrincipal): Rights {
  const rights = mustManage(project, by)
  if (!isProjectAdmin(rights)) reject('forbidden', 'Only for an ADMIN of the project or its OWNER', 'ROLE_MISSING')
  return rights
}

/** @throws Rejection 400 for a role that the project does not have · 403 for more than he holds who gives it */
export function mustCoverAssignment(
  project: Project,
  rights: Rights,
  { more = [], ...given }: AssignedRole & { more?: readonly string[] },
): void {
  if (given.roleId !== null && !project.roles[given.roleId])
    reject('invalid', 'No role of this project has this roleId', 'UNKNOWN_ROLE')
  if (!covers(rights, assignmentOf(project, given, more)))
    reject('forbidden', 'Nobody gives what he does not hold himself', 'BEYOND_OWN_RIGHTS')
}

export const mustCoverPermissions = (project: Project, rights: Rights, permissions: readonly string[]): void =>
  mustCoverAssignment(project, rights, { role: 'VIEWER', roleId: null, environmentIds: null, more: permissions })

/** @throws Rejection 404 · 403 for who acts on himself, or on somebody who stands above him · 409 for the owner */
export function requireChangeableMember(project: Project, memberId: string, by: UserPrincipal): ProjectMember {
  if (found(project.members[memberId]).userId === by.userId)
    reject('forbidden', 'Nobody changes his own role', 'OWN_ROLE')
  return requireRemovableMember(project, memberId, rightsOf(project, by))
}

export function requireRemovableMember(project: Project, memberId: string, rights: Rights): ProjectMember {
  const member = found(project.members[memberId])
  if (member.role === 'OWNER') rejectOwnerRemoval()
  mustBeAdminToChangeAdmin(member, rights)
  return member
}

export function mustBeAdminToChangeAdmin({ role }: AssignedRole, rights: Rights): void {
  if (role === 'ADMIN' && !isProjectAdmin(rights))
    reject('forbidden', 'Only an ADMIN of the project or its OWNER changes what an ADMIN is', 'PROJECT_ADMIN_ONLY')
}

/** What somebody has by a custom role is his own role as well. */
export function rejectOwnRole(project: Project, roleId: string, { userId, teamIds }: UserPrincipal): void {
  const own = [memberOf(project, userId), ...teamIds.map((id) => project.teams[id])]
  if (own.some((each) => each?.roleId === roleId)) reject('forbidden', 'Nobody changes his own role', 'OWN_ROLE')
}

export function rejectOwnerRemoval(): never {
  reject('conflict', 'This is the owner: the ownership must be handed over first', 'OWNER_STAYS')
}

export function rejectBeyondLimit(present: number, most: number, quota: number | undefined, what: string): void {
  if (quota !== undefined && present >= quota)
    reject('conflict', `Quota: this project may have ${quota} ${what}`, 'QUOTA_REACHED')
  if (present >= most) reject('conflict', `A project has at most ${most} ${what}`, 'TOO_MANY')
}
