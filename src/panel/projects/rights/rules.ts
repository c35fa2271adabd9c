/** State of a project, and the checks of rights that its commands share. */
import { fits } from '#kernel/lib/record-states'
import type { States } from '#kernel/lib/record-states'
import { found, reject } from '#kernel/lib/rejection'
import type { Item } from '#kernel/resource/resource'
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
import { ASSIGNABLE_BUILT_IN_ROLES } from '../events.ts'
import type { memberPersonFields, projectFields, projectRoleFields } from '../events.ts'

export type AssignableRole = Exclude<MemberRole, 'OWNER'>

export interface AssignedRole<Role = MemberRole> {
  readonly role: Role
  readonly roleId: string | null
  readonly environmentIds: readonly string[] | null
}

export interface ProjectMember extends AssignedRole, Item<typeof memberPersonFields> {
  /** Permissions granted in addition to the role. */
  readonly permissions: readonly string[]
}

export type CustomRole = Item<typeof projectRoleFields>

export interface ProjectTeam extends AssignedRole {
  readonly createdAt: string
}

export interface Project extends Item<typeof projectFields> {
  readonly members: Readonly<Record<string, ProjectMember>>
  readonly roles: Readonly<Record<string, CustomRole>>
  /** By team id. */
  readonly teams: Readonly<Record<string, ProjectTeam>>
}

/** The account that a command acts for, and the sources of its rights. */
export interface Principal {
  /** Undefined for a MACHINE key, which acts for no account. */
  readonly userId: string | undefined
  readonly teamIds: readonly string[]
  /** Reach of the account's platform permissions into every project. */
  readonly platform: PlatformReach | undefined
}

/** A principal with an account, for commands that grant rights. */
export interface UserPrincipal extends Principal {
  readonly userId: string
}

/**
 * A command on a project that exists.
 * @throws Rejection 404
 */
export const onProject =
  <Ask, Decided>(decide: (project: Project, ask: Ask) => Decided) =>
  (project: Project | undefined, ask: Ask): Decided =>
    decide(found(project), ask)

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

/** Rights of a principal, from the state of this project. */
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
 * Checks the rights when the decision is made, because they may have changed since the gate.
 * @param environmentId null: the whole project
 * @throws Rejection 404 if the caller does not see the project or environment · 403 without the permission
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

/** @throws Rejection 403 unless the principal owns the project */
export function mustOwn(project: Project, { userId }: UserPrincipal): Project {
  if (ownerOf(project)?.userId === userId) return project
  return reject('forbidden', 'Requires the project role OWNER', 'ROLE_MISSING')
}

/** @throws as mustHold */
export function mustBeAdmin(project: Project, by: UserPrincipal): Rights {
  const rights = mustManage(project, by)
  if (!isProjectAdmin(rights)) reject('forbidden', 'Requires the project role ADMIN or OWNER', 'ROLE_MISSING')
  return rights
}

/**
 * @throws Rejection 400 for an unknown role of the project · 403 for an assignment beyond the caller's
 * own rights
 */
export function mustCoverAssignment(
  project: Project,
  rights: Rights,
  { more = [], ...given }: AssignedRole & { more?: readonly string[] },
): void {
  if (given.roleId !== null && !project.roles[given.roleId])
    reject('invalid', 'No role of this project has this roleId', 'UNKNOWN_ROLE')
  if (!covers(rights, assignmentOf(project, given, more)))
    reject('forbidden', 'You cannot grant rights that you do not hold yourself', 'BEYOND_OWN_RIGHTS')
}

export const mustCoverPermissions = (project: Project, rights: Rights, permissions: readonly string[]): void =>
  mustCoverAssignment(project, rights, { role: 'VIEWER', roleId: null, environmentIds: null, more: permissions })

/**
 * @throws Rejection 404 · 403 for the caller's own membership, or for an ADMIN unless the caller is one
 * · 409 for the owner
 */
export function requireChangeableMember(project: Project, memberId: string, by: UserPrincipal): ProjectMember {
  if (found(project.members[memberId]).userId === by.userId)
    reject('forbidden', 'You cannot change your own role', 'OWN_ROLE')
  return requireRemovableMember(project, memberId, rightsOf(project, by))
}

/** Not the owner. */
export const ASSIGNED_MEMBER = {
  role: [...ASSIGNABLE_BUILT_IN_ROLES, 'CUSTOM'],
} as const satisfies States<ProjectMember>

export function requireRemovableMember(project: Project, memberId: string, rights: Rights): ProjectMember {
  const member = found(project.members[memberId])
  if (!fits(member, ASSIGNED_MEMBER)) rejectOwnerRemoval()
  mustBeAdminToChangeAdmin(member, rights)
  return member
}

export function mustBeAdminToChangeAdmin({ role }: AssignedRole, rights: Rights): void {
  if (role === 'ADMIN' && !isProjectAdmin(rights))
    reject('forbidden', 'Only an ADMIN or the OWNER of the project can change an ADMIN', 'PROJECT_ADMIN_ONLY')
}

/** A custom role that the caller has directly or through a team counts as the caller's own role. */
export function rejectOwnRole(project: Project, roleId: string, { userId, teamIds }: UserPrincipal): void {
  const own = [memberOf(project, userId), ...teamIds.map((id) => project.teams[id])]
  if (own.some((each) => each?.roleId === roleId))
    reject('forbidden', 'You cannot change a role that you have yourself', 'OWN_ROLE')
}

export function rejectOwnerRemoval(): never {
  reject('conflict', 'This member is the owner: transfer the ownership first', 'OWNER_STAYS')
}

export function rejectBeyondLimit(present: number, most: number, quota: number | undefined, what: string): void {
  if (quota !== undefined && present >= quota)
    reject('conflict', `The quota of this project allows ${quota} ${what}: remove one first`, 'QUOTA_REACHED')
  if (present >= most) reject('conflict', `A project can have at most ${most} ${what}: remove one first`, 'TOO_MANY')
}
