import { section } from '#kernel/resource/section'
import { teamMemberTable, teamTable } from '#projections/panel/teams'
import { teamMemberships, teams } from './decider.ts'
import { teamEvents, teamMembershipEvents } from './events.ts'
import { eraseTeamInvitees, eraseTeamKeys, joinTeamsOnVerification } from './reactions.ts'
import { teamRoutes } from './routes.ts'

export const teamsSection = section({
  name: 'teams',
  streams: [teamEvents, teamMembershipEvents],
  deciders: [teams, teamMemberships],
  readModels: [teamTable, teamMemberTable],
  routes: teamRoutes,
  reactions: [joinTeamsOnVerification, eraseTeamInvitees, eraseTeamKeys],
})
