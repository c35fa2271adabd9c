/**
 * A project with its members, roles and teams. Its contents, such as environments, have streams of
 * their own.
 */
import { z } from 'zod'
import { event, internal, sealed, stream } from '#kernel/events/event'

const projectId = z.uuid()
const memberId = z.uuid()
const roleId = z.uuid()
const teamId = z.uuid()

/** OWNER cannot be assigned: a project is created with it, or the ownership is transferred or claimed. */
export const ASSIGNABLE_BUILT_IN_ROLES = ['ADMIN', 'DEVELOPER', 'VIEWER'] as const

const assignedRoleFields = {
  role: z.enum([...ASSIGNABLE_BUILT_IN_ROLES, 'CUSTOM']),
  /** Set for a CUSTOM role, else null. */
  roleId: roleId.nullable(),
  /** Null: the whole project. */
  environmentIds: z.array(z.uuid()).nullable(),
}
const permissions = z.array(z.string())

export const sealedForProject = ({ projectId }: { projectId: string }): string => `project/${projectId}`
/**
 * An invited address has a data key of its own, which is destroyed once the invitation is accepted or
 * removed.
 */
export const sealedForInvitee = ({ memberId }: { memberId: string }): string => `invitee/${memberId}`

const about = { projectId, name: sealed(z.string()), description: sealed(z.string().nullable()) }

export const ProjectCreated = event(
  'ProjectCreated',
  'projectId',
  {
    ...about,
    /** Null if a MACHINE key created the project. */
    ownerId: z.uuid().nullable(),
    memberId: memberId.nullable(),
  },
  ({ projectId, ownerId }) => `created project ${projectId} ${ownerId === null ? 'without an owner' : `of ${ownerId}`}`,
  { sealedFor: sealedForProject },
)

export const ProjectChanged = event(
  'ProjectChanged',
  'projectId',
  about,
  ({ projectId }) => `changed name or description of project ${projectId}`,
  { sealedFor: sealedForProject },
)

/** From then on, the sealed data of the project and of its invitees reads ERASED. */
export const ProjectDeleted = event(
  'ProjectDeleted',
  'projectId',
  {
    projectId,
    invitees: internal(z.array(memberId)),
    /** Accounts with a direct membership, and teams of the project: the accounts to notify. */
    userIds: internal(z.array(z.uuid())),
    teamIds: internal(z.array(teamId)),
  },
  ({ projectId }) => `deleted project ${projectId}`,
  { strict: true },
)

export const ProjectMemberAdded = event(
  'ProjectMemberAdded',
  'projectId',
  {
    projectId,
    memberId,
    /** Null until an account has proven the address. */
    userId: z.uuid().nullable(),
    /**
     * HMAC of the address, to find the invitation again. Sealed too, so that guesses cannot be checked
     * after the invitation ends.
     */
    emailKey: sealed(z.string().nullable()),
    email: sealed(z.string().nullable()),
    ...assignedRoleFields,
  },
  ({ projectId, memberId, userId, role }) =>
    `added ${userId === null ? 'an address' : userId} to project ${projectId} as ${role}, member ${memberId}`,
  { sealedFor: sealedForInvitee },
)

export const ProjectMemberJoined = event(
  'ProjectMemberJoined',
  'projectId',
  { projectId, memberId, userId: z.uuid() },
  ({ projectId, memberId, userId }) => `joined project ${projectId} as ${userId}, member ${memberId}`,
)

export const ProjectMemberRoleChanged = event(
  'ProjectMemberRoleChanged',
  'projectId',
  { projectId, memberId, ...assignedRoleFields },
  ({ projectId, memberId, role, roleId }) =>
    `made member ${memberId} of project ${projectId} ${role}${roleId === null ? '' : ` ${roleId}`}`,
  { strict: true },
)

/** Permissions granted in addition to the role. */
export const ProjectMemberGrantsChanged = event(
  'ProjectMemberGrantsChanged',
  'projectId',
  { projectId, memberId, permissions, environmentIds: assignedRoleFields.environmentIds },
  ({ projectId, memberId, permissions }) =>
    `granted member ${memberId} of project ${projectId} ${permissions.join(', ') || 'nothing'} beside the role`,
  { strict: true },
)

export const ProjectMemberRemoved = event(
  'ProjectMemberRemoved',
  'projectId',
  { projectId, memberId, userId: z.uuid().nullable() },
  ({ projectId, memberId }) => `removed member ${memberId} from project ${projectId}`,
  { strict: true },
)

export const ProjectOwnershipTransferred = event(
  'ProjectOwnershipTransferred',
  'projectId',
  { projectId, memberId, userId: z.uuid(), formerMemberId: memberId },
  ({ projectId, userId }) => `handed the ownership of project ${projectId} to ${userId}`,
  { strict: true },
)

/** Claims the ownership of a project without an owner. */
export const ProjectOwnershipClaimed = event(
  'ProjectOwnershipClaimed',
  'projectId',
  { projectId, memberId, userId: z.uuid() },
  ({ projectId, userId }) => `claimed the ownership of project ${projectId} for ${userId}`,
  { strict: true },
)

export const ProjectRoleCreated = event(
  'ProjectRoleCreated',
  'projectId',
  { projectId, roleId, name: sealed(z.string()), permissions },
  ({ projectId, roleId }) => `created role ${roleId} in project ${projectId}`,
  { sealedFor: sealedForProject },
)

export const ProjectRoleRenamed = event(
  'ProjectRoleRenamed',
  'projectId',
  { projectId, roleId, name: sealed(z.string()) },
  ({ projectId, roleId }) => `renamed role ${roleId} of project ${projectId}`,
  { sealedFor: sealedForProject },
)

export const ProjectRoleGrantsChanged = event(
  'ProjectRoleGrantsChanged',
  'projectId',
  { projectId, roleId, permissions },
  ({ projectId, roleId, permissions }) =>
    `let role ${roleId} of project ${projectId} grant ${permissions.join(', ') || 'nothing'}`,
  { strict: true },
)

export const ProjectRoleDeleted = event(
  'ProjectRoleDeleted',
  'projectId',
  { projectId, roleId },
  ({ projectId, roleId }) => `deleted role ${roleId} of project ${projectId}`,
  { strict: true },
)

export const ProjectTeamAdded = event(
  'ProjectTeamAdded',
  'projectId',
  { projectId, teamId, ...assignedRoleFields },
  ({ projectId, teamId, role }) => `put team ${teamId} on project ${projectId} as ${role}`,
)

export const ProjectTeamRemoved = event(
  'ProjectTeamRemoved',
  'projectId',
  { projectId, teamId },
  ({ projectId, teamId }) => `took team ${teamId} off project ${projectId}`,
  { strict: true },
)

/**
 * One stream per project. Its invariants span all members: one owner, and nothing granted beyond the
 * granting caller's rights.
 */
export const projectEvents = stream('project', [
  ProjectCreated,
  ProjectChanged,
  ProjectDeleted,
  ProjectMemberAdded,
  ProjectMemberJoined,
  ProjectMemberRoleChanged,
  ProjectMemberGrantsChanged,
  ProjectMemberRemoved,
  ProjectOwnershipTransferred,
  ProjectOwnershipClaimed,
  ProjectRoleCreated,
  ProjectRoleRenamed,
  ProjectRoleGrantsChanged,
  ProjectRoleDeleted,
  ProjectTeamAdded,
  ProjectTeamRemoved,
])
