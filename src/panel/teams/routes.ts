import { z } from 'zod'
import { emailKeyOf } from '#kernel/auth/sign-in'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { email } from '#kernel/credentials/email-address'
import { route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { nameSchema } from '#kernel/lib/display-text'
import { found } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { changeOf } from '#kernel/resource/change-of'
import { teamMemberTable, teamTable } from '#projections/panel/teams'
import type { TeamMemberRow } from '#projections/panel/teams'
import { userTable } from '#projections/panel/users'
import { platform, session } from '../access/access.ts'
import { actingUser } from '../access/accounts.ts'
import { resolveInvitee } from '../access/invitee.ts'
import { panelList, panelListReply, panelListQuery } from '../access/panel-list.ts'
import { inTeam, teamOwner } from '../access/team-access.ts'
import { userCallerOf } from '../access/user-caller.ts'
import { userPrincipalOf } from '../workflows/project-memberships.ts'
import { disbandTeam, enterTeam, exitTeam, mustCoverTeamRights } from '../workflows/team-memberships.ts'
import { findTeamMember, teams } from './decider.ts'
import type { Team as TeamState } from './decider.ts'

const Team = z.object({
  id: z.uuid(),
  name: z.string(),
  /** `#rrggbb`; null if none was chosen. */
  colour: z.string().nullable(),
  /** Null after the owner's account was erased. */
  ownerId: z.uuid().nullable(),
  createdAt: z.iso.datetime(),
})

/** `memberUserId` in a path takes the `userId` of a member, or the `id` of a pending one. */
const Member = z.object({
  id: z.uuid(),
  userId: z.uuid().nullable(),
  email: z.string().nullable(),
  name: z.string().nullable(),
  status: z.enum(['ACTIVE', 'PENDING']),
  createdAt: z.iso.datetime(),
})

const TeamWithMembers = Team.extend({ members: z.array(Member) })

/**
 * Contains only values from the request, so that the reply does not reveal whether the address has an
 * account.
 */
const AddedMember = z.object({
  id: z.uuid(),
  userId: z.uuid().nullable(),
  email: z.string().nullable(),
  createdAt: z.iso.datetime(),
})

const name = nameSchema(100)
const colour = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'Give a colour as #rrggbb')
  .toLowerCase()
  .nullable()

const NewTeam = z.strictObject({ name, colour: colour.default(null) })
const TeamChange = changeOf({ name, colour })
const NewMember = z
  .strictObject({ email: email.optional(), userId: uuid.optional() })
  .refine((ask) => (ask.email === undefined) !== (ask.userId === undefined), 'Give either email or userId')

const list = panelListQuery({})

interface TeamParams {
  readonly id: string
}

const toTeamReply = ({ members: _members, ...team }: TeamState) => team

const loadTeam = async (unit: UnitOfWork, id: string) => toTeamReply(found(await unit.load(teams, id)))

