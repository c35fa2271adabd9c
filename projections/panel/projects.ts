import {
  id,
  key,
  nullable,
  oneOf,
  primary,
  readModel,
  sealedText,
  texts,
  timestamptz,
} from '#kernel/projections/read-model'
import type { RowOf, TableWriter } from '#kernel/projections/read-model'
import { columnsOf } from '#kernel/resource/columns-of'
import type { Fields } from '#kernel/resource/fields'
import {
  projectEnvironmentEvents,
  projectEnvironmentFields,
  projectVariableFields,
} from '#panel/projects/environments/events'
import {
  projectEvents,
  projectFields,
  projectRoleFields,
  sealedForInvitee,
  sealedForProject,
} from '#panel/projects/events'

const ofInvitee = ({ id }: { id: string }) => sealedForInvitee({ memberId: id })

/** The columns of what a project contains. Its sealed fields are sealed with the key of the project. */
export const columnsInProject = <F extends Fields>(fields: F) => ({
  id: key,
  projectId: id,
  ...columnsOf(fields, sealedForProject),
})

const projectColumns = {
  id: key,
  ...columnsOf(projectFields, ({ id }: { id: string }) => sealedForProject({ projectId: id })),
  /** Null until an account claims the ownership. */
  ownerId: nullable(id),
  createdAt: timestamptz,
}

export type ProjectRow = RowOf<typeof projectColumns>

export const projectTable = readModel('projects', 1, projectColumns, ['(created_at, id)', '(owner_id)'])
  .from(projectEvents, {
    ProjectCreated: (table, { projectId, name, description, ownerId }, { at }) =>
      table.insert({ id: projectId, name, description, ownerId, createdAt: at }),
    ProjectChanged: (table, { projectId, name, description }) => table.update({ id: projectId }, { name, description }),
    ProjectDeleted: (table, { projectId }) => table.remove({ id: projectId }),
    ProjectMemberRemoved: (table, { projectId, userId }) =>
      userId === null ? undefined : table.update({ id: projectId, ownerId: userId }, { ownerId: null }),
    ProjectOwnershipTransferred: (table, { projectId, userId }) => table.update({ id: projectId }, { ownerId: userId }),
    ProjectOwnershipClaimed: (table, { projectId, userId }) => table.update({ id: projectId }, { ownerId: userId }),
  })
  .forGate()

/** Identifies a member of a project or a team. */
export const memberIdentityColumns = {
  /** Null until an account has proven the invited address; until then `email` holds that address. */
  userId: nullable(id),
  email: nullable(sealedText('email', ofInvitee)),
}

type MemberWriter = TableWriter<RowOf<typeof memberIdentityColumns> & { readonly id: string }>

/** A member of a project or a team joins when an account proves the invited address. */
export const applyMemberJoined = (table: MemberWriter, { memberId, userId }: { memberId: string; userId: string }) =>
  table.update({ id: memberId }, { userId, email: null })
export const applyMemberRemoved = (table: MemberWriter, { memberId }: { memberId: string }) =>
  table.remove({ id: memberId })

const memberColumns = {
  id: key,
  projectId: id,
  ...memberIdentityColumns,
  role: oneOf<'OWNER' | 'ADMIN' | 'DEVELOPER' | 'VIEWER' | 'CUSTOM'>(),
  roleId: nullable(id),
  /** Granted to the member in addition to the role. */
  permissions: texts,
  environmentIds: nullable(texts),
  createdAt: timestamptz,
}

const heldByOwner = { role: 'OWNER', roleId: null, permissions: [] as string[], environmentIds: null } as const

