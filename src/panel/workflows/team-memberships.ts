/** Memberships across teams: commands that change all teams of an account, or all projects of a team. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { found } from '#kernel/lib/rejection'
import { projects } from '../projects/decider.ts'
import { mustCoverAssignment, rightsOf } from '../projects/rights/rules.ts'
import type { UserPrincipal } from '../projects/rights/rules.ts'
import { teamMember, teamMemberships, teams } from '../teams/decider.ts'
import type { User } from '../users/decider.ts'
import { exitProject, projectMembershipsOf } from './project-memberships.ts'

interface TeamMembership {
  readonly teamId: string
  readonly memberId: string
}

/** @param person id of an account, or the key of an address that no account has proven */
export const enterTeam = (unit: UnitOfWork, person: string, place: TeamMembership) =>
  unit.decide(teamMemberships, person, 'Enter', place)

export const exitTeam = (unit: UnitOfWork, person: string, place: TeamMembership) =>
  unit.decide(teamMemberships, person, 'Exit', place)

/**
 * A new member gets the rights of the team in its projects, so an administrator must hold all of them.
 * The owner is a member and needs no check.
 * @throws Rejection 403
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

/** Turns the invitations of a proven address into memberships. */
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

/** Ends all team memberships of an account that is erased. Teams that it owned have no owner. */
export async function leaveTeams(unit: UnitOfWork, userId: string): Promise<void> {
  for (const place of await teamMembershipsOf(unit, userId)) {
    await unit.decide(teams, place.teamId, 'ForgetTeamMember', { userId })
    await exitTeam(unit, userId, place)
  }
}

/**
 * Deletes a team and its roles in all projects.
 * @param ownerId as in the decider
 * @throws Rejection 403 | 404
 */
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
