/** Commands on members and ownership of a project. */
import { found, reject } from '#kernel/lib/rejection'
import { projectEvents } from '../events.ts'
import {
  requireChangeableMember,
  assignedRoleOf,
  mustCoverAssignment,
  memberOf,
  onProject,
  mustBeAdmin,
  mustManage,
  mustOwn,
  ownerOf,
  rejectOwnerRemoval,
  rejectBeyondLimit,
  requireRemovableMember,
} from '../rights/rules.ts'
import type { UserPrincipal, AssignableRole, AssignedRole, Project, ProjectMember } from '../rights/rules.ts'

interface AddMemberInput extends AssignedRole<AssignableRole> {
  readonly memberId: string
  /** An account; null for an address that no account has proven yet. */
  readonly userId: string | null
  readonly invited: { readonly emailKey: string; readonly email: string } | null
  /** Quota, which counts pending members too; undefined without a limit. */
  readonly membersMax?: number | undefined
  readonly by: UserPrincipal
}

interface ChangeMemberInput {
  readonly memberId: string
  readonly role?: Exclude<AssignableRole, 'CUSTOM'> | undefined
  readonly environmentIds?: readonly string[] | null | undefined
  readonly by: UserPrincipal
}

const MEMBERS_MAX = 1_000

export const memberCommands = {
  AddMember: onProject((known: Project, ask: AddMemberInput) => {
    const { by, membersMax, invited, ...member } = ask
    const { emailKey, email } = invited ?? { emailKey: null, email: null }
    const all = Object.values(known.members)
    if (all.some((each) => isSame(each, { userId: member.userId, emailKey })))
      reject('conflict', 'This account or address is a member of the project already', 'ALREADY_MEMBER')
    rejectBeyondLimit(all.length, MEMBERS_MAX, membersMax, 'members')
    mustCoverAssignment(known, mustManage(known, by), member)
    // The role would remain after the caller's access through a team or the platform ends.
    if (member.userId === by.userId) reject('forbidden', 'You cannot give yourself a role', 'OWN_ROLE')
    return [
      projectEvents.ProjectMemberAdded({ projectId: known.id, ...member, ...assignedRoleOf(member), emailKey, email }),
    ]
  }),
  /** The address now belongs to an account. If that is a member already, only the invitation is removed. */
  JoinMember: (project: Project | undefined, { memberId, userId }: { memberId: string; userId: string }) => {
    const pending = project?.members[memberId]
    if (!project || !pending || pending.userId !== null) return []
    const projectId = project.id
    return memberOf(project, userId)
      ? [projectEvents.ProjectMemberRemoved({ projectId, memberId, userId: null })]
      : [projectEvents.ProjectMemberJoined({ projectId, memberId, userId })]
  },
  /** Keeps what the command does not name. A built-in role replaces a custom one. */
  ChangeMember: onProject((known: Project, { memberId, role, environmentIds, by }: ChangeMemberInput) => {
    const rights = mustManage(known, by)
    const member = requireChangeableMember(known, memberId, by)
    const as = role === undefined ? (member as AssignedRole<AssignableRole>) : { role, roleId: null }
    const ask = { ...as, environmentIds: environmentIds === undefined ? member.environmentIds : environmentIds }
    mustCoverAssignment(known, rights, { ...ask, more: member.permissions })
    return [projectEvents.ProjectMemberRoleChanged({ projectId: known.id, memberId, ...assignedRoleOf(ask) })]
  }),
  /** `roleId` null replaces the custom role by VIEWER. */
  SetCustomRole: onProject(
    (known: Project, { memberId, roleId, by }: { memberId: string; roleId: string | null; by: UserPrincipal }) => {
      const rights = mustBeAdmin(known, by)
      const member = requireChangeableMember(known, memberId, by)
      const { environmentIds } = member
      const ask = { role: roleId === null ? ('VIEWER' as const) : ('CUSTOM' as const), roleId, environmentIds }
      mustCoverAssignment(known, rights, { ...ask, more: member.permissions })
      return [projectEvents.ProjectMemberRoleChanged({ projectId: known.id, memberId, ...assignedRoleOf(ask) })]
    },
  ),
  /** Grants permissions in addition to the role. `environmentIds` undefined keeps the current environments. */
  GrantMember: onProject(
    (
      known: Project,
      ask: Pick<ChangeMemberInput, 'memberId' | 'environmentIds' | 'by'> & { permissions: readonly string[] },
    ) => {
      const { memberId, by, permissions } = ask
      const rights = mustBeAdmin(known, by)
      const member = requireChangeableMember(known, memberId, by)
      const environmentIds = ask.environmentIds === undefined ? member.environmentIds : ask.environmentIds
      mustCoverAssignment(known, rights, { ...member, environmentIds, more: permissions })
      const places = environmentIds && [...environmentIds]
      const granted = { memberId, permissions: [...permissions], environmentIds: places }
      return [projectEvents.ProjectMemberGrantsChanged({ projectId: known.id, ...granted })]
    },
  ),
  RemoveMember: onProject((known: Project, { memberId, by }: { memberId: string; by: UserPrincipal }) => {
    const { userId } = requireRemovableMember(known, memberId, mustManage(known, by))
    return [projectEvents.ProjectMemberRemoved({ projectId: known.id, memberId, userId })]
  }),
  Leave: onProject((known: Project, { userId }: { userId: string }) => {
    const member = found(memberOf(known, userId))
    if (member.role === 'OWNER') rejectOwnerRemoval()
    return [projectEvents.ProjectMemberRemoved({ projectId: known.id, memberId: member.id, userId })]
  }),
  /** When the account is erased, whatever its role. A project that it owned has no owner from then on. */
  Forget: (project: Project | undefined, { userId }: { userId: string }) => {
    const member = project && memberOf(project, userId)
    return member ? [projectEvents.ProjectMemberRemoved({ projectId: project.id, memberId: member.id, userId })] : []
  },
  TransferOwnership: onProject((known: Project, { memberId, by }: { memberId: string; by: UserPrincipal }) => {
    const former = ownerOf(mustOwn(known, by))!
    const next = known.members[memberId]
    if (!next) return reject('invalid', 'No member of this project has this memberId', 'UNKNOWN_MEMBER')
    if (next.userId === null)
      return reject(
        'conflict',
        'This member is pending: the address must be proven before the member can own the project',
        'MEMBER_PENDING',
      )
    if (next === former) return reject('conflict', 'This member owns the project already', 'OWNER_ALREADY')
    const { id: projectId } = known
    return [
      projectEvents.ProjectOwnershipTransferred({
        projectId,
        memberId,
        userId: next.userId,
        formerMemberId: former.id,
      }),
    ]
  }),
  /** `memberId` is used if the account is not a member yet. */
  ClaimOwnership: onProject((known: Project, { by, memberId }: { by: UserPrincipal; memberId: string }) => {
    const { userId, platform } = by
    if (platform !== 'ADMIN') reject('forbidden', 'Missing permission projects:manage', 'PERMISSION_MISSING')
    if (ownerOf(known)) reject('conflict', 'The project already has an owner', 'OWNER_EXISTS')
    const id = memberOf(known, userId)?.id ?? memberId
    return [projectEvents.ProjectOwnershipClaimed({ projectId: known.id, memberId: id, userId })]
  }),
}

const isSame = (member: ProjectMember, { userId, emailKey }: Pick<ProjectMember, 'userId' | 'emailKey'>): boolean =>
  (userId !== null && member.userId === userId) || (emailKey !== null && member.emailKey === emailKey)