export const projectMemberTable = readModel('projectMembers', 1, memberColumns, [
  '(project_id, created_at, id)',
  '(user_id, project_id)',
])
  .from(projectEvents, {
    ProjectCreated: (table, { projectId, memberId, ownerId }, { at }) =>
      memberId === null
        ? undefined
        : table.insert({ id: memberId, projectId, userId: ownerId, email: null, ...heldByOwner, createdAt: at }),
    ProjectMemberAdded: (table, { memberId, emailKey: _key, ...member }, { at }) =>
      table.insert({ id: memberId, ...member, permissions: [], createdAt: at }),
    ProjectMemberJoined: applyMemberJoined,
    ProjectMemberRoleChanged: (table, { memberId, role, roleId, environmentIds }) =>
      table.update({ id: memberId }, { role, roleId, environmentIds }),
    ProjectMemberGrantsChanged: (table, { memberId, permissions, environmentIds }) =>
      table.update({ id: memberId }, { permissions, environmentIds }),
    ProjectMemberRemoved: applyMemberRemoved,
    ProjectDeleted: (table, { projectId }) => table.remove({ projectId }),
    ProjectOwnershipTransferred(table, { memberId, formerMemberId }) {
      table.update({ id: formerMemberId }, { role: 'ADMIN' })
      return table.update({ id: memberId }, heldByOwner)
    },
    ProjectOwnershipClaimed(table, { projectId, memberId, userId }, { at }) {
      table.remove({ id: memberId })
      return table.insert({ id: memberId, projectId, userId, email: null, ...heldByOwner, createdAt: at })
    },
  })
  .forGate()

const roleColumns = { ...columnsInProject(projectRoleFields), createdAt: timestamptz }

export const projectRoleTable = readModel('projectRoles', 1, roleColumns, ['(project_id, created_at, id)'])
  .from(projectEvents, {
    ProjectRoleCreated: (table, { roleId, projectId, name, permissions }, { at }) =>
      table.insert({ id: roleId, projectId, name, permissions, createdAt: at }),
    ProjectRoleRenamed: (table, { roleId, name }) => table.update({ id: roleId }, { name }),
    ProjectRoleGrantsChanged: (table, { roleId, permissions }) => table.update({ id: roleId }, { permissions }),
    ProjectRoleDeleted: (table, { roleId }) => table.remove({ id: roleId }),
    ProjectDeleted: (table, { projectId }) => table.remove({ projectId }),
  })
  .forGate()

const teamColumns = {
  projectId: key,
  teamId: primary(id),
  role: oneOf<'ADMIN' | 'DEVELOPER' | 'VIEWER' | 'CUSTOM'>(),
  roleId: nullable(id),
  environmentIds: nullable(texts),
  createdAt: timestamptz,
}

export type ProjectTeamRow = RowOf<typeof teamColumns>

export const projectTeamTable = readModel('projectTeams', 1, teamColumns, ['(team_id, project_id)'])
  .from(projectEvents, {
    ProjectTeamAdded: (table, team, { at }) => table.insert({ ...team, createdAt: at }),
    ProjectTeamRemoved: (table, { projectId, teamId }) => table.remove({ projectId, teamId }),
    ProjectDeleted: (table, { projectId }) => table.remove({ projectId }),
  })
  .forGate()

const environmentColumns = { ...columnsInProject(projectEnvironmentFields), createdAt: timestamptz }

export const projectEnvironmentTable = readModel('projectEnvironments', 1, environmentColumns, [
  '(project_id, created_at, id)',
])
  .from(projectEnvironmentEvents, {
    ProjectEnvironmentAdded: (table, { environmentId, projectId, name }, { at }) =>
      table.insert({ id: environmentId, projectId, name, createdAt: at }),
    ProjectEnvironmentRenamed: (table, { environmentId, name }) => table.update({ id: environmentId }, { name }),
    ProjectEnvironmentRemoved: (table, { environmentId }) => table.remove({ id: environmentId }),
  })
  .from(projectEvents, { ProjectDeleted: (table, { projectId }) => table.remove({ projectId }) })
  .forGate()

const variableColumns = { ...columnsInProject(projectVariableFields), updatedAt: timestamptz }

export const projectVariableTable = readModel('projectVariables', 1, variableColumns, ['(project_id, name, id)'])
  .from(projectEnvironmentEvents, {
    ProjectVariableSet(table, { variableId, projectId, environmentId, name, value }, { at }) {
      table.remove({ id: variableId })
      return table.insert({ id: variableId, projectId, environmentId, name, value, updatedAt: at })
    },
    ProjectVariableRemoved: (table, { variableId }) => table.remove({ id: variableId }),
  })
  .from(projectEvents, { ProjectDeleted: (table, { projectId }) => table.remove({ projectId }) })
  .forGate()
