import { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { inState } from '#kernel/http/in-state'
import { recordVersion } from '#kernel/http/record-version'
import { route } from '#kernel/http/route'
import { found } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import { changeOf } from '#kernel/resource/change-of'
import { readRow } from '#kernel/resource/read-row'
import { projectMemberTable } from '#projections/panel/projects'
import { inviteeInput, resolveInvitee, withOneInvitee } from '../../access/invitee.ts'
import { memberDetails, memberFields, withAccount, withAccounts } from '../../access/member-views.ts'
import { PROJECT_PERMISSIONS, projectPermission } from '../../access/permissions.ts'
import { inProject, inProjectByKey, memberOrManager, ownMembership, projectAdmin } from '../../access/project-access.ts'
import { projectRoutes } from '../../access/project-routes.ts'
import { quotaOfProject } from '../../quotas/effective-quota.ts'
import { users } from '../../users/decider.ts'
import { enterProject, exitProject, personOf } from '../../workflows/project-memberships.ts'
import { assignedRoleInput, assignedRoleReply, toAssignedRole, withOneRole } from '../assigned-role.ts'
import { projects } from '../decider.ts'
import { rejectUnknownEnvironments, environmentIds } from '../environments/input.ts'
import { ASSIGNED_MEMBER, assignedRoleOf, memberOf } from '../rights/rules.ts'
import type { ProjectMember } from '../rights/rules.ts'

const { name, status } = memberDetails
const createdAt = z.iso.datetime()
const Member = z
  .object({ ...memberFields, name, ...assignedRoleReply, status, createdAt })
  .meta({ id: 'ProjectMember' })
const Grants = z.object({ ...assignedRoleReply, permissions: z.array(z.string()) })
const grantsOf = (member: ProjectMember) => ({ ...assignedRoleOf(member), permissions: [...member.permissions] })
const ASSIGNED = inState(Member, ASSIGNED_MEMBER)

/** Contains only values of the request, so that the reply does not reveal whether the address has an account. */
const AddedMember = z.object({ ...memberFields, ...assignedRoleReply, createdAt })

const NewMember = withOneRole(withOneInvitee(z.strictObject({ ...inviteeInput, ...assignedRoleInput })))
const MemberChange = changeOf({ role: assignedRoleInput.role.unwrap(), environmentIds }, 'Give role or environmentIds')
const permissions = z.array(projectPermission).max(PROJECT_PERMISSIONS.length)

const version = recordVersion(Grants, async (unit, { params }) => {
  const member = (await unit.look(projects, params['id']))?.members[params['memberId']!]
  return member && grantsOf(member)
})

async function loadMember(unit: UnitOfWork, projectId: string, memberId: string): Promise<ProjectMember> {
  return found((await unit.load(projects, projectId))?.members[memberId])
}

async function memberReply(unit: UnitOfWork, projectId: string, memberId: string) {
  const { emailKey: _key, permissions: _permissions, ...member } = await loadMember(unit, projectId, memberId)
  const user = member.userId === null ? undefined : await unit.look(users, member.userId)
  return { ...withAccount(member, user), ...assignedRoleOf(member) }
}

const manager = projectRoutes(inProject('members:manage'))
const admin = projectRoutes(projectAdmin)

export const memberRoutes = [
  projectRoutes(inProjectByKey('platform:projects:view')).list('GET /api/projects/:id/members', projectMemberTable, {
    does: 'List the members of a project, including addresses that no account has proven yet.',
    item: Member,
    shown: (rows, call) => withAccounts(call, projectMemberTable, rows),
  }),

  manager.change('POST /api/projects/:id/members', {
    does: 'Add a member by address or account, by default as VIEWER. An unproven address joins once it is proven.',
    status: 201,
    body: NewMember,
    reply: AddedMember,
    async decide({ unit, vault, projectId, body, by }) {
      const [memberId, as] = [unit.newId(), toAssignedRole(body)]
      await rejectUnknownEnvironments(unit, projectId, as.environmentIds)
      const whom = await resolveInvitee(unit, vault, body)
      const membersMax = (await quotaOfProject(unit, projectId)).members ?? undefined
      await unit.decide(projects, projectId, 'AddMember', { memberId, ...whom, ...as, membersMax, by })
      await enterProject(unit, personOf(whom), { projectId, memberId })
      const { userId = null, email = null } = body
      return { id: memberId, userId, email, ...as, createdAt: unit.at.toISOString() }
    },
  }),

  manager.change('PATCH /api/projects/:id/members/:memberId', {
    does: 'Give another member a built-in role, in all or some environments, within the caller’s own rights.',
    from: ASSIGNED,
    body: MemberChange,
    reply: Member,
    async decide({ unit, projectId, params: { memberId }, body, by }) {
      await rejectUnknownEnvironments(unit, projectId, body.environmentIds)
      await unit.decide(projects, projectId, 'ChangeMember', { memberId, ...body, by })
      return memberReply(unit, projectId, memberId)
    },
  }),

  manager.change('DELETE /api/projects/:id/members/:memberId', {
    does: 'Remove a member. The owner must transfer the project first.',
    from: ASSIGNED,
    async decide({ unit, projectId, params: { memberId }, by }) {
      const { members } = found(await unit.load(projects, projectId))
      await unit.decide(projects, projectId, 'RemoveMember', { memberId, by })
      await exitProject(unit, personOf(members[memberId]!), { projectId, memberId })
    },
  }),

  projectRoutes(ownMembership).change('DELETE /api/projects/:id/members/me', {
    does: 'Leave a project. The owner must transfer it first.',
    async decide({ unit, projectId, by: { userId } }) {
      const { id: memberId } = found(memberOf(found(await unit.load(projects, projectId)), userId))
      await unit.decide(projects, projectId, 'Leave', { userId })
      await exitProject(unit, userId, { projectId, memberId })
    },
  }),

  admin.change('PATCH /api/projects/:id/members/:memberId/custom-role', {
    does: 'Give a member one of the project’s own roles. With null, the member becomes a VIEWER.',
    from: ASSIGNED,
    body: z.strictObject({ roleId: uuid.nullable() }),
    reply: Member,
    async decide({ unit, projectId, params: { memberId }, body, by }) {
      await unit.decide(projects, projectId, 'SetCustomRole', { memberId, ...body, by })
      return memberReply(unit, projectId, memberId)
    },
  }),

  route('GET /api/projects/:id/members/:memberId/grants', {
    does: 'Get the role of a member and the permissions granted in addition to it.',
    access: memberOrManager,
    version,
    reply: Grants,
    handle: (call) => readRow(call, projectMemberTable, { projectId: call.params.id, id: call.params.memberId }),
  }),

  admin.change('PUT /api/projects/:id/members/:memberId/grants', {
    does: 'Replace the permissions of a member beyond the role. `environmentIds` limits all rights of the member.',
    version,
    from: ASSIGNED,
    body: z.strictObject({ permissions, environmentIds: environmentIds.optional() }),
    reply: Grants,
    async decide({ unit, projectId, params: { memberId }, body, by }) {
      await rejectUnknownEnvironments(unit, projectId, body.environmentIds)
      const granted = { permissions: [...new Set(body.permissions)], environmentIds: body.environmentIds }
      await unit.decide(projects, projectId, 'GrantMember', { memberId, ...granted, by })
      return grantsOf(await loadMember(unit, projectId, memberId))
    },
  }),
]
