/** What a person may do in one project: the permissions there, and what each operation asks. */
import { createContext, use } from 'react'
import type { DataOf, Operation, Shape } from '#api-client/operation'
import { getProjectsByIdMyPermissions, getProjectsByIdMyRole } from '#api-client/panel/projects'
import { Action } from '../../kit/action.tsx'
import type { ActionProps } from '../../kit/action.tsx'
import { useAnswer } from '../../session/context.tsx'

type Role = DataOf<typeof getProjectsByIdMyRole>
type Permissions = DataOf<typeof getProjectsByIdMyPermissions>

/** @param environmentId where; absent: in the whole project */
export type ProjectCan = (operation: Operation, environmentId?: string | null) => boolean

/** Undefined while the rights are not read. */
export function useProjectCan(projectId: string): ProjectCan | undefined {
  const input = { params: { id: projectId } }
  const { data: role } = useAnswer(getProjectsByIdMyRole, input)
  const { data: permissions } = useAnswer(getProjectsByIdMyPermissions, input)
  if (!role || !permissions) return undefined
  return ({ asks = [] }, environmentId = null) => {
    const holding = { role, permissions, environmentId }
    const ofProject = asks.filter((ask) => OF_PROJECT.test(ask))
    if (ofProject.length > 0 && ofProject.every((ask) => ask.startsWith(IN_ENVIRONMENT)))
      return ofProject.every((ask) => holds(ask, holding))
    return ofProject.length === 0 || ofProject.some((ask) => holds(ask, holding))
  }
}

/** What is asked in a project; the session judges the rest. */
const OF_PROJECT = /^(?:project|environment)(?:$|[:-])/

/** Of these, an operation asks for all. */
const IN_ENVIRONMENT = 'environment:'

interface Holding {
  readonly role: Role
  readonly permissions: Permissions
  readonly environmentId: string | null
}

function holds(ask: string, { role, permissions, environmentId }: Holding): boolean {
  if (ask === 'project') return true
  if (ask === 'project-membership') return role.role !== null && role.role !== 'OWNER'
  if (ask === 'project-role:OWNER') return role.role === 'OWNER'
  if (ask === 'project-role:ADMIN') return role.isAdmin
  const [place, ...rest] = ask.split(':')
  const permission = rest.join(':')
  const there = permissions.environments.find((each) => each.environmentId === environmentId)
  return (
    permissions.permissions.includes(permission) ||
    (place === 'environment' && there?.permissions.includes(permission) === true)
  )
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
  return <Action {...action} isOffered={isOffered && can(action.operation, environmentId)} />
}
