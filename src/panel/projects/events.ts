/** A project: who belongs to it and as what. What lies in it, such as its environments, has streams of its own. */
import { z } from 'zod'
import { event, internal, sealed, stream } from '#kernel/events/event'

const projectId = z.uuid()
const memberId = z.uuid()
const roleId = z.uuid()
const teamId = z.uuid()

/** OWNER is no role to be given: it is created, handed over or claimed. */
export const ASSIGNABLE_BUILT_IN_ROLES = ['ADMIN', 'DEVELOPER', 'VIEWER'] as const

const assignedRoleFields = {
  role: z.enum([...ASSIGNABLE_BUILT_IN_ROLES, 'CUSTOM']),
  /** Of a CUSTOM role, else null. */
  roleId: roleId.nullable(),
  /** Null: in the whole project. */
  environmentIds: z.array(z.uuid()).nullable(),
}
const permissions = z.array(z.string())

export const sealedForProject = ({ projectId }: { projectId: string }): string => `project/${projectId}`
/** The address of somebody who is no member yet has a key of its own, which goes when it is not needed any more. */
export const sealedForInvitee = ({ memberId }: { memberId: string }): string => `invitee/${memberId}`

const about = { projectId, name: sealed(z.string()), description: sealed(z.string().nullable()) }

export const ProjectCreated = event(
  'ProjectCreated',
  'projectId',
  {
    ...about,
    /** Null where a MACHINE key made it. */
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

/** What is sealed for it and for those who never came reads ERASED from then on. */
export const ProjectDeleted = event(
  'ProjectDeleted',
  'projectId',
  {
    projectId,
    invitees: internal(z.array(memberId)),
    /** Whose accounts were in it, by themselves or by which teams: who is to be told. */
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
    /** Null until somebody has proven that the address is his. */
    userId: z.uuid().nullable(),
    /** HMAC of the address, by which it is found again. Sealed like it: once nobody is awaited by it, not even a guess can be tried. */
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

/** Beside what his role grants. */
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

/** Of a project that nobody owns. */
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

/** One stream a project: that it has one owner, and that nobody gives what he does not hold, are rules about all who belong to it. */
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
