/**
 * What somebody may do in a project: the union of what he was assigned there, by himself and by each of his teams, every assignment
 * with environments of its own. Roles are never compared.
 */
import { PROJECT_PERMISSIONS, BUILT_IN_PROJECT_ROLES } from './permissions.ts'
import type { PlatformPermission, ProjectPermission, BuiltInProjectRole } from './permissions.ts'

/** CUSTOM: one of the project's own roles. */
export type MemberRole = BuiltInProjectRole | 'CUSTOM'

export interface Assignment {
  readonly role: MemberRole
  readonly permissions: readonly string[]
  /** Null: in the whole project. */
  readonly environmentIds: readonly string[] | null
}

/** Empty for whoever does not see the project at all. */
export type Rights = readonly Assignment[]

/** How far the platform's permissions reach into every project: projects:view, projects:manage. */
export type PlatformReach = 'VIEWER' | 'ADMIN'

/** A custom role grants what it grants, a built-in one what everybody knows; `more` was granted to the member himself. */
export const buildAssignment = (
  { role, environmentIds }: Omit<Assignment, 'permissions'>,
  custom: readonly string[] = [],
  more: readonly string[] = [],
): Assignment => ({
  role,
  permissions: [...(role === 'CUSTOM' ? custom : BUILT_IN_PROJECT_ROLES[role]), ...more],
  environmentIds,
})

/** ADMIN of every project, and never its OWNER, or no more than to look. */
export function platformReachFrom(holds: (permission: PlatformPermission) => boolean): PlatformReach | undefined {
  if (holds('projects:manage')) return 'ADMIN'
  return holds('projects:view') ? 'VIEWER' : undefined
}

export const platformRights = (reach: PlatformReach | undefined): Rights =>
  reach === undefined ? [] : [buildAssignment({ role: reach, environmentIds: null })]

const reaches = ({ environmentIds }: Assignment, environmentId: string | null): boolean =>
  environmentIds === null || (environmentId !== null && environmentIds.includes(environmentId))

/** @param environmentId null: in the whole project */
export const hasPermission = (
  rights: Rights,
  permission: ProjectPermission,
  environmentId: string | null = null,
): boolean => rights.some((each) => each.permissions.includes(permission) && reaches(each, environmentId))

export const canSeeEnvironment = (rights: Rights, environmentId: string): boolean =>
  rights.some((each) => reaches(each, environmentId))

/** ADMIN+: what is not grantable, such as managing roles. */
export const isProjectAdmin = (rights: Rights): boolean =>
  rights.some(({ role, environmentIds }) => (role === 'ADMIN' || role === 'OWNER') && environmentIds === null)

export const isProjectOwner = (rights: Rights): boolean => rights.some(({ role }) => role === 'OWNER')

/** Whether somebody may give this: nobody gives what he does not hold, wherever it would be held. */
export function covers(rights: Rights, { role, permissions, environmentIds }: Assignment): boolean {
  if ((role === 'ADMIN' || role === 'OWNER') && !isProjectAdmin(rights)) return false
  const places = environmentIds ?? [null]
  return PROJECT_PERMISSIONS.filter((each) => permissions.includes(each)).every((permission) =>
    places.every((place) => hasPermission(rights, permission, place)),
  )
}
