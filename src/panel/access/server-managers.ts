/** Who manages a server, to be told of what it needs. */
import type { ReadDatabase } from '#kernel/projections/read-database'
import { projectMemberTable, projectTeamTable } from '#projections/panel/projects'
import { serverAccessTable } from '#projections/panel/servers'
import { teamMemberTable } from '#projections/panel/teams'
import { activeAccounts } from './account-rights.ts'
import { viewServer } from './server-access.ts'

/** Accounts that rules may let manage the server. */
async function namedByRules(read: ReadDatabase, serverId: string): Promise<string[]> {
  const rules = await serverAccessTable
    .queryIn(read)
    .selectAll()
    .where('serverId', '=', serverId)
    .where('level', '=', 'MANAGE')
    .where('isGone', '=', false)
    .execute()
  const idsOf = (name: 'userId' | 'teamId' | 'projectId') => rules.flatMap((rule) => rule[name] ?? [])
  const [userIds, projectIds] = [idsOf('userId'), idsOf('projectId')]
  const [members, teams] =
    projectIds.length === 0
      ? [[], []]
      : await Promise.all([
          projectMemberTable.queryIn(read).select('userId').where('projectId', 'in', projectIds).execute(),
          projectTeamTable.queryIn(read).select('teamId').where('projectId', 'in', projectIds).execute(),
        ])
  const teamIds = [...idsOf('teamId'), ...teams.map(({ teamId }) => teamId)]
  const inTeams =
    teamIds.length === 0
      ? []
      : await teamMemberTable.queryIn(read).select('userId').where('teamId', 'in', teamIds).execute()
  return [...userIds, ...[...members, ...inTeams].flatMap(({ userId }) => userId ?? [])]
}

/** Active accounts that hold servers:manage, or that a rule lets manage this server. */
export async function serverManagers(read: ReadDatabase, serverId: string): Promise<string[]> {
  const accounts = await activeAccounts(read, await namedByRules(read, serverId))
  const managers: string[] = []
  for (const account of accounts)
    if ((await viewServer(read, account, serverId))?.level === 'MANAGE') managers.push(account.userId)
  return managers
}
