import { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { Caller, HandlerContext } from '#kernel/http/route'
import { reject } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import { arrayLists } from '#kernel/resource/array-lists'
import { readRows } from '#kernel/resource/read-row'
import { projectTeamTable } from '#projections/panel/projects'
import type { ProjectTeamRow } from '#projections/panel/projects'
import { teamTable } from '#projections/panel/teams'
import { inProject } from '../../access/project-access.ts'
import { projectRoutes } from '../../access/project-routes.ts'
import { userCallerOf } from '../../access/user-caller.ts'
import { teamMember, teams } from '../../teams/decider.ts'
import { teamFields } from '../../teams/events.ts'
import { enterProject, exitProject } from '../../workflows/project-memberships.ts'
import { assignedRoleInput, assignedRoleReply, toAssignedRole, withOneRole } from '../assigned-role.ts'
import { projects } from '../decider.ts'
import { rejectUnknownEnvironments } from '../environments/input.ts'

const ProjectTeam = z
  .object({
    teamId: z.uuid(),
    ...teamFields,
    ...assignedRoleReply,
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'ProjectTeam' })

const NewTeam = withOneRole(z.strictObject({ teamId: uuid, ...assignedRoleInput }))

/**
 * Hides a team from a caller that is neither a member nor holds users:view.
 * @throws Rejection 400 UNKNOWN_TEAM
 */
async function requireVisibleTeam(unit: UnitOfWork, caller: Caller, teamId: string) {
  const team = await unit.look(teams, teamId)
  if (team && (teamMember(team, userCallerOf(caller).userId) || caller.can('users:view'))) return team
  return reject('invalid', 'No team has this teamId', 'UNKNOWN_TEAM')
}

async function withTeamNames(rows: readonly ProjectTeamRow[], call: Pick<HandlerContext, 'read' | 'vault'>) {
  const ids = rows.map(({ teamId }) => teamId)
  const all = await readRows(call, teamTable, ids)
  return rows.flatMap((row) => {
    const team = all.find(({ id }) => id === row.teamId)
    return team ? [{ ...row, name: team.name, colour: team.colour }] : []
  })
}

const { list, change } = projectRoutes(inProject('members:manage'))

export const projectTeamRoutes = [
  list(
    'GET /api/projects/:id/teams',
    projectTeamTable,
    {
      does: 'List the teams of a project with the roles that they give their members.',
      item: ProjectTeam,
      shown: withTeamNames,
    },
    arrayLists({}, ['createdAt', 'teamId']),
  ),

  change('POST /api/projects/:id/teams', {
    does: 'Add a team, by default as VIEWER. Its members get the role in addition, within the caller’s own rights.',
    status: 201,
    body: NewTeam,
    reply: ProjectTeam,
    async decide({ unit, caller, projectId, body: { teamId, ...role }, by }) {
      const as = toAssignedRole(role)
      const { name, colour } = await requireVisibleTeam(unit, caller, teamId)
      await rejectUnknownEnvironments(unit, projectId, as.environmentIds)
      await unit.decide(projects, projectId, 'AddTeam', { teamId, ...as, by })
      await enterProject(unit, teamId, { projectId, memberId: teamId })
      return { teamId, name, colour, ...as, createdAt: unit.at.toISOString() }
    },
  }),

  change('DELETE /api/projects/:id/teams/:teamId', {
    does: 'Remove a team from a project. Other roles of its members stay.',
    async decide({ unit, projectId, params: { teamId }, by }) {
      await unit.decide(projects, projectId, 'RemoveTeam', { teamId, by })
      await exitProject(unit, teamId, { projectId, memberId: teamId })
    },
  }),
]
