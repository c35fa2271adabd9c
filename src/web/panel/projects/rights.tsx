/** What a person may do in one project: the permissions there, and what each operation asks. */
import { createContext, use } from 'react'
import type { DataOf, Operation, Shape } from '#api-client/operation'
import {
  deleteProjectsById,
  deleteProjectsByIdEnvironmentsByEnvId,
  deleteProjectsByIdMembersByMemberId,
  deleteProjectsByIdMembersMe,
  deleteProjectsByIdRolesByRoleId,
  deleteProjectsByIdSharedEnvByRowId,
  deleteProjectsByIdTeamsByTeamId,
  getProjectsByIdMembersByMemberIdGrants,
  getProjectsByIdMyPermissions,
  getProjectsByIdMyRole,
  getProjectsByIdTeams,
  patchProjectsById,
  patchProjectsByIdEnvironmentsByEnvId,
  patchProjectsByIdMembersByMemberId,
  patchProjectsByIdMembersByMemberIdCustomRole,
  patchProjectsByIdRolesByRoleId,
  postProjectsByIdEnvironments,
  postProjectsByIdMembers,
  postProjectsByIdRoles,
  postProjectsByIdTeams,
  postProjectsByIdTransferOwnership,
  putProjectsByIdMembersByMemberIdGrants,
  putProjectsByIdRolesByRoleIdGrants,
  putProjectsByIdSharedEnv,
} from '#api-client/panel'
import { Action } from '../../kit/action.tsx'
import type { ActionProps } from '../../kit/action.tsx'
import { useAnswer } from '../../session/context.tsx'

type Role = DataOf<typeof getProjectsByIdMyRole>
type Permissions = DataOf<typeof getProjectsByIdMyPermissions>

/** A permission in the project or in one of its environments, or what no permission can give. */
type Asked = `${string}:${string}` | 'ADMIN' | 'OWNER' | 'MEMBERSHIP'

/** As the routes declare it (x-requires). An operation that is not named here asks for access to the project only. */
const ASKED: ReadonlyMap<unknown, Asked> = new Map<unknown, Asked>([
  [patchProjectsById, 'settings:manage'],
  [deleteProjectsById, 'OWNER'],
  [postProjectsByIdTransferOwnership, 'OWNER'],
  [postProjectsByIdMembers, 'members:manage'],
  [patchProjectsByIdMembersByMemberId, 'members:manage'],
  [deleteProjectsByIdMembersByMemberId, 'members:manage'],
  [deleteProjectsByIdMembersMe, 'MEMBERSHIP'],
  [patchProjectsByIdMembersByMemberIdCustomRole, 'ADMIN'],
  [getProjectsByIdMembersByMemberIdGrants, 'members:manage'],
  [putProjectsByIdMembersByMemberIdGrants, 'ADMIN'],
  [postProjectsByIdRoles, 'ADMIN'],
  [patchProjectsByIdRolesByRoleId, 'ADMIN'],
  [deleteProjectsByIdRolesByRoleId, 'ADMIN'],
  [putProjectsByIdRolesByRoleIdGrants, 'ADMIN'],
  [postProjectsByIdEnvironments, 'environments:manage'],
  [patchProjectsByIdEnvironmentsByEnvId, 'environments:manage'],
  [deleteProjectsByIdEnvironmentsByEnvId, 'environments:manage'],
  [putProjectsByIdSharedEnv, 'apps:env'],
  [deleteProjectsByIdSharedEnvByRowId, 'apps:env'],
  [getProjectsByIdTeams, 'members:manage'],
  [postProjectsByIdTeams, 'members:manage'],
  [deleteProjectsByIdTeamsByTeamId, 'members:manage'],
])

/** @param environmentId where; absent: in the whole project */
export type ProjectCan = (operation: unknown, environmentId?: string | null) => boolean

/** Undefined while the rights are not read. */
export function useProjectCan(projectId: string): ProjectCan | undefined {
  const input = { params: { id: projectId } }
  const { data: role } = useAnswer(getProjectsByIdMyRole, input)
  const { data: permissions } = useAnswer(getProjectsByIdMyPermissions, input)
  if (!role || !permissions) return undefined
  return (operation, environmentId = null) => {
    const asked = ASKED.get(operation)
    return asked === undefined || holds(asked, { role, permissions, environmentId })
  }
}

interface Holding {
  readonly role: Role
  readonly permissions: Permissions
  readonly environmentId: string | null
}

function holds(asked: Asked, { role, permissions, environmentId }: Holding): boolean {
  if (asked === 'ADMIN') return role.isAdmin
  if (asked === 'OWNER') return role.role === 'OWNER'
  if (asked === 'MEMBERSHIP') return role.role !== null && role.role !== 'OWNER'
  const there = permissions.environments.find((each) => each.environmentId === environmentId)
  return permissions.permissions.includes(asked) || there?.permissions.includes(asked) === true
}

interface InProject {
  readonly id: string
  readonly can: ProjectCan
}

export const ProjectContext = createContext<InProject | undefined>(undefined)

export const useProject = (): InProject => use(ProjectContext)!

interface ProjectActionProps<S extends Shape> extends ActionProps<S> {
  readonly environmentId?: string | null
}

/** An operation of the project, shown to those who may call it there. */
export function ProjectAction<S extends Shape>({ environmentId, isOffered = true, ...action }: ProjectActionProps<S>) {
  const { can } = useProject()
  return <Action {...action} isOffered={isOffered && can(action.operation as Operation, environmentId)} />
}
