import { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { recordVersion } from '#kernel/http/record-version'
import { route } from '#kernel/http/route'
import type { Access, HandlerContext, Route } from '#kernel/http/route'
import { nameSchema } from '#kernel/lib/display-text'
import { found } from '#kernel/lib/rejection'
import { changeOf } from '#kernel/resource/change-of'
import { listRoute } from '#kernel/resource/list-route'
import { readRow } from '#kernel/resource/read-row'
import { teamMemberTable, teamTable } from '#projections/panel/teams'
import { platform, session } from '../access/access.ts'
import { runAsCaller } from '../access/accounts.ts'
import { inviteeInput, resolveInvitee, withOneInvitee } from '../access/invitee.ts'
import { memberDetails, memberFields, withAccounts } from '../access/member-views.ts'
import { panelLists } from '../access/panel-lists.ts'
import { inTeam, teamOwner } from '../access/team-access.ts'
import { userCallerOf } from '../access/user-caller.ts'
import { personOf, userPrincipalOf } from '../workflows/project-memberships.ts'
import { disbandTeam, enterTeam, exitTeam, mustCoverTeamRights } from '../workflows/team-memberships.ts'
import { findTeamMember, teams } from './decider.ts'
import { teamFields } from './events.ts'

const Team = z
  .object({
    id: z.uuid(),
    ...teamFields,
    /** Null after the owner's account was erased. */
    ownerId: z.uuid().nullable(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Team' })

const createdAt = z.iso.datetime()
/** `memberUserId` in a path takes the `userId` of a member, or the `id` of a pending one. */
const Member = z.object({ ...memberFields, ...memberDetails, createdAt }).meta({ id: 'TeamMember' })
const TeamWithMembers = Team.extend({ members: z.array(Member) })
/** Contains only values of the request, so that the reply does not reveal whether the address has an account. */
const AddedMember = z.object({ ...memberFields, createdAt })

const name = nameSchema(100)
const colour = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, 'Give a colour as #rrggbb')
  .toLowerCase()
  .nullable()

const NewTeam = z.strictObject({ name, colour: colour.default(null) })
const TeamChange = changeOf({ name, colour })
const NewMember = withOneInvitee(z.strictObject(inviteeInput))

async function loadTeam(unit: UnitOfWork, id: string) {
  const { members: _members, ...team } = found(await unit.load(teams, id))
  return team
}

async function readTeam(call: HandlerContext<{ readonly id: string }>) {
  const { id: teamId } = call.params
  const rows = teamMemberTable.queryIn(call.read).selectAll().where('teamId', '=', teamId)
  const [team, members] = await Promise.all([
    readRow(call, teamTable, { id: teamId }),
    rows.orderBy('createdAt').orderBy('id').execute(),
  ])
  return { ...team, members: await withAccounts(call, teamMemberTable, members) }
}

/** Of the team itself: a member that joins is no other version. */
const version = recordVersion(Team, (unit, { params }) => unit.look(teams, params['id']))

interface Door {
  readonly path: '/api/teams' | '/api/admin/teams'
  readonly view: Access
  readonly manage: Access
  /** The id of the caller, if it must own the team; null for an administrator. */
  readonly requiredOwner: (callerId: string) => string | null
  readonly does: Readonly<Record<'read' | 'change' | 'remove' | 'addMember' | 'removeMember', string>>
}

/** The routes of one team: for its members and owner, and the same for administrators. */
const routesOfTeam = ({ path, view, manage, requiredOwner, does }: Door): Route[] => {
  /** Decides as the caller, which must own the team where the door says so. */
  const decide = <Result>(
    call: Pick<HandlerContext, 'run' | 'caller'>,
    work: (unit: UnitOfWork, ownerId: string | null) => Promise<Result>,
  ) => runAsCaller(call, (unit, by) => work(unit, requiredOwner(by.id)))
  return [
    route(`GET ${path}/:id`, { does: does.read, access: view, version, reply: TeamWithMembers, handle: readTeam }),

    route(`PATCH ${path}/:id`, {
      does: does.change,
      access: manage,
      version,
      body: TeamChange,
      reply: Team,
      handle: (call) =>
        decide(call, async (unit, ownerId) => {
          await unit.decide(teams, call.params.id, 'ChangeTeam', { ownerId, ...call.body })
          return loadTeam(unit, call.params.id)
        }),
    }),

    route(`DELETE ${path}/:id`, {
      does: does.remove,
      access: manage,
      handle: (call) => decide(call, (unit, ownerId) => disbandTeam(unit, call.params.id, ownerId)),
    }),

    route(`POST ${path}/:id/members`, {
      does: does.addMember,
      access: manage,
      status: 201,
      body: NewMember,
      reply: AddedMember,
      handle: (call) =>
        decide(call, async (unit, ownerId) => {
          const [{ id: teamId }, memberId] = [call.params, unit.newId()]
          const whom = await resolveInvitee(unit, call.vault, call.body)
          await unit.decide(teams, teamId, 'AddTeamMember', { memberId, ...whom, ownerId })
          if (ownerId === null) await mustCoverTeamRights(unit, teamId, await userPrincipalOf(unit, call.caller))
          await enterTeam(unit, personOf(whom), { teamId, memberId })
          const { userId = null, email = null } = call.body
          return { id: memberId, userId, email, createdAt: unit.at.toISOString() }
        }),
    }),

    route(`DELETE ${path}/:id/members/:memberUserId`, {
      does: does.removeMember,
      access: manage,
      handle: (call) =>
        decide(call, async (unit, ownerId) => {
          const { id: teamId, memberUserId } = call.params
          const member = found(findTeamMember(found(await unit.load(teams, teamId)), memberUserId))
          const place = { teamId, memberId: member.id }
          await unit.decide(teams, teamId, 'RemoveTeamMember', { ...place, ownerId })
          await exitTeam(unit, personOf(member), place)
        }),
    }),
  ]
}

export const teamRoutes = [
  listRoute('GET /api/teams', teamTable, panelLists, {
    does: 'List the teams that the caller is a member of, including owned ones.',
    access: session,
    item: Team,
    only(rows, { read, caller }) {
      const members = teamMemberTable.queryIn(read).select('teamId')
      return rows.where('id', 'in', members.where('userId', '=', userCallerOf(caller).userId))
    },
  }),

  route('POST /api/teams', {
    does: 'Create a team. The caller owns it and is its first member.',
    access: session,
    status: 201,
    body: NewTeam,
    reply: Team,
    handle: (call) =>
      runAsCaller(call, async (unit, { id: ownerId }) => {
        const [teamId, memberId] = [unit.newId(), unit.newId()]
        await unit.decide(teams, teamId, 'CreateTeam', { teamId, memberId, ownerId, ...call.body })
        await enterTeam(unit, ownerId, { teamId, memberId })
        return loadTeam(unit, teamId)
      }),
  }),

  ...routesOfTeam({
    path: '/api/teams',
    view: inTeam,
    manage: teamOwner,
    requiredOwner: (callerId) => callerId,
    does: {
      read: 'Get a team with its members.',
      change: 'Change the name or colour of a team.',
      remove: 'Delete a team. Its members lose the access to projects that it gave them.',
      addMember: 'Add a member with the team’s project access. An unproven address joins once it is proven.',
      removeMember: 'Remove a member by account id, or a pending member by member id. The owner cannot be removed.',
    },
  }),

  listRoute('GET /api/admin/teams', teamTable, panelLists, {
    does: 'List every team on the platform.',
    access: platform('users:view'),
    item: Team,
  }),

  ...routesOfTeam({
    path: '/api/admin/teams',
    view: platform('users:view'),
    manage: platform('users:manage'),
    requiredOwner: () => null,
    does: {
      read: 'Get any team with its members.',
      change: 'Change the name or colour of any team.',
      remove: 'Delete any team. Its members lose the access to projects that it gave them.',
      addMember: 'Add a member to any team. The caller needs every permission that the team has in its projects.',
      removeMember: 'Remove a member from any team. The owner cannot be removed.',
    },
  }),
]
