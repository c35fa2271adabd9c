/** The roles that a project has beside the built-in ones, and the teams on it. */
import { found, reject } from '#kernel/lib/rejection'
import {
  ProjectRoleCreated,
  ProjectRoleDeleted,
  ProjectRoleGrantsChanged,
  ProjectRoleRenamed,
  ProjectTeamAdded,
  ProjectTeamRemoved,
} from '../events.ts'
import {
  held,
  mayGive,
  mayGrant,
  mustBeAdmin,
  mustManage,
  refuseAbove,
  refuseBeyond,
  refuseOwn,
} from '../rights/rules.ts'
import type { By, GivenRole, Held, Project } from '../rights/rules.ts'

interface Granting {
  readonly permissions: readonly string[]
  readonly by: By
}

const ROLES_MAX = 100
const TEAMS_MAX = 100

export const roleCommands = {
  CreateRole: (
    project: Project | undefined,
    { roleId, name, permissions, by }: { roleId: string; name: string } & Granting,
  ) => {
    const known = found(project)
    refuseBeyond(Object.keys(known.roles).length, ROLES_MAX, undefined, 'roles')
    refuseTaken(known, name)
    mayGrant(known, mustBeAdmin(known, by), permissions)
    return [ProjectRoleCreated({ projectId: known.id, roleId, name, permissions: [...permissions] })]
  },
  RenameRole: (project: Project | undefined, { roleId, name, by }: { roleId: string; name: string; by: By }) => {
    const known = found(project)
    mustBeAdmin(known, by)
    found(known.roles[roleId])
    refuseTaken(known, name, roleId)
    return [ProjectRoleRenamed({ projectId: known.id, roleId, name })]
  },
  GrantRole: (project: Project | undefined, { roleId, permissions, by }: { roleId: string } & Granting) => {
    const known = found(project)
    found(known.roles[roleId])
    refuseOwn(known, roleId, by)
    mayGrant(known, mustBeAdmin(known, by), permissions)
    return [ProjectRoleGrantsChanged({ projectId: known.id, roleId, permissions: [...permissions] })]
  },
  DeleteRole: (project: Project | undefined, { roleId, by }: { roleId: string; by: By }) => {
    const known = found(project)
    mustBeAdmin(known, by)
    found(known.roles[roleId])
    if ([...Object.values(known.members), ...Object.values(known.teams)].some((each) => each.roleId === roleId))
      reject('conflict', 'Somebody has this role: give him another one first', 'ROLE_IN_USE')
    return [ProjectRoleDeleted({ projectId: known.id, roleId })]
  },
}

export const teamCommands = {
  AddTeam: (project: Project | undefined, { teamId, by, ...ask }: Held<GivenRole> & { teamId: string; by: By }) => {
    const known = found(project)
    if (known.teams[teamId]) reject('conflict', 'The team is on this project already', 'ALREADY_MEMBER')
    refuseBeyond(Object.keys(known.teams).length, TEAMS_MAX, undefined, 'teams')
    mayGive(known, mustManage(known, by), ask)
    return [ProjectTeamAdded({ projectId: known.id, teamId, ...held(ask) })]
  },
  RemoveTeam: (project: Project | undefined, { teamId, by }: { teamId: string; by: By }) => {
    const known = found(project)
    refuseAbove(found(known.teams[teamId]), mustManage(known, by))
    return [ProjectTeamRemoved({ projectId: known.id, teamId })]
  },
  /** With the team itself, whoever was on it and as what. */
  ForgetTeam: (project: Project | undefined, { teamId }: { teamId: string }) =>
    project?.teams[teamId] ? [ProjectTeamRemoved({ projectId: project.id, teamId })] : [],
}

function refuseTaken({ roles }: Project, name: string, except?: string): void {
  if (Object.values(roles).some((role) => role.id !== except && role.name === name))
    reject('conflict', 'The project has a role of this name', 'NAME_TAKEN')
}
