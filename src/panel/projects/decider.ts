import { decider } from '#kernel/decider'
import { found, reject } from '#kernel/rejection'
import { assigned, byPlatform, covers, holds, isProjectAdmin } from '../identity/rights.ts'
import type { Assignment, HeldRole, PlatformReach, Rights } from '../identity/rights.ts'
import {
  projectEvents,
  ProjectChanged,
  ProjectCreated,
  ProjectDeleted,
  ProjectMemberAdded,
  ProjectMemberGrantsChanged,
  ProjectMemberJoined,
  ProjectMemberRemoved,
  ProjectMemberRoleChanged,
  ProjectOwnershipClaimed,
  ProjectOwnershipTransferred,
  ProjectRoleCreated,
  ProjectRoleDeleted,
  ProjectRoleGrantsChanged,
  ProjectRoleRenamed,
  ProjectTeamAdded,
  ProjectTeamRemoved,
} from './events.ts'

type GivenRole = Exclude<HeldRole, 'OWNER'>

interface Held<Role = HeldRole> {
  readonly role: Role
  readonly roleId: string | null
  readonly environmentIds: readonly string[] | null
}

export interface ProjectMember extends Held {
  readonly id: string
  /** Null, with the address in its place, until somebody has proven that it is his. */
  readonly userId: string | null
  readonly emailKey: string | null
  readonly email: string | null
  /** Granted beside the role. */
  readonly permissions: readonly string[]
  readonly createdAt: string
}

export interface ProjectRole {
  readonly id: string
  readonly name: string
  readonly permissions: readonly string[]
  readonly createdAt: string
}

export interface ProjectTeam extends Held {
  readonly createdAt: string
}

export interface Project {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly createdAt: string
  readonly members: Readonly<Record<string, ProjectMember>>
  readonly roles: Readonly<Record<string, ProjectRole>>
  /** By the teams’ ids. */
  readonly teams: Readonly<Record<string, ProjectTeam>>
}

/** Who acts, for what he must hold himself to give it. */
export interface By {
  readonly userId: string
  readonly teamIds: readonly string[]
  /** How far the platform's permissions let him into every project. */
  readonly platform: PlatformReach | undefined
}

interface NewMember extends Held<GivenRole> {
  readonly memberId: string
  /** An account, or else an address that nobody has proven yet. */
  readonly userId: string | null
  readonly invited: { readonly emailKey: string; readonly email: string } | null
  /** Quota, pending ones included; undefined without a limit. */
  readonly membersMax?: number | undefined
  readonly by: By
}

interface MemberChange {
  readonly memberId: string
  readonly role?: Exclude<GivenRole, 'CUSTOM'> | undefined
  readonly environmentIds?: readonly string[] | null | undefined
  readonly by: By
}

interface Granting {
  readonly permissions: readonly string[]
}

const ROLES_MAX = 100
const MEMBERS_MAX = 1_000
const TEAMS_MAX = 100

const OWNING = { role: 'OWNER', roleId: null, environmentIds: null, permissions: [] } as const

