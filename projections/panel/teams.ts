import { id, key, nullable, readModel, timestamptz } from '#kernel/projections/read-model'
import { columnsOf } from '#kernel/resource/columns-of'
import { sealedForTeam, teamEvents, teamFields } from '#panel/teams/events'
import { applyMemberJoined, applyMemberRemoved, memberIdentityColumns } from '#projections/panel/projects'

const columns = {
  id: key,
  ...columnsOf(teamFields, ({ id }: { id: string }) => sealedForTeam({ teamId: id })),
  /** Null after the owner's account was erased. */
  ownerId: nullable(id),
  createdAt: timestamptz,
}

export const teamTable = readModel('teams', 1, columns, ['(created_at, id)'])
  .from(teamEvents, {
    TeamCreated: (table, { teamId, name, colour, ownerId }, { at }) =>
      table.insert({ id: teamId, name, colour, ownerId, createdAt: at }),
    TeamChanged: (table, { teamId, name, colour }) => table.update({ id: teamId }, { name, colour }),
    TeamDeleted: (table, { teamId }) => table.remove({ id: teamId }),
    TeamMemberRemoved: (table, { teamId, userId }) =>
      userId === null ? undefined : table.update({ id: teamId, ownerId: userId }, { ownerId: null }),
  })
  .forGate()

const memberColumns = {
  id: key,
  teamId: id,
  ...memberIdentityColumns,
  createdAt: timestamptz,
}

export const teamMemberTable = readModel('teamMembers', 1, memberColumns, [
  '(team_id, created_at, id)',
  '(user_id, team_id)',
])
  .from(teamEvents, {
    TeamCreated: (table, { teamId, memberId, ownerId }, { at }) =>
      table.insert({ id: memberId, teamId, userId: ownerId, email: null, createdAt: at }),
    TeamMemberAdded: (table, { memberId, teamId, userId, email }, { at }) =>
      table.insert({ id: memberId, teamId, userId, email, createdAt: at }),
    TeamMemberJoined: applyMemberJoined,
    TeamMemberRemoved: applyMemberRemoved,
    TeamDeleted: (table, { teamId }) => table.remove({ teamId }),
  })
  .forGate()
