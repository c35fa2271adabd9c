import type { Break } from './breaks.ts'

const RULES = 'src/panel/teams/decider.ts'
const MEMBERSHIP = 'src/panel/workflows/team-memberships.ts'
const teams = 'test/panel/teams/teams.test.ts'

/** Teams of the panel: what they give, and that it ends with them. */
export const panelTeamBreaks: readonly Break[] = [
  {
    promise: 'what a team is in a project everybody in it is',
    file: 'src/panel/access/project-access.ts',
    find: 'return isThere ? [...own, ...teams, ...platform] : []',
    replace: 'return isThere ? [...own, ...platform] : []',
    test: teams,
    named: 'everybody in it is besides',
  },
  {
    promise: 'a decision rests on the teams of that moment',
    file: 'src/panel/workflows/project-memberships.ts',
    find: 'const teamIds = Object.keys(await unit.look(teamMemberships, user.id))',
    replace: 'const teamIds: string[] = []',
    test: teams,
    named: 'a decision rests on the teams',
  },
  {
    promise: 'an administrator puts nobody into a team that has more in a project than he',
    file: 'src/panel/teams/routes.ts',
    find: '    if (ownerId === null) await mustCoverTeamRights(unit, teamId, await userPrincipalOf(unit, call.caller))\n',
    replace: '',
    test: teams,
    named: 'by way of a team nobody comes to what he does not hold',
  },
  {
    promise: 'a deleted team is on no project',
    file: MEMBERSHIP,
    find: "await unit.decide(projects, place.projectId, 'ForgetTeam', { teamId })",
    replace: '',
    test: teams,
    named: 'a deleted project is no more',
  },
  {
    promise: 'a team that somebody is not in is to him like none',
    file: 'src/panel/projects/teams/routes.ts',
    find: "if (team && (teamMember(team, userCallerOf(caller).userId) || caller.can('users:view'))) return team",
    replace: 'if (team) return team',
    test: teams,
    named: 'a team that one is not in',
  },
  {
    promise: 'a team is read by whoever is in it alone',
    file: 'src/panel/access/team-access.ts',
    find: 'if (!(await isInTeam(read, id, userId))) found(undefined)',
    replace: '',
    test: teams,
    named: 'a member reads and changes nothing',
  },
  {
    promise: 'the owner of a team stays',
    file: RULES,
    find: 'if (userId !== null && userId === known.ownerId)',
    replace: 'if (false)',
    test: teams,
    named: 'administrators see all teams',
  },
  {
    promise: 'whoever is erased is in no team any more',
    file: 'src/panel/workflows/erase-account.ts',
    find: 'await leaveTeams(unit, userId)',
    replace: '',
    test: teams,
    named: 'whoever is erased',
  },
  {
    promise: 'an address that waits is in its teams once somebody proves it',
    file: MEMBERSHIP,
    find: "await unit.decide(teams, teamId, 'JoinTeam', { memberId, userId })",
    replace: '',
    test: teams,
    named: 'waits until it is proven',
  },
]
