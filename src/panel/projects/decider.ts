import { decider } from '#kernel/events/decider'
import { found } from '#kernel/lib/rejection'
import { withoutKey } from '#kernel/lib/without-key'
import { projectEvents } from './events.ts'
import { memberCommands } from './members/rules.ts'
import { mustHold, mustOwn, rightsOf } from './rights/rules.ts'
import type { UserPrincipal, Principal, Project, ProjectMember, CustomRole } from './rights/rules.ts'
import { roleCommands, teamCommands } from './roles/rules.ts'

const OWNER_ROLE = { role: 'OWNER', roleId: null, environmentIds: null, permissions: [] } as const

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
      withChangedMember(project!, memberId, { userId, emailKey: null, email: null }),
    ProjectMemberRoleChanged: (project, { projectId: _id, memberId, ...held }) =>
      withChangedMember(project!, memberId, held),
    ProjectMemberGrantsChanged: (project, { memberId, permissions, environmentIds }) =>
      withChangedMember(project!, memberId, { permissions, environmentIds }),
    ProjectMemberRemoved: (project, { memberId }) => ({ ...project!, members: withoutKey(project!.members, memberId) }),
    ProjectOwnershipTransferred: (project, { memberId, formerMemberId }) =>
      withChangedMember(withChangedMember(project!, formerMemberId, { role: 'ADMIN' }), memberId, OWNER_ROLE),
    ProjectOwnershipClaimed: (project, { memberId, userId }, at) => withOwner(project!, memberId, userId, at),
    ProjectRoleCreated: (project, { roleId, name, permissions }, at) =>
      withRole(project!, { id: roleId, name, permissions, createdAt: at.toISOString() }),
    ProjectRoleRenamed: (project, { roleId, name }) => withRole(project!, { ...project!.roles[roleId]!, name }),
    ProjectRoleGrantsChanged: (project, { roleId, permissions }) =>
      withRole(project!, { ...project!.roles[roleId]!, permissions }),
    ProjectRoleDeleted: (project, { roleId }) => ({ ...project!, roles: withoutKey(project!.roles, roleId) }),
    ProjectTeamAdded: (project, { projectId: _id, teamId, ...held }, at) => ({
      ...project!,
      teams: { ...project!.teams, [teamId]: { ...held, createdAt: at.toISOString() } },
    }),
    ProjectTeamRemoved: (project, { teamId }) => ({ ...project!, teams: withoutKey(project!.teams, teamId) }),
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
      return [
        projectEvents.ProjectCreated({ ...project, ownerId: owner?.userId ?? null, memberId: owner?.memberId ?? null }),
      ]
    },
    ChangeProject: (
      project,
      ask: { name?: string | undefined; description?: string | null | undefined; by: Principal },
    ) => {
      const known = found(project)
      mustHold(rightsOf(known, ask.by), 'settings:manage')
      const { id: projectId, name, description } = known
      return [
        projectEvents.ProjectChanged({
          projectId,
          name: ask.name ?? name,
          description: ask.description === undefined ? description : ask.description,
        }),
      ]
    },
    DeleteProject: (project, { by }: { by: UserPrincipal }) => {
      const { id: projectId, members, teams } = mustOwn(found(project), by)
      const all = Object.values(members)
      const invitees = all.flatMap(({ id, userId }) => (userId === null ? [id] : []))
      const userIds = all.flatMap(({ userId }) => userId ?? [])
      return [projectEvents.ProjectDeleted({ projectId, invitees, userIds, teamIds: Object.keys(teams) })]
    },
    ...memberCommands,
    ...roleCommands,
    ...teamCommands,
  },
})

const withMember = (project: Project, member: ProjectMember): Project => ({
  ...project,
  members: { ...project.members, [member.id]: member },
})

const withRole = (project: Project, role: CustomRole): Project => ({
  ...project,
  roles: { ...project.roles, [role.id]: role },
})

const withChangedMember = (project: Project, memberId: string, change: Partial<ProjectMember>): Project =>
  withMember(project, { ...project.members[memberId]!, ...change })

const withOwner = (project: Project, id: string, userId: string, at: Date): Project =>
  withMember(project, { ...OWNER_ROLE, id, userId, emailKey: null, email: null, createdAt: at.toISOString() })
