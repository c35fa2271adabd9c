import { section } from '#kernel/resource/section'
import { teamMemberTable, teamTable } from '#projections/panel/teams'
import { eitherOf, holdersOf, streamOwner, teamMembers } from '../access/audiences.ts'
import { teamMemberships, teams } from './decider.ts'
import { eraseTeamInvitees, eraseTeamKeys, joinTeamsOnVerification } from './reactions.ts'
import { teamRoutes } from './routes.ts'

export const teamsSection = section({
  name: 'teams',
  deciders: [teams, teamMemberships],
  visibleTo: { team: eitherOf(holdersOf('users:view'), teamMembers), teamPlaces: streamOwner },
  readModels: [teamTable, teamMemberTable],
  routes: teamRoutes,
  reactions: [joinTeamsOnVerification, eraseTeamInvitees, eraseTeamKeys],
})
