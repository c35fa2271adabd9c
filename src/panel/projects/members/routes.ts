import { z } from 'zod'
import { emailKeyOf } from '#kernel/auth/sign-in'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { email } from '#kernel/credentials/email-address'
import { route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { found } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { changeOf } from '#kernel/resource/change-of'
import type { Vault } from '#kernel/vault/vault'
import { projectMemberTable } from '#projections/panel/projects'
import type { ProjectMemberRow } from '#projections/panel/projects'
import { userTable } from '#projections/panel/users'
import type { UserRow } from '#projections/panel/users'
import { resolveInvitee } from '../../access/invitee.ts'
import { panelList, panelListQuery, panelListReply } from '../../access/panel-list.ts'
import { PROJECT_PERMISSIONS, projectPermission } from '../../access/permissions.ts'
import { inProject, memberOrManager, ownMembership, projectAdmin } from '../../access/project-access.ts'
import { userCallerOf } from '../../access/user-caller.ts'
import { quotaOfProject } from '../../quotas/effective-quota.ts'
import { users } from '../../users/decider.ts'
import { enterProject, exitProject, userPrincipalOf } from '../../workflows/project-memberships.ts'
import { projects } from '../decider.ts'
import { rejectUnknownEnvironments, environmentIds } from '../environments/input.ts'
import { ASSIGNABLE_BUILT_IN_ROLES } from '../events.ts'
import { memberOf } from '../rights/rules.ts'
import type { ProjectMember } from '../rights/rules.ts'

const role = z.enum(ASSIGNABLE_BUILT_IN_ROLES)

const permissions = z.array(projectPermission).max(PROJECT_PERMISSIONS.length)

const assignedRoleFields = {
  role: z.string(),
  /** Set for a CUSTOM role, else null. */
  roleId: z.uuid().nullable(),
  environmentIds: z.array(z.uuid()).nullable(),
}

const Member = z.object({
  id: z.uuid(),
  /** Null until an account has proven the address. */
  userId: z.uuid().nullable(),
  email: z.string().nullable(),
  name: z.string().nullable(),
  ...assignedRoleFields,
  status: z.enum(['ACTIVE', 'PENDING']),
  createdAt: z.iso.datetime(),
})

/**
 * Contains only values from the request, so that the reply does not reveal whether the address has an
 * account.
 */
const AddedMember = z.object({
  id: z.uuid(),
  userId: z.uuid().nullable(),
  email: z.string().nullable(),
  ...assignedRoleFields,
  createdAt: z.iso.datetime(),
})

const NewMember = z
  .strictObject({
    email: email.optional(),
    userId: uuid.optional(),
    role: role.optional(),
    roleId: uuid.optional(),
    environmentIds: environmentIds.default(null),
  })
  .refine((ask) => (ask.email === undefined) !== (ask.userId === undefined), 'Give either email or userId')
  .refine((ask) => ask.role === undefined || ask.roleId === undefined, 'Give either role or roleId, not both')

const MemberChange = changeOf({ role, environmentIds }, 'Give role or environmentIds')

async function toMemberReply(unit: UnitOfWork, member: ProjectMember) {
  const { id, userId, role, roleId, environmentIds, createdAt } = member
  const user = userId === null ? undefined : await unit.look(users, userId)
  return {
    id,
    userId,
    email: user?.email ?? member.email,
    name: user?.name ?? null,
    role,
    roleId,
    environmentIds: environmentIds && [...environmentIds],
    status: statusOf(member),
    createdAt,
  }
}

const statusOf = ({ userId }: Pick<ProjectMember, 'userId'>): 'ACTIVE' | 'PENDING' =>
  userId === null ? 'PENDING' : 'ACTIVE'

/** Adds the e-mail address and name of each member's account. */
async function withAccounts(read: ReadDatabase, vault: Vault, rows: readonly ProjectMemberRow[]) {
  const ids = rows.flatMap(({ userId }) => userId ?? [])
  const accounts = ids.length === 0 ? [] : await userTable.queryIn(read).selectAll().where('id', 'in', ids).execute()
  const [members, people] = await Promise.all([projectMemberTable.open(vault, rows), userTable.open(vault, accounts)])
  const byId = new Map<string | null, UserRow>(people.map((user) => [user.id, user]))
  return members.map((member) => {
    const user = byId.get(member.userId)
    return { ...member, email: user?.email ?? member.email, name: user?.name ?? null, status: statusOf(member) }
  })
}

async function loadMember(unit: UnitOfWork, projectId: string, memberId: string) {
  return toMemberReply(unit, found((await unit.load(projects, projectId))?.members[memberId]))
}

const Grants = z.object({ ...assignedRoleFields, permissions: z.array(z.string()) })

/** The stored form of the grants: known permissions, without duplicates. */
const grantsOf = ({ role, roleId, environmentIds, permissions }: ProjectMember) => ({
  role,
  roleId,
  environmentIds: environmentIds && [...environmentIds],
  permissions: [...permissions],
})

const removeMember = (
  { run, caller, params: { id: projectId } }: HandlerContext<{ readonly id: string }>,
  decide: (unit: UnitOfWork, userId: string) => Promise<string>,
) =>
  run(async (unit) => {
    const { members } = found(await unit.load(projects, projectId))
    const memberId = await decide(unit, userCallerOf(caller).userId)
    const { userId, emailKey } = members[memberId]!
    await exitProject(unit, userId ?? emailKey!, { projectId, memberId })
  })

export const memberRoutes = [
  route('GET /api/projects/:id/members', {
    does: 'List the members of a project, including addresses that no account has proven yet.',
    access: inProject(undefined, 'platform:projects:view'),
    query: panelListQuery({}),
    reply: panelListReply(Member),
    handle: ({ read, vault, query, params: { id } }) =>
      panelList(projectMemberTable.queryIn(read).selectAll().where('projectId', '=', id), query, (rows) =>
        withAccounts(read, vault, rows),
      ),
  }),

  route('POST /api/projects/:id/members', {
    does:
      'Add a member by address or account, by default as VIEWER. An unproven address joins once an account proves ' +
      'it.',
    access: inProject('members:manage'),
    status: 201,
    body: NewMember,
    reply: AddedMember,
    async handle({ run, vault, caller, body, params: { id: projectId } }) {
      const { email, roleId = null, environmentIds } = body
      const role = roleId === null ? (body.role ?? 'VIEWER') : 'CUSTOM'
      const invited = email === undefined ? undefined : { email, emailKey: await emailKeyOf(vault, email) }
      return run(async (unit) => {
        const [memberId, by] = [unit.newId(), await userPrincipalOf(unit, caller)]
        await rejectUnknownEnvironments(unit, projectId, environmentIds)
        const whom = await resolveInvitee(unit, body.userId, invited)
        const as = { role, roleId, environmentIds } as const
        const membersMax = (await quotaOfProject(unit, projectId)).members ?? undefined
        await unit.decide(projects, projectId, 'AddMember', { memberId, ...whom, ...as, membersMax, by })
        await enterProject(unit, whom.userId ?? invited!.emailKey, { projectId, memberId })
        const createdAt = unit.at.toISOString()
        return { id: memberId, userId: body.userId ?? null, email: email ?? null, ...as, createdAt }
      })
    },
  }),

  route('PATCH /api/projects/:id/members/:memberId', {
    does:
      'Give another member a built-in role, in the whole project or in some environments. It must not exceed the ' +
      'caller’s own rights.',
    access: inProject('members:manage'),
    body: MemberChange,
    reply: Member,
    handle: ({ run, caller, body, params: { id, memberId } }) =>
      run(async (unit) => {
        await rejectUnknownEnvironments(unit, id, body.environmentIds)
        const by = await userPrincipalOf(unit, caller)
        await unit.decide(projects, id, 'ChangeMember', { memberId, ...body, by })
        return loadMember(unit, id, memberId)
      }),
  }),

  route('DELETE /api/projects/:id/members/:memberId', {
    does: 'Remove a member. The owner must transfer the project first.',
    access: inProject('members:manage'),
    handle: (call) =>
      removeMember(call, async (unit) => {
        const { id, memberId } = call.params
        await unit.decide(projects, id, 'RemoveMember', { memberId, by: await userPrincipalOf(unit, call.caller) })
        return memberId
      }),
  }),

  route('DELETE /api/projects/:id/members/me', {
    does: 'Leave a project. The owner must transfer it first.',
    access: ownMembership,
    handle: (call) =>
      removeMember(call, async (unit, userId) => {
        const { id: memberId } = found(memberOf(found(await unit.load(projects, call.params.id)), userId))
        await unit.decide(projects, call.params.id, 'Leave', { userId })
        return memberId
      }),
  }),

  route('PATCH /api/projects/:id/members/:memberId/custom-role', {
    does: 'Give a member one of the project’s own roles. With null, the member becomes a VIEWER.',
    access: projectAdmin,
    body: z.strictObject({ roleId: uuid.nullable() }),
    reply: Member,
    handle: ({ run, caller, body: { roleId }, params: { id, memberId } }) =>
      run(async (unit) => {
        await unit.decide(projects, id, 'SetCustomRole', { memberId, roleId, by: await userPrincipalOf(unit, caller) })
        return loadMember(unit, id, memberId)
      }),
  }),

  route('GET /api/projects/:id/members/:memberId/grants', {
    does: 'Get the role of a member and the permissions granted in addition to it.',
    access: memberOrManager,
    reply: Grants,
    handle: async ({ read, params: { id, memberId } }) =>
      found(
        await projectMemberTable
          .queryIn(read)
          .select(['role', 'roleId', 'environmentIds', 'permissions'])
          .where('projectId', '=', id)
          .where('id', '=', memberId)
          .executeTakeFirst(),
      ),
  }),

  route('PUT /api/projects/:id/members/:memberId/grants', {
    does:
      'Replace the permissions granted to a member in addition to the role. `environmentIds` limits all rights of ' +
      'the member.',
    access: projectAdmin,
    body: z.strictObject({ permissions, environmentIds: environmentIds.optional() }),
    reply: Grants,
    handle: ({ run, caller, body, params: { id, memberId } }) =>
      run(async (unit) => {
        await rejectUnknownEnvironments(unit, id, body.environmentIds)
        const granted = { permissions: [...new Set(body.permissions)], environmentIds: body.environmentIds }
        const by = await userPrincipalOf(unit, caller)
        await unit.decide(projects, id, 'GrantMember', { memberId, ...granted, by })
        return grantsOf(found((await unit.load(projects, id))?.members[memberId]))
      }),
  }),
]
