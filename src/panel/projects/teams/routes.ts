import { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { route } from '#kernel/http/route'
import type { Caller } from '#kernel/http/route'
import { found, reject } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import type { ReadDatabase } from '#kernel/projections/read-database'
import type { Vault } from '#kernel/vault/vault'
import { projectTeamTable } from '#projections/panel/projects'
import type { ProjectTeamRow } from '#projections/panel/projects'
import { teamTable } from '#projections/panel/teams'
import { panelList, panelListReply, panelListQuery } from '../../access/panel-list.ts'
import { inProject } from '../../access/project-access.ts'
import { userCallerOf } from '../../access/user-caller.ts'
import { teamMember, teams } from '../../teams/decider.ts'
import { userPrincipalOf, enterProject, exitProject } from '../../workflows/project-memberships.ts'
import { projects } from '../decider.ts'
import { environmentIds, rejectUnknownEnvironments } from '../environments/input.ts'
import { ASSIGNABLE_BUILT_IN_ROLES } from '../events.ts'

const ProjectTeam = z.object({
  teamId: z.uuid(),
  name: z.string(),
  colour: z.string().nullable(),
  role: z.string(),
  /** Set for a CUSTOM role, else null. */
  roleId: z.uuid().nullable(),
  environmentIds: z.array(z.uuid()).nullable(),
  createdAt: z.iso.datetime(),
})

const NewTeam = z
  .strictObject({
    teamId: uuid,
    role: z.enum(ASSIGNABLE_BUILT_IN_ROLES).optional(),
    roleId: uuid.optional(),
    environmentIds: environmentIds.default(null),
  })
  .refine((ask) => ask.role === undefined || ask.roleId === undefined, 'Give either role or roleId, not both')

/**
 * Hides a team from a caller that is neither a member nor holds users:view.
 * @throws Rejection 400 UNKNOWN_TEAM
 */
async function requireVisibleTeam(unit: UnitOfWork, caller: Caller, teamId: string) {
  const team = await unit.look(teams, teamId)
  if (team && (teamMember(team, userCallerOf(caller).userId) || caller.can('users:view'))) return team
  return reject('invalid', 'No team has this teamId', 'UNKNOWN_TEAM')
}

async function withTeamNames(read: ReadDatabase, vault: Vault, rows: readonly ProjectTeamRow[]) {
  const ids = rows.map(({ teamId }) => teamId)
  const found = ids.length === 0 ? [] : await teamTable.queryIn(read).selectAll().where('id', 'in', ids).execute()
  const all = await teamTable.open(vault, found)
  return rows.flatMap((row) => {
    const team = all.find(({ id }) => id === row.teamId)
    return team ? [{ ...row, name: team.name, colour: team.colour }] : []
  })
}

export const projectTeamRoutes = [
  route('GET /api/projects/:id/teams', {
    does: 'List the teams of a project with the roles that they give their members.',
    access: inProject('members:manage'),
    query: panelListQuery({}),
    reply: panelListReply(ProjectTeam),
    handle: ({ read, vault, query, params: { id } }) =>
      panelList(
        projectTeamTable.queryIn(read).selectAll().where('projectId', '=', id),
        query,
        (rows) => withTeamNames(read, vault, rows),
        ['createdAt', 'teamId'],
      ),
  }),

  route('POST /api/projects/:id/teams', {
    does:
      'Add a team to a project, by default as VIEWER. Each member gets the role in addition; it must not exceed ' +
      'the caller’s rights.',
    access: inProject('members:manage'),
    status: 201,
    body: NewTeam,
    reply: ProjectTeam,
    handle: ({ run, caller, body, params: { id: projectId } }) =>
      run(async (unit) => {
        const { teamId, roleId = null, environmentIds } = body
        const role = roleId === null ? (body.role ?? 'VIEWER') : 'CUSTOM'
        const by = await userPrincipalOf(unit, caller)
        const { name, colour } = await requireVisibleTeam(unit, caller, teamId)
        await rejectUnknownEnvironments(unit, projectId, environmentIds)
        const as = { role, roleId, environmentIds } as const
        await unit.decide(projects, projectId, 'AddTeam', { teamId, ...as, by })
        await enterProject(unit, teamId, { projectId, memberId: teamId })
        return { teamId, name, colour, ...as, createdAt: unit.at.toISOString() }
      }),
  }),

  route('DELETE /api/projects/:id/teams/:teamId', {
    does: 'Remove a team from a project. Other roles of its members stay.',
    access: inProject('members:manage'),
    handle: ({ run, caller, params: { id: projectId, teamId } }) =>
      run(async (unit) => {
        found(await unit.look(projects, projectId))
        await unit.decide(projects, projectId, 'RemoveTeam', { teamId, by: await userPrincipalOf(unit, caller) })
        await exitProject(unit, teamId, { projectId, memberId: teamId })
      }),
  }),
]
