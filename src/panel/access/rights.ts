/**
 * Rights in a project: the assignments to the account and its teams, each for its environments. No role is compared.
 */
import { PROJECT_PERMISSIONS, BUILT_IN_PROJECT_ROLES } from './permissions.ts'
import type { PlatformPermission, ProjectPermission, BuiltInProjectRole } from './permissions.ts'

/** CUSTOM is one of the project's own roles. */
export type MemberRole = BuiltInProjectRole | 'CUSTOM'

export interface Assignment {
  readonly role: MemberRole
  readonly permissions: readonly string[]
  /** Null: the whole project. */
  readonly environmentIds: readonly string[] | null
}

/** Empty for a caller that does not see the project. */
export type Rights = readonly Assignment[]

/** Rights in every project: projects:view gives VIEWER, projects:manage gives ADMIN. */
export type PlatformReach = 'VIEWER' | 'ADMIN'

/** A CUSTOM role uses `custom`, a built-in role its fixed permissions. `more`: granted to the member directly. */
export const buildAssignment = (
  { role, environmentIds }: Omit<Assignment, 'permissions'>,
  custom: readonly string[] = [],
  more: readonly string[] = [],
): Assignment => ({
  role,
  permissions: [...(role === 'CUSTOM' ? custom : BUILT_IN_PROJECT_ROLES[role]), ...more],
  environmentIds,
})

/** projects:manage gives ADMIN of every project, never OWNER; projects:view gives VIEWER. */
export function platformReachFrom(holds: (permission: PlatformPermission) => boolean): PlatformReach | undefined {
  if (holds('projects:manage')) return 'ADMIN'
  return holds('projects:view') ? 'VIEWER' : undefined
}

export const platformRights = (reach: PlatformReach | undefined): Rights =>
  reach === undefined ? [] : [buildAssignment({ role: reach, environmentIds: null })]

const reaches = ({ environmentIds }: Assignment, environmentId: string | null): boolean =>
  environmentIds === null || (environmentId !== null && environmentIds.includes(environmentId))

/** @param environmentId null: the whole project */
export const hasPermission = (
  rights: Rights,
  permission: ProjectPermission,
  environmentId: string | null = null,
): boolean => rights.some((each) => each.permissions.includes(permission) && reaches(each, environmentId))

/** In any environment. */
export const hasSomewhere = (rights: Rights, permission: ProjectPermission): boolean =>
  rights.some(({ permissions }) => permissions.includes(permission))

export const canDeploy = (rights: Rights): boolean => hasSomewhere(rights, 'apps:deploy')

export const canSeeEnvironment = (rights: Rights, environmentId: string): boolean =>
  rights.some((each) => reaches(each, environmentId))

/** ADMIN or OWNER of the whole project, for what cannot be granted, such as managing roles. */
export const isProjectAdmin = (rights: Rights): boolean =>
  rights.some(({ role, environmentIds }) => (role === 'ADMIN' || role === 'OWNER') && environmentIds === null)

export const isProjectOwner = (rights: Rights): boolean => rights.some(({ role }) => role === 'OWNER')

/** Whether these rights allow the assignment: they must hold each of its permissions in each environment. */
export function covers(rights: Rights, { role, permissions, environmentIds }: Assignment): boolean {
  if ((role === 'ADMIN' || role === 'OWNER') && !isProjectAdmin(rights)) return false
  const places = environmentIds ?? [null]
  return PROJECT_PERMISSIONS.filter((each) => permissions.includes(each)).every((permission) =>
    places.every((place) => hasPermission(rights, permission, place)),
  )
}
