/** Commands on custom roles and teams of a project. */
import { found, reject } from '#kernel/lib/rejection'
import { projectEvents } from '../events.ts'
import {
  assignedRoleOf,
  mustCoverAssignment,
  mustCoverPermissions,
  mustBeAdmin,
  mustManage,
  onProject,
  mustBeAdminToChangeAdmin,
  rejectBeyondLimit,
  rejectOwnRole,
} from '../rights/rules.ts'
import type { UserPrincipal, AssignableRole, AssignedRole, Project } from '../rights/rules.ts'

interface GrantInput {
  readonly permissions: readonly string[]
  readonly by: UserPrincipal
}

const ROLES_MAX = 100
const TEAMS_MAX = 100

export const roleCommands = {
  CreateRole: onProject(
    (known: Project, { roleId, name, permissions, by }: { roleId: string; name: string } & GrantInput) => {
      rejectBeyondLimit(Object.keys(known.roles).length, ROLES_MAX, undefined, 'roles')
      rejectTakenName(known, name)
      mustCoverPermissions(known, mustBeAdmin(known, by), permissions)
      return [projectEvents.ProjectRoleCreated({ projectId: known.id, roleId, name, permissions: [...permissions] })]
    },
  ),
  RenameRole: onProject((known: Project, { roleId, name, by }: { roleId: string; name: string; by: UserPrincipal }) => {
    mustBeAdmin(known, by)
    found(known.roles[roleId])
    rejectTakenName(known, name, roleId)
    return [projectEvents.ProjectRoleRenamed({ projectId: known.id, roleId, name })]
  }),
  GrantRole: onProject((known: Project, { roleId, permissions, by }: { roleId: string } & GrantInput) => {
    found(known.roles[roleId])
    rejectOwnRole(known, roleId, by)
    mustCoverPermissions(known, mustBeAdmin(known, by), permissions)
    return [projectEvents.ProjectRoleGrantsChanged({ projectId: known.id, roleId, permissions: [...permissions] })]
  }),
  DeleteRole: onProject((known: Project, { roleId, by }: { roleId: string; by: UserPrincipal }) => {
    mustBeAdmin(known, by)
    found(known.roles[roleId])
    if ([...Object.values(known.members), ...Object.values(known.teams)].some((each) => each.roleId === roleId))
      reject('conflict', 'The role is in use: give its members and teams another role first', 'ROLE_IN_USE')
    return [projectEvents.ProjectRoleDeleted({ projectId: known.id, roleId })]
  }),
}

export const teamCommands = {
  AddTeam: onProject(
    (known: Project, { teamId, by, ...ask }: AssignedRole<AssignableRole> & { teamId: string; by: UserPrincipal }) => {
      if (known.teams[teamId]) reject('conflict', 'The team is on this project already', 'ALREADY_MEMBER')
      rejectBeyondLimit(Object.keys(known.teams).length, TEAMS_MAX, undefined, 'teams')
      mustCoverAssignment(known, mustManage(known, by), ask)
      return [projectEvents.ProjectTeamAdded({ projectId: known.id, teamId, ...assignedRoleOf(ask) })]
    },
  ),
  RemoveTeam: onProject((known: Project, { teamId, by }: { teamId: string; by: UserPrincipal }) => {
    mustBeAdminToChangeAdmin(found(known.teams[teamId]), mustManage(known, by))
    return [projectEvents.ProjectTeamRemoved({ projectId: known.id, teamId })]
  }),
  /** When the team is deleted. */
  ForgetTeam: (project: Project | undefined, { teamId }: { teamId: string }) =>
    project?.teams[teamId] ? [projectEvents.ProjectTeamRemoved({ projectId: project.id, teamId })] : [],
}

function rejectTakenName({ roles }: Project, name: string, except?: string): void {
  if (Object.values(roles).some((role) => role.id !== except && role.name === name))
    reject('conflict', 'A role with this name already exists in the project', 'NAME_TAKEN')
}