async function membersOf({ read, vault }: Pick<HandlerContext, 'read' | 'vault'>, teamId: string) {
  const rows: TeamMemberRow[] = await teamMemberTable
    .queryIn(read)
    .selectAll()
    .where('teamId', '=', teamId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  const ids = rows.flatMap(({ userId }) => userId ?? [])
  const accounts = ids.length === 0 ? [] : await userTable.queryIn(read).selectAll().where('id', 'in', ids).execute()
  const [members, people] = await Promise.all([teamMemberTable.open(vault, rows), userTable.open(vault, accounts)])
  return members.map((member) => {
    const user = people.find(({ id }) => id === member.userId)
    const status = member.userId === null ? ('PENDING' as const) : ('ACTIVE' as const)
    return { ...member, email: user?.email ?? member.email, name: user?.name ?? null, status }
  })
}

async function readTeam(call: Pick<HandlerContext, 'read' | 'vault'>, id: string) {
  const row = found(await teamTable.queryIn(call.read).selectAll().where('id', '=', id).executeTakeFirst())
  const [[team], members] = await Promise.all([teamTable.open(call.vault, [row]), membersOf(call, id)])
  return { ...team!, members }
}

const teamsOfUser = (read: ReadDatabase, userId: string) =>
  teamTable
    .queryIn(read)
    .selectAll()
    .where('id', 'in', teamMemberTable.queryIn(read).select('teamId').where('userId', '=', userId))

/**
 * The id of the caller, who must own the team; null for an administrator.
 * @throws Rejection 401
 */
type RequiredOwnerOf = (unit: UnitOfWork, call: Pick<HandlerContext, 'caller'>) => Promise<string | null>

const asOwner: RequiredOwnerOf = async (unit, { caller }) => (await actingUser(unit, caller)).id
const asAdministrator: RequiredOwnerOf = async (unit, { caller }) => {
  await actingUser(unit, caller)
  return null
}

const changeTeam = (by: RequiredOwnerOf) => (call: HandlerContext<TeamParams, unknown, z.output<typeof TeamChange>>) =>
  call.run(async (unit) => {
    await unit.decide(teams, call.params.id, 'ChangeTeam', { ownerId: await by(unit, call), ...call.body })
    return loadTeam(unit, call.params.id)
  })

const deleteTeam = (by: RequiredOwnerOf) => (call: HandlerContext<TeamParams>) =>
  call.run(async (unit) => disbandTeam(unit, call.params.id, await by(unit, call)))

const addTeamMember =
  (by: RequiredOwnerOf) => async (call: HandlerContext<TeamParams, unknown, z.output<typeof NewMember>>) => {
    const { id: teamId } = call.params
    const { email, userId } = call.body
    const invited = email === undefined ? undefined : { email, emailKey: await emailKeyOf(call.vault, email) }
    return call.run(async (unit) => {
      const [memberId, ownerId] = [unit.newId(), await by(unit, call)]
      const whom = await resolveInvitee(unit, userId, invited)
      await unit.decide(teams, teamId, 'AddTeamMember', { memberId, ...whom, ownerId })
      if (ownerId === null) await mustCoverTeamRights(unit, teamId, await userPrincipalOf(unit, call.caller))
      await enterTeam(unit, whom.userId ?? invited!.emailKey, { teamId, memberId })
      return { id: memberId, userId: userId ?? null, email: email ?? null, createdAt: unit.at.toISOString() }
    })
  }

const removeTeamMember =
  (by: RequiredOwnerOf) => (call: HandlerContext<TeamParams & { readonly memberUserId: string }>) =>
    call.run(async (unit) => {
      const { id: teamId, memberUserId } = call.params
      const member = found(findTeamMember(found(await unit.load(teams, teamId)), memberUserId))
      const { id: memberId, userId, emailKey } = member
      await unit.decide(teams, teamId, 'RemoveTeamMember', { memberId, ownerId: await by(unit, call) })
      await exitTeam(unit, userId ?? emailKey!, { teamId, memberId })
    })

export const teamRoutes = [
  route('GET /api/teams', {
    does: 'List the teams that the caller is a member of, including owned ones.',
    access: session,
    query: list,
    reply: panelListReply(Team),
    handle: ({ read, vault, caller, query }) =>
      panelList(teamsOfUser(read, userCallerOf(caller).userId), query, (rows) => teamTable.open(vault, rows)),
  }),

  route('POST /api/teams', {
    does: 'Create a team. The caller owns it and is its first member.',
    access: session,
    status: 201,
    body: NewTeam,
    reply: Team,
    handle: ({ run, body, caller }) =>
      run(async (unit) => {
        const [teamId, memberId, { id: ownerId }] = [unit.newId(), unit.newId(), await actingUser(unit, caller)]
        await unit.decide(teams, teamId, 'CreateTeam', { teamId, memberId, ownerId, ...body })
        await enterTeam(unit, ownerId, { teamId, memberId })
        return loadTeam(unit, teamId)
      }),
  }),

  route('GET /api/teams/:id', {
    does: 'Get a team with its members.',
    access: inTeam,
    reply: TeamWithMembers,
    handle: (call) => readTeam(call, call.params.id),
  }),

  route('PATCH /api/teams/:id', {
    does: 'Change the name or colour of a team.',
    access: teamOwner,
    body: TeamChange,
    reply: Team,
    handle: changeTeam(asOwner),
  }),

  route('DELETE /api/teams/:id', {
    does: 'Delete a team. Its members lose the access to projects that it gave them.',
    access: teamOwner,
    handle: deleteTeam(asOwner),
  }),

  route('POST /api/teams/:id/members', {
    does:
      'Add a member by address or account. The member gets the team’s project access. An unproven address joins ' +
      'once it is proven.',
    access: teamOwner,
    status: 201,
    body: NewMember,
    reply: AddedMember,
    handle: addTeamMember(asOwner),
  }),

  route('DELETE /api/teams/:id/members/:memberUserId', {
    does: 'Remove a member by account id, or a pending member by member id. The owner cannot be removed.',
    access: teamOwner,
    handle: removeTeamMember(asOwner),
  }),

  route('GET /api/admin/teams', {
    does: 'List every team on the platform.',
    access: platform('users:view'),
    query: list,
    reply: panelListReply(Team),
    handle: ({ read, vault, query }) =>
      panelList(teamTable.queryIn(read).selectAll(), query, (rows) => teamTable.open(vault, rows)),
  }),

  route('GET /api/admin/teams/:id', {
    does: 'Get any team with its members.',
    access: platform('users:view'),
    reply: TeamWithMembers,
    handle: (call) => readTeam(call, call.params.id),
  }),

  route('PATCH /api/admin/teams/:id', {
    does: 'Change the name or colour of any team.',
    access: platform('users:manage'),
    body: TeamChange,
    reply: Team,
    handle: changeTeam(asAdministrator),
  }),

  route('DELETE /api/admin/teams/:id', {
    does: 'Delete any team. Its members lose the access to projects that it gave them.',
    access: platform('users:manage'),
    handle: deleteTeam(asAdministrator),
  }),

  route('POST /api/admin/teams/:id/members', {
    does: 'Add a member to any team. The caller needs every permission that the team has in its projects.',
    access: platform('users:manage'),
    status: 201,
    body: NewMember,
    reply: AddedMember,
    handle: addTeamMember(asAdministrator),
  }),

  route('DELETE /api/admin/teams/:id/members/:memberUserId', {
    does: 'Remove a member from any team. The owner cannot be removed.',
    access: platform('users:manage'),
    handle: removeTeamMember(asAdministrator),
  }),
]
