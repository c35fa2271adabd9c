/** Who is in which teams, across them: what happens to all of a person's teams at once, and to all projects of a team. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { found } from '#kernel/lib/rejection'
import { exitProject, projectMembershipsOf } from './project-memberships.ts'
import { projects } from '../projects/decider.ts'
import { mustCoverAssignment, rightsOf } from '../projects/rights/rules.ts'
import type { UserPrincipal } from '../projects/rights/rules.ts'
import { teamMember, teamMemberships, teams } from '../teams/decider.ts'
import type { User } from '../users/decider.ts'

interface TeamMembership {
  readonly teamId: string
  readonly memberId: string
}

/** @param person an account's id, or the key of an address that no account has proven */
export const enterTeam = (unit: UnitOfWork, person: string, place: TeamMembership) =>
  unit.decide(teamMemberships, person, 'Enter', place)

export const exitTeam = (unit: UnitOfWork, person: string, place: TeamMembership) =>
  unit.decide(teamMemberships, person, 'Exit', place)

/**
 * Whoever is put into a team has what it has in its projects, and nobody gives what he does not hold himself. Its owner, who is in it,
 * does. @throws Rejection 403
 */
export async function mustCoverTeamRights(unit: UnitOfWork, teamId: string, by: UserPrincipal): Promise<void> {
  for (const { projectId } of await projectMembershipsOf(unit, teamId)) {
    const project = await unit.look(projects, projectId)
    const team = project?.teams[teamId]
    if (project && team) mustCoverAssignment(project, rightsOf(project, by), team)
  }
}

const teamMembershipsOf = async (unit: UnitOfWork, person: string): Promise<TeamMembership[]> =>
  Object.entries(await unit.load(teamMemberships, person)).map(([teamId, memberId]) => ({ teamId, memberId }))

/** What was waiting for whoever proves that an address is his. */
export async function joinTeams(
  unit: UnitOfWork,
  { id: userId, emailKey }: Pick<User, 'id' | 'emailKey'>,
): Promise<void> {
  for (const place of await teamMembershipsOf(unit, emailKey)) {
    const { teamId, memberId } = place
    await unit.decide(teams, teamId, 'JoinTeam', { memberId, userId })
    await exitTeam(unit, emailKey, place)
    const team = await unit.load(teams, teamId)
    if (team && teamMember(team, userId)?.id === memberId) await enterTeam(unit, userId, place)
  }
}

/** In the unit that erases an account: it is in no team any more, and those that it owned are nobody's. */
export async function leaveTeams(unit: UnitOfWork, userId: string): Promise<void> {
  for (const place of await teamMembershipsOf(unit, userId)) {
    await unit.decide(teams, place.teamId, 'ForgetTeamMember', { userId })
    await exitTeam(unit, userId, place)
  }
}

/** Nobody has anything by it any more, in none of its projects. @param ownerId as the decider asks. @throws Rejection 403 | 404 */
export async function disbandTeam(unit: UnitOfWork, teamId: string, ownerId: string | null): Promise<void> {
  const { members } = found(await unit.load(teams, teamId))
  await unit.decide(teams, teamId, 'DeleteTeam', { ownerId })
  for (const { id: memberId, userId, emailKey } of Object.values(members))
    await exitTeam(unit, userId ?? emailKey!, { teamId, memberId })
  for (const place of await projectMembershipsOf(unit, teamId)) {
    await unit.decide(projects, place.projectId, 'ForgetTeam', { teamId })
    await exitProject(unit, teamId, place)
  }
}