export const projects = decider(projectEvents, {
  initial: undefined as Project | undefined,
  evolve: {
    ProjectCreated: (_none, { projectId, name, description, ownerId, memberId }, at): Project => {
      const createdAt = at.toISOString()
      const bare = { id: projectId, name, description, createdAt, members: {}, roles: {}, teams: {} }
      return memberId === null ? bare : withOwner(bare, memberId, ownerId!, at)
    },
    ProjectChanged: (project, { name, description }) => ({ ...project!, name, description }),
    ProjectDeleted: () => undefined,
    ProjectMemberAdded: (project, { projectId: _id, memberId, ...member }, at) =>
      withMember(project!, { ...member, id: memberId, permissions: [], createdAt: at.toISOString() }),
    ProjectMemberJoined: (project, { memberId, userId }) =>
      changed(project!, memberId, { userId, emailKey: null, email: null }),
    ProjectMemberRoleChanged: (project, { projectId: _id, memberId, ...held }) => changed(project!, memberId, held),
    ProjectMemberGrantsChanged: (project, { memberId, permissions, environmentIds }) =>
      changed(project!, memberId, { permissions, environmentIds }),
    ProjectMemberRemoved: (project, { memberId }) => ({ ...project!, members: without(project!.members, memberId) }),
    ProjectOwnershipTransferred: (project, { memberId, formerMemberId }) =>
      changed(changed(project!, formerMemberId, { role: 'ADMIN' }), memberId, OWNING),
    ProjectOwnershipClaimed: (project, { memberId, userId }, at) => withOwner(project!, memberId, userId, at),
    ProjectRoleCreated: (project, { roleId, name, permissions }, at) =>
      withRole(project!, { id: roleId, name, permissions, createdAt: at.toISOString() }),
    ProjectRoleRenamed: (project, { roleId, name }) => withRole(project!, { ...project!.roles[roleId]!, name }),
    ProjectRoleGrantsChanged: (project, { roleId, permissions }) =>
      withRole(project!, { ...project!.roles[roleId]!, permissions }),
    ProjectRoleDeleted: (project, { roleId }) => ({ ...project!, roles: without(project!.roles, roleId) }),
    ProjectTeamAdded: (project, { projectId: _id, teamId, ...held }, at) => ({
      ...project!,
      teams: { ...project!.teams, [teamId]: { ...held, createdAt: at.toISOString() } },
    }),
    ProjectTeamRemoved: (project, { teamId }) => ({ ...project!, teams: without(project!.teams, teamId) }),
  },
  commands: {
    CreateProject: (
      _none,
      ask: {
        projectId: string
        name: string
        description: string | null
        owner: { userId: string; memberId: string } | undefined
      },
    ) => {
      const { owner, ...project } = ask
      return [ProjectCreated({ ...project, ownerId: owner?.userId ?? null, memberId: owner?.memberId ?? null })]
    },
    ChangeProject: (project, ask: { name?: string | undefined; description?: string | null | undefined }) => {
      const { id: projectId, name, description } = found(project)
      return [
        ProjectChanged({
          projectId,
          name: ask.name ?? name,
          description: ask.description === undefined ? description : ask.description,
        }),
      ]
    },
    DeleteProject: (project, { by }: { by: By }) => {
      const { id: projectId, members } = mustOwn(found(project), by)
      const invitees = Object.values(members).filter(({ userId }) => userId === null)
      return [ProjectDeleted({ projectId, invitees: invitees.map(({ id }) => id) })]
    },
    AddMember: (project, ask: NewMember) => {
      const known = found(project)
      const { by, membersMax, invited, ...member } = ask
      const { emailKey, email } = invited ?? { emailKey: null, email: null }
      const all = Object.values(known.members)
      if (all.some((each) => isSame(each, { userId: member.userId, emailKey })))
        reject('conflict', 'A member of this project already', 'ALREADY_MEMBER')
      refuseBeyond(all.length, MEMBERS_MAX, membersMax, 'members')
      mayGive(known, mustManage(known, by), member)
      return [ProjectMemberAdded({ projectId: known.id, ...member, ...held(member), emailKey, email })]
    },
    /** Whose address it was is known now. One who had been added as an account meanwhile stays what he is. */
    JoinMember: (project, { memberId, userId }: { memberId: string; userId: string }) => {
      const pending = project?.members[memberId]
      if (!project || !pending || pending.userId !== null) return []
      const projectId = project.id
      return memberOf(project, userId)
        ? [ProjectMemberRemoved({ projectId, memberId, userId: null })]
        : [ProjectMemberJoined({ projectId, memberId, userId })]
    },
    /** What is not named stays; a built-in role takes the place of a custom one. */
    ChangeMember: (project, { memberId, role, environmentIds, by }: MemberChange) => {
      const known = found(project)
      const rights = mustManage(known, by)
      const member = changeable(known, memberId, by)
      const as = role === undefined ? (member as Held<GivenRole>) : { role, roleId: null }
      const ask = { ...as, environmentIds: environmentIds === undefined ? member.environmentIds : environmentIds }
      mayGive(known, rights, { ...ask, more: member.permissions })
      return [ProjectMemberRoleChanged({ projectId: known.id, memberId, ...held(ask) })]
    },
    /** `roleId` null: no custom role any more, and so no more than to look. */
    SetCustomRole: (project, { memberId, roleId, by }: { memberId: string; roleId: string | null; by: By }) => {
      const known = found(project)
      const rights = mustBeAdmin(known, by)
      const member = changeable(known, memberId, by)
      const { environmentIds } = member
      const ask = { role: roleId === null ? ('VIEWER' as const) : ('CUSTOM' as const), roleId, environmentIds }
      mayGive(known, rights, { ...ask, more: member.permissions })
      return [ProjectMemberRoleChanged({ projectId: known.id, memberId, ...held(ask) })]
    },
    /** Beside what the role grants. `environmentIds` undefined: where he has what he has, as before. */
    GrantMember: (project, ask: Pick<MemberChange, 'memberId' | 'environmentIds' | 'by'> & Granting) => {
      const known = found(project)
      const { memberId, by, permissions } = ask
      const rights = mustBeAdmin(known, by)
      const member = changeable(known, memberId, by)
      const environmentIds = ask.environmentIds === undefined ? member.environmentIds : ask.environmentIds
      mayGive(known, rights, { ...member, environmentIds, more: permissions })
      const places = environmentIds && [...environmentIds]
      const granted = { memberId, permissions: [...permissions], environmentIds: places }
      return [ProjectMemberGrantsChanged({ projectId: known.id, ...granted })]
    },
    RemoveMember: (project, { memberId, by }: { memberId: string; by: By }) => {
      const known = found(project)
      const { userId } = removable(known, memberId, mustManage(known, by))
      return [ProjectMemberRemoved({ projectId: known.id, memberId, userId })]
    },
    Leave: (project, { userId }: { userId: string }) => {
      const known = found(project)
      const member = found(memberOf(known, userId))
      if (member.role === 'OWNER') ownerStays()
      return [ProjectMemberRemoved({ projectId: known.id, memberId: member.id, userId })]
    },
    /** With his account. Whatever he was; a project that he owned is nobody's then. */
    Forget: (project, { userId }: { userId: string }) => {
      const member = project && memberOf(project, userId)
      return member ? [ProjectMemberRemoved({ projectId: project.id, memberId: member.id, userId })] : []
    },
    TransferOwnership: (project, { memberId, by }: { memberId: string; by: By }) => {
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
    ClaimOwnership: (project, { by, memberId }: { by: By; memberId: string }) => {
      const known = found(project)
      const { userId, platform } = by
      if (platform !== 'ADMIN') reject('forbidden', 'Missing permission projects:manage', 'PERMISSION_MISSING')
      if (ownerOf(known)) reject('conflict', 'The project has an owner', 'OWNER_EXISTS')
      const id = memberOf(known, userId)?.id ?? memberId
      return [ProjectOwnershipClaimed({ projectId: known.id, memberId: id, userId })]
    },
    CreateRole: (project, { roleId, name, permissions, by }: { roleId: string; name: string; by: By } & Granting) => {
      const known = found(project)
      refuseBeyond(Object.keys(known.roles).length, ROLES_MAX, undefined, 'roles')
      refuseTaken(known, name)
      mayGrant(known, mustBeAdmin(known, by), permissions)
      return [ProjectRoleCreated({ projectId: known.id, roleId, name, permissions: [...permissions] })]
    },
    RenameRole: (project, { roleId, name, by }: { roleId: string; name: string; by: By }) => {
      const known = found(project)
      mustBeAdmin(known, by)
      found(known.roles[roleId])
      refuseTaken(known, name, roleId)
      return [ProjectRoleRenamed({ projectId: known.id, roleId, name })]
    },
    GrantRole: (project, { roleId, permissions, by }: { roleId: string; by: By } & Granting) => {
      const known = found(project)
      found(known.roles[roleId])
      refuseOwn(known, roleId, by)
      mayGrant(known, mustBeAdmin(known, by), permissions)
      return [ProjectRoleGrantsChanged({ projectId: known.id, roleId, permissions: [...permissions] })]
    },
    DeleteRole: (project, { roleId, by }: { roleId: string; by: By }) => {
      const known = found(project)
      mustBeAdmin(known, by)
      found(known.roles[roleId])
      if ([...Object.values(known.members), ...Object.values(known.teams)].some((each) => each.roleId === roleId))
        reject('conflict', 'Somebody has this role: give him another one first', 'ROLE_IN_USE')
      return [ProjectRoleDeleted({ projectId: known.id, roleId })]
    },
    AddTeam: (project, { teamId, by, ...ask }: Held<GivenRole> & { teamId: string; by: By }) => {
      const known = found(project)
      if (known.teams[teamId]) reject('conflict', 'The team is on this project already', 'ALREADY_MEMBER')
      refuseBeyond(Object.keys(known.teams).length, TEAMS_MAX, undefined, 'teams')
      mayGive(known, mustManage(known, by), ask)
      return [ProjectTeamAdded({ projectId: known.id, teamId, ...held(ask) })]
    },
    RemoveTeam: (project, { teamId, by }: { teamId: string; by: By }) => {
      const known = found(project)
      refuseAbove(found(known.teams[teamId]), mustManage(known, by))
      return [ProjectTeamRemoved({ projectId: known.id, teamId })]
    },
    /** With the team itself, whoever was on it and as what. */
    ForgetTeam: (project, { teamId }: { teamId: string }) =>
      project?.teams[teamId] ? [ProjectTeamRemoved({ projectId: project.id, teamId })] : [],
  },
})

const without = <Value>(all: Readonly<Record<string, Value>>, id: string): Readonly<Record<string, Value>> =>
  Object.fromEntries(Object.entries(all).filter(([each]) => each !== id))

const withMember = (project: Project, member: ProjectMember): Project => ({
  ...project,
  members: { ...project.members, [member.id]: member },
})

const withRole = (project: Project, role: ProjectRole): Project => ({
  ...project,
  roles: { ...project.roles, [role.id]: role },
})

const changed = (project: Project, memberId: string, change: Partial<ProjectMember>): Project =>
  withMember(project, { ...project.members[memberId]!, ...change })

const withOwner = (project: Project, id: string, userId: string, at: Date): Project =>
  withMember(project, { ...OWNING, id, userId, emailKey: null, email: null, createdAt: at.toISOString() })

export const memberOf = ({ members }: Project, userId: string): ProjectMember | undefined =>
  Object.values(members).find((member) => member.userId === userId)

export const ownerOf = ({ members }: Project): ProjectMember | undefined =>
  Object.values(members).find(({ role }) => role === 'OWNER')

const isSame = (member: ProjectMember, { userId, emailKey }: Pick<ProjectMember, 'userId' | 'emailKey'>): boolean =>
  (userId !== null && member.userId === userId) || (emailKey !== null && member.emailKey === emailKey)

const held = <Role>({ role, roleId, environmentIds }: Held<Role>) => ({
  role,
  roleId,
  environmentIds: environmentIds && [...environmentIds],
})

const assignmentOf = ({ roles }: Project, each: Held, more: readonly string[] = []): Assignment =>
  assigned(each, each.roleId === null ? [] : roles[each.roleId]?.permissions, more)

/** What somebody holds as this project itself knows it. */
export function rightsOf(project: Project, { userId, teamIds, platform }: By): Rights {
  const member = memberOf(project, userId)
  const teams = teamIds.flatMap((id) => project.teams[id] ?? [])
  return [
    ...(member ? [assignmentOf(project, member, member.permissions)] : []),
    ...teams.map((team) => assignmentOf(project, team)),
    ...byPlatform(platform),
  ]
}

/**
 * What somebody holds at the moment of his decision: since the gate asked, it may have been taken from him.
 * @throws Rejection 404 where nothing is left · 403 where too little is
 */
function mustManage(project: Project, by: By): Rights {
  const rights = rightsOf(project, by)
  if (rights.length === 0) found(undefined)
  if (!holds(rights, 'members:manage'))
    reject('forbidden', 'Missing permission members:manage in this project', 'PERMISSION_MISSING')
  return rights
}

/** @throws as mustManage */
function mustOwn(project: Project, { userId }: By): Project {
  if (ownerOf(project)?.userId === userId) return project
  return reject('forbidden', 'Only for the OWNER of the project', 'ROLE_MISSING')
}

/** @throws as mustManage */
function mustBeAdmin(project: Project, by: By): Rights {
  const rights = mustManage(project, by)
  if (!isProjectAdmin(rights)) reject('forbidden', 'Only for an ADMIN of the project or its OWNER', 'ROLE_MISSING')
  return rights
}

/** @throws Rejection 400 for a role that the project does not have · 403 for more than he holds who gives it */
function mayGive(project: Project, rights: Rights, { more = [], ...given }: Held & { more?: readonly string[] }): void {
  if (given.roleId !== null && !project.roles[given.roleId])
    reject('invalid', 'No role of this project has this roleId', 'UNKNOWN_ROLE')
  if (!covers(rights, assignmentOf(project, given, more)))
    reject('forbidden', 'Nobody gives what he does not hold himself', 'BEYOND_OWN_RIGHTS')
}

const mayGrant = (project: Project, rights: Rights, permissions: readonly string[]): void =>
  mayGive(project, rights, { role: 'VIEWER', roleId: null, environmentIds: null, more: permissions })

/** @throws Rejection 404 · 403 for who acts on himself, or on somebody who stands above him · 409 for the owner */
function changeable(project: Project, memberId: string, by: By): ProjectMember {
  if (found(project.members[memberId]).userId === by.userId)
    reject('forbidden', 'Nobody changes his own role', 'OWN_ROLE')
  return removable(project, memberId, rightsOf(project, by))
}

function removable(project: Project, memberId: string, rights: Rights): ProjectMember {
  const member = found(project.members[memberId])
  if (member.role === 'OWNER') ownerStays()
  refuseAbove(member, rights)
  return member
}

function refuseAbove({ role }: Held, rights: Rights): void {
  if (role === 'ADMIN' && !isProjectAdmin(rights))
    reject('forbidden', 'Only an ADMIN of the project or its OWNER changes what an ADMIN is', 'PROJECT_ADMIN_ONLY')
}

/** What somebody has by a custom role is his own role as well. */
function refuseOwn(project: Project, roleId: string, { userId, teamIds }: By): void {
  const own = [memberOf(project, userId), ...teamIds.map((id) => project.teams[id])]
  if (own.some((each) => each?.roleId === roleId)) reject('forbidden', 'Nobody changes his own role', 'OWN_ROLE')
}

function ownerStays(): never {
  reject('conflict', 'This is the owner: the ownership must be handed over first', 'OWNER_STAYS')
}

function refuseTaken({ roles }: Project, name: string, except?: string): void {
  if (Object.values(roles).some((role) => role.id !== except && role.name === name))
    reject('conflict', 'The project has a role of this name', 'NAME_TAKEN')
}

function refuseBeyond(present: number, most: number, quota: number | undefined, what: string): void {
  if (quota !== undefined && present >= quota)
    reject('conflict', `Quota: this project may have ${quota} ${what}`, 'QUOTA_REACHED')
  if (present >= most) reject('conflict', `A project has at most ${most} ${what}`, 'TOO_MANY')
}
