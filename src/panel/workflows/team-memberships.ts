/** Who is in which teams, across them: what happens to all of a person's teams at once, and to all projects of a team. */
import type { Unit } from '#kernel/commands/command-runner'
import { found } from '#kernel/lib/rejection'
import { exited, placesOf } from './project-memberships.ts'
import { projects } from '../projects/decider.ts'
import { mayGive, rightsOf } from '../projects/rights/rules.ts'
import type { By } from '../projects/rights/rules.ts'
import { teamMember, teamPlaces, teams } from '../teams/decider.ts'
import type { User } from '../users/decider.ts'

interface InTeam {
  readonly teamId: string
  readonly memberId: string
}

/** @param person an account's id, or the key of an address that no account has proven */
export const enteredTeam = (unit: Unit, person: string, place: InTeam) =>
  unit.decide(teamPlaces, person, 'Enter', place)

export const exitedTeam = (unit: Unit, person: string, place: InTeam) => unit.decide(teamPlaces, person, 'Exit', place)

/**
 * Whoever is put into a team has what it has in its projects, and nobody gives what he does not hold himself. Its owner, who is in it,
 * does. @throws Rejection 403
 */
export async function mayPutInto(unit: Unit, teamId: string, by: By): Promise<void> {
  for (const { projectId } of await placesOf(unit, teamId)) {
    const project = await unit.look(projects, projectId)
    const team = project?.teams[teamId]
    if (project && team) mayGive(project, rightsOf(project, by), team)
  }
}

const teamsOf = async (unit: Unit, person: string): Promise<InTeam[]> =>
  Object.entries(await unit.load(teamPlaces, person)).map(([teamId, memberId]) => ({ teamId, memberId }))

/** What was waiting for whoever proves that an address is his. */
export async function joinTeams(unit: Unit, { id: userId, emailKey }: Pick<User, 'id' | 'emailKey'>): Promise<void> {
  for (const place of await teamsOf(unit, emailKey)) {
    const { teamId, memberId } = place
    await unit.decide(teams, teamId, 'JoinTeam', { memberId, userId })
    await exitedTeam(unit, emailKey, place)
    const team = await unit.load(teams, teamId)
    if (team && teamMember(team, userId)?.id === memberId) await enteredTeam(unit, userId, place)
  }
}

/** In the unit that erases an account: it is in no team any more, and those that it owned are nobody's. */
export async function leaveTeams(unit: Unit, userId: string): Promise<void> {
  for (const place of await teamsOf(unit, userId)) {
    await unit.decide(teams, place.teamId, 'ForgetTeamMember', { userId })
    await exitedTeam(unit, userId, place)
  }
}

/** Nobody has anything by it any more, in none of its projects. @param ownerId as the decider asks. @throws Rejection 403 | 404 */
export async function disbandTeam(unit: Unit, teamId: string, ownerId: string | null): Promise<void> {
  const { members } = found(await unit.load(teams, teamId))
  await unit.decide(teams, teamId, 'DeleteTeam', { ownerId })
  for (const { id: memberId, userId, emailKey } of Object.values(members))
    await exitedTeam(unit, userId ?? emailKey!, { teamId, memberId })
  for (const place of await placesOf(unit, teamId)) {
    await unit.decide(projects, place.projectId, 'ForgetTeam', { teamId })
    await exited(unit, teamId, place)
  }
}
