/** A project with its members, roles and teams. Its contents, such as environments, have their own streams. */
import { z } from 'zod'
import { eventsAbout, internal, sealed, stream } from '#kernel/events/event'

const memberId = z.uuid()
const roleId = z.uuid()
const teamId = z.uuid()

/** OWNER cannot be assigned: a project is created with it, or the ownership is transferred or claimed. */
export const ASSIGNABLE_BUILT_IN_ROLES = ['ADMIN', 'DEVELOPER', 'VIEWER'] as const

export const assignedRoleFields = {
  role: z.enum([...ASSIGNABLE_BUILT_IN_ROLES, 'CUSTOM']),
  /** Set for a CUSTOM role, else null. */
  roleId: roleId.nullable(),
  /** Null: the whole project. */
  environmentIds: z.array(z.uuid()).nullable(),
}
const permissions = z.array(z.string())

export const sealedForProject = ({ projectId }: { projectId: string }): string => `project/${projectId}`
/** An invited address has its own data key, destroyed once the invitation is accepted or removed. */
export const sealedForInvitee = ({ memberId }: { memberId: string }): string => `invitee/${memberId}`

/** The person of a membership in a project or a team. */
export const memberPersonFields = {
  /** Null until an account has proven the address. */
  userId: z.uuid().nullable(),
  /** HMAC of the address, to find the invitation. Sealed, so that guesses cannot be checked after its end. */
  emailKey: sealed(z.string().nullable()),
  email: sealed(z.string().nullable()),
}
export const invitedMemberFields = { memberId, ...memberPersonFields }

export const projectFields = { name: sealed(z.string()), description: sealed(z.string().nullable()) }
export const projectRoleFields = { name: sealed(z.string()), permissions }

const declareEvents = eventsAbout({ projectId: z.uuid() }, sealedForProject)
const events = declareEvents({
  ProjectCreated: {
    fields: {
      ...projectFields,
      /** Null if a MACHINE key created the project. */
      ownerId: z.uuid().nullable(),
      memberId: memberId.nullable(),
    },
    sentence: ({ projectId, ownerId }) =>
      `created project ${projectId} ${ownerId === null ? 'without an owner' : `of ${ownerId}`}`,
  },
  ProjectChanged: {
    fields: projectFields,
    sentence: ({ projectId }) => `changed name or description of project ${projectId}`,
  },
  /** From then on, the sealed data of the project and of its invitees reads ERASED. */
  ProjectDeleted: {
    fields: {
      invitees: internal(z.array(memberId)),
      /** Accounts with a direct membership, and teams of the project: the accounts to notify. */
      userIds: internal(z.array(z.uuid())),
      teamIds: internal(z.array(teamId)),
    },
    sentence: ({ projectId }) => `deleted project ${projectId}`,
    strict: true,
  },
  ProjectMemberAdded: {
    fields: { ...invitedMemberFields, ...assignedRoleFields },
    sentence: ({ projectId, memberId, userId, role }) =>
      `added ${userId === null ? 'an address' : userId} to project ${projectId} as ${role}, member ${memberId}`,
    sealedFor: sealedForInvitee,
  },
  ProjectMemberJoined: {
    fields: { memberId, userId: z.uuid() },
    sentence: ({ projectId, memberId, userId }) => `joined project ${projectId} as ${userId}, member ${memberId}`,
  },
  ProjectMemberRoleChanged: {
    fields: { memberId, ...assignedRoleFields },
    sentence: ({ projectId, memberId, role, roleId }) =>
      `made member ${memberId} of project ${projectId} ${role}${roleId === null ? '' : ` ${roleId}`}`,
    strict: true,
  },
  /** Permissions granted in addition to the role. */
  ProjectMemberGrantsChanged: {
    fields: { memberId, permissions, environmentIds: assignedRoleFields.environmentIds },
    sentence: ({ projectId, memberId, permissions }) =>
      `granted member ${memberId} of project ${projectId} ${permissions.join(', ') || 'nothing'} beside the role`,
    strict: true,
  },
  ProjectMemberRemoved: {
    fields: { memberId, userId: z.uuid().nullable() },
    sentence: ({ projectId, memberId }) => `removed member ${memberId} from project ${projectId}`,
    strict: true,
  },
  ProjectOwnershipTransferred: {
    fields: { memberId, userId: z.uuid(), formerMemberId: memberId },
    sentence: ({ projectId, userId }) => `handed the ownership of project ${projectId} to ${userId}`,
    strict: true,
  },
  /** Claims the ownership of a project without an owner. */
  ProjectOwnershipClaimed: {
    fields: { memberId, userId: z.uuid() },
    sentence: ({ projectId, userId }) => `claimed the ownership of project ${projectId} for ${userId}`,
    strict: true,
  },
  ProjectRoleCreated: {
    fields: { roleId, ...projectRoleFields },
    sentence: ({ projectId, roleId }) => `created role ${roleId} in project ${projectId}`,
  },
  ProjectRoleRenamed: {
    fields: { roleId, name: projectRoleFields.name },
    sentence: ({ projectId, roleId }) => `renamed role ${roleId} of project ${projectId}`,
  },
  ProjectRoleGrantsChanged: {
    fields: { roleId, permissions },
    sentence: ({ projectId, roleId, permissions }) =>
      `let role ${roleId} of project ${projectId} grant ${permissions.join(', ') || 'nothing'}`,
    strict: true,
  },
  ProjectRoleDeleted: {
    fields: { roleId },
    sentence: ({ projectId, roleId }) => `deleted role ${roleId} of project ${projectId}`,
    strict: true,
  },
  ProjectTeamAdded: {
    fields: { teamId, ...assignedRoleFields },
    sentence: ({ projectId, teamId, role }) => `put team ${teamId} on project ${projectId} as ${role}`,
  },
  ProjectTeamRemoved: {
    fields: { teamId },
    sentence: ({ projectId, teamId }) => `took team ${teamId} off project ${projectId}`,
    strict: true,
  },
})

/** One stream per project, because its invariants span all members: one owner, and no grant beyond own rights. */
export const projectEvents = stream('project', events)
