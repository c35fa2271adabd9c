/** Read for each request with a project in its path: the project, and what is assigned to an account in it. */
import { jsonBuildObject } from 'kysely/helpers/postgres'
import { lookup } from '#kernel/projections/lookup'
import { id, nullable } from '#kernel/projections/read-model'
import { projectMemberTable, projectRoleTable, projectTable, projectTeamTable } from '../projects.ts'
import { teamMemberTable } from '../teams.ts'

/** The assignments are null for an account that has none. `granted` are the permissions of a custom role. */
export const findProjectWithAssignments = lookup(
  projectTable,
  ['id'],
  (projects, { userId }) =>
    projects
      .select(['projects.id', 'projects.name', 'projects.description', 'projects.ownerId', 'projects.createdAt'])
      .select((project) => [
        project
          .selectFrom(projectMemberTable.as('member'))
          .leftJoin(projectRoleTable.as('custom'), 'custom.id', 'member.roleId')
          .whereRef('member.projectId', '=', 'projects.id')
          .where('member.userId', '=', userId)
          .select(({ ref, fn }) =>
            fn
              .jsonAgg(
                jsonBuildObject({
                  role: ref('member.role'),
                  environmentIds: ref('member.environmentIds'),
                  granted: ref('custom.permissions'),
                  more: ref('member.permissions'),
                }),
              )
              .as('all'),
          )
          .as('own'),
        project
          .selectFrom(projectTeamTable.as('team'))
          .innerJoin(teamMemberTable.as('teamMember'), 'teamMember.teamId', 'team.teamId')
          .leftJoin(projectRoleTable.as('custom'), 'custom.id', 'team.roleId')
          .whereRef('team.projectId', '=', 'projects.id')
          .where('teamMember.userId', '=', userId)
          .select(({ ref, fn }) =>
            fn
              .jsonAgg(
                jsonBuildObject({
                  role: ref('team.role'),
                  environmentIds: ref('team.environmentIds'),
                  granted: ref('custom.permissions'),
                }),
              )
              .as('all'),
          )
          .as('throughTeams'),
      ]),
  { userId: nullable(id) },
)
