/** The members of a project, and which of them owns it. */
import { found, reject } from '#kernel/lib/rejection'
import {
  ProjectMemberAdded,
  ProjectMemberGrantsChanged,
  ProjectMemberJoined,
  ProjectMemberRemoved,
  ProjectMemberRoleChanged,
  ProjectOwnershipClaimed,
  ProjectOwnershipTransferred,
} from '../events.ts'
import {
  requireChangeableMember,
  assignedRoleOf,
  mustCoverAssignment,
  memberOf,
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
  /** An account, or else an address that nobody has proven yet. */
  readonly userId: string | null
  readonly invited: { readonly emailKey: string; readonly email: string } | null
  /** Quota, pending ones included; undefined without a limit. */
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
  AddMember: (project: Project | undefined, ask: AddMemberInput) => {
    const known = found(project)
    const { by, membersMax, invited, ...member } = ask
    const { emailKey, email } = invited ?? { emailKey: null, email: null }
    const all = Object.values(known.members)
    if (all.some((each) => isSame(each, { userId: member.userId, emailKey })))
      reject('conflict', 'A member of this project already', 'ALREADY_MEMBER')
    rejectBeyondLimit(all.length, MEMBERS_MAX, membersMax, 'members')
    mustCoverAssignment(known, mustManage(known, by), member)
    // What he has by a team or by the platform would stay when that is over.
    if (member.userId === by.userId) reject('forbidden', 'Nobody gives himself a role', 'OWN_ROLE')
    return [ProjectMemberAdded({ projectId: known.id, ...member, ...assignedRoleOf(member), emailKey, email })]
  },
  /** Whose address it was is known now. One who had been added as an account meanwhile stays what he is. */
  JoinMember: (project: Project | undefined, { memberId, userId }: { memberId: string; userId: string }) => {
    const pending = project?.members[memberId]
    if (!project || !pending || pending.userId !== null) return []
    const projectId = project.id
    return memberOf(project, userId)
      ? [ProjectMemberRemoved({ projectId, memberId, userId: null })]
      : [ProjectMemberJoined({ projectId, memberId, userId })]
  },
  /** What is not named stays; a built-in role takes the place of a custom one. */
  ChangeMember: (project: Project | undefined, { memberId, role, environmentIds, by }: ChangeMemberInput) => {
    const known = found(project)
    const rights = mustManage(known, by)
    const member = requireChangeableMember(known, memberId, by)
    const as = role === undefined ? (member as AssignedRole<AssignableRole>) : { role, roleId: null }
    const ask = { ...as, environmentIds: environmentIds === undefined ? member.environmentIds : environmentIds }
    mustCoverAssignment(known, rights, { ...ask, more: member.permissions })
    return [ProjectMemberRoleChanged({ projectId: known.id, memberId, ...assignedRoleOf(ask) })]
  },
  /** `roleId` null: no custom role any more, and so no more than to look. */
  SetCustomRole: (
    project: Project | undefined,
    { memberId, roleId, by }: { memberId: string; roleId: string | null; by: UserPrincipal },
  ) => {
    const known = found(project)
    const rights = mustBeAdmin(known, by)
    const member = requireChangeableMember(known, memberId, by)
    const { environmentIds } = member
    const ask = { role: roleId === null ? ('VIEWER' as const) : ('CUSTOM' as const), roleId, environmentIds }
    mustCoverAssignment(known, rights, { ...ask, more: member.permissions })
    return [ProjectMemberRoleChanged({ projectId: known.id, memberId, ...assignedRoleOf(ask) })]
  },
  /** Beside what the role grants. `environmentIds` undefined: where he has what he has, as before. */
  GrantMember: (
    project: Project | undefined,
    ask: Pick<ChangeMemberInput, 'memberId' | 'environmentIds' | 'by'> & { permissions: readonly string[] },
  ) => {
    const known = found(project)
    const { memberId, by, permissions } = ask
    const rights = mustBeAdmin(known, by)
    const member = requireChangeableMember(known, memberId, by)
    const environmentIds = ask.environmentIds === undefined ? member.environmentIds : ask.environmentIds
    mustCoverAssignment(known, rights, { ...member, environmentIds, more: permissions })
    const places = environmentIds && [...environmentIds]
    const granted = { memberId, permissions: [...permissions], environmentIds: places }
    return [ProjectMemberGrantsChanged({ projectId: known.id, ...granted })]
  },
  RemoveMember: (project: Project | undefined, { memberId, by }: { memberId: string; by: UserPrincipal }) => {
    const known = found(project)
    const { userId } = requireRemovableMember(known, memberId, mustManage(known, by))
    return [ProjectMemberRemoved({ projectId: known.id, memberId, userId })]
  },
  Leave: (project: Project | undefined, { userId }: { userId: string }) => {
    const known = found(project)
    const member = found(memberOf(known, userId))
    if (member.role === 'OWNER') rejectOwnerRemoval()
    return [ProjectMemberRemoved({ projectId: known.id, memberId: member.id, userId })]
  },
  /** With his account. Whatever he was; a project that he owned is nobody's then. */
  Forget: (project: Project | undefined, { userId }: { userId: string }) => {
    const member = project && memberOf(project, userId)
    return member ? [ProjectMemberRemoved({ projectId: project.id, memberId: member.id, userId })] : []
  },
  TransferOwnership: (project: Project | undefined, { memberId, by }: { memberId: string; by: UserPrincipal }) => {
    const known = found(project)
    const former = ownerOf(mustOwn(known, by))!
    const next = known.members[memberId]
    if (!next) return reject('invalid', 'No member of this project has this memberId', 'UNKNOWN_MEMBER')
    if (next.userId === null)
      return reject('conflict', 'Nobody has proven this address yet, so nobody can own by it', 'MEMBER_PENDING')
    if (next === former) return reject('conflict', 'This member owns the project already', 'OWNER_ALREADY')
    const { id: projectId } = known
    return [ProjectOwnershipTransferred({ projectId, memberId, userId: next.userId, formerMemberId: former.id })]
  },
  /** `memberId` for one who is no member yet. */
  ClaimOwnership: (project: Project | undefined, { by, memberId }: { by: UserPrincipal; memberId: string }) => {
    const known = found(project)
    const { userId, platform } = by
    if (platform !== 'ADMIN') reject('forbidden', 'Missing permission projects:manage', 'PERMISSION_MISSING')
    if (ownerOf(known)) reject('conflict', 'The project has an owner', 'OWNER_EXISTS')
    const id = memberOf(known, userId)?.id ?? memberId
    return [ProjectOwnershipClaimed({ projectId: known.id, memberId: id, userId })]
  },
}

const isSame = (member: ProjectMember, { userId, emailKey }: Pick<ProjectMember, 'userId' | 'emailKey'>): boolean =>
  (userId !== null && member.userId === userId) || (emailKey !== null && member.emailKey === emailKey)
