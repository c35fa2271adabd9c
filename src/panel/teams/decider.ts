import { decider } from '#kernel/events/decider'
import { membershipRules } from '#kernel/events/memberships'
import { found, reject } from '#kernel/lib/rejection'
import {
  TeamChanged,
  TeamCreated,
  TeamDeleted,
  teamEvents,
  TeamMemberAdded,
  TeamMemberJoined,
  TeamMemberRemoved,
  teamMembershipTypes,
  teamMembershipEvents,
} from './events.ts'

export interface TeamMember {
  readonly id: string
  /** Null, with the address in its place, until somebody has proven that it is his. */
  readonly userId: string | null
  readonly emailKey: string | null
  readonly email: string | null
  readonly createdAt: string
}

export interface Team {
  readonly id: string
  readonly name: string
  readonly colour: string | null
  /** Null: nobody's, since his account was erased. */
  readonly ownerId: string | null
  readonly createdAt: string
  /** The owner among them. */
  readonly members: Readonly<Record<string, TeamMember>>
}

/** Whose doing it is: his who must own the team, or null for an administrator's. */
interface RequiredOwner {
  readonly ownerId: string | null
}

interface TeamAppearance {
  readonly name?: string | undefined
  readonly colour?: string | null | undefined
}

interface AddTeamMemberInput extends RequiredOwner {
  readonly memberId: string
  /** An account, or else an address that nobody has proven yet. */
  readonly userId: string | null
  readonly invited: { readonly emailKey: string; readonly email: string } | null
}

const MEMBERS_MAX = 1_000

export const teams = decider(teamEvents, {
  initial: undefined as Team | undefined,
  evolve: {
    TeamCreated: (_none, { teamId: id, memberId, ...team }, at): Team => {
      const createdAt = at.toISOString()
      const owner = { id: memberId, userId: team.ownerId, emailKey: null, email: null, createdAt }
      return { ...team, id, createdAt, members: { [memberId]: owner } }
    },
    TeamChanged: (team, { name, colour }) => ({ ...team!, name, colour }),
    TeamDeleted: () => undefined,
    TeamMemberAdded: (team, { teamId: _id, memberId: id, ...member }, at) =>
      withMember(team!, { ...member, id, createdAt: at.toISOString() }),
    TeamMemberJoined: (team, { memberId, userId }) =>
      withMember(team!, { ...team!.members[memberId]!, userId, emailKey: null, email: null }),
    TeamMemberRemoved: (team, { memberId, userId }) => ({
      ...team!,
      ownerId: team!.ownerId === userId ? null : team!.ownerId,
      members: Object.fromEntries(Object.entries(team!.members).filter(([id]) => id !== memberId)),
    }),
  },
  commands: {
    CreateTeam: (
      _none,
      ask: { teamId: string; name: string; colour: string | null; ownerId: string; memberId: string },
    ) => [TeamCreated(ask)],
    /** What is not given stays. */
    ChangeTeam: (team, { ownerId, ...ask }: RequiredOwner & TeamAppearance) => {
      const { id: teamId, name, colour } = mustOwnTeam(team, { ownerId })
      return [TeamChanged({ teamId, name: ask.name ?? name, colour: ask.colour === undefined ? colour : ask.colour })]
    },
    DeleteTeam: (team, ask: RequiredOwner) => {
      const { id: teamId, members } = mustOwnTeam(team, ask)
      const all = Object.values(members)
      const invitees = all.flatMap(({ id, userId }) => (userId === null ? [id] : []))
      return [TeamDeleted({ teamId, invitees, userIds: all.flatMap(({ userId }) => userId ?? []) })]
    },
    AddTeamMember: (team, { ownerId, memberId, userId, invited }: AddTeamMemberInput) => {
      const { id: teamId, members } = mustOwnTeam(team, { ownerId })
      const { emailKey, email } = invited ?? { emailKey: null, email: null }
      const all = Object.values(members)
      if (all.some((each) => (userId === null ? each.emailKey === emailKey : each.userId === userId)))
        reject('conflict', 'A member of this team already', 'ALREADY_MEMBER')
      if (all.length >= MEMBERS_MAX) reject('conflict', `A team has at most ${MEMBERS_MAX} members`, 'TOO_MANY')
      return [TeamMemberAdded({ teamId, memberId, userId, emailKey, email })]
    },
    /** Whose address it was is known now. One who had been added as an account meanwhile is in it once. */
    JoinTeam: (team, { memberId, userId }: { memberId: string; userId: string }) => {
      const pending = team?.members[memberId]
      if (!team || !pending || pending.userId !== null) return []
      const teamId = team.id
      return teamMember(team, userId)
        ? [TeamMemberRemoved({ teamId, memberId, userId: null })]
        : [TeamMemberJoined({ teamId, memberId, userId })]
    },
    RemoveTeamMember: (team, { ownerId, memberId }: RequiredOwner & { memberId: string }) => {
      const known = mustOwnTeam(team, { ownerId })
      const { userId } = found(known.members[memberId])
      if (userId !== null && userId === known.ownerId)
        reject('conflict', 'This is the owner: he stays for as long as there is the team', 'OWNER_STAYS')
      return [TeamMemberRemoved({ teamId: known.id, memberId, userId })]
    },
    /** With his account, the owner as well. */
    ForgetTeamMember: (team, { userId }: { userId: string }) => {
      const member = team && teamMember(team, userId)
      return member ? [TeamMemberRemoved({ teamId: team.id, memberId: member.id, userId })] : []
    },
  },
})

const withMember = (team: Team, member: TeamMember): Team => ({
  ...team,
  members: { ...team.members, [member.id]: member },
})

export const teamMember = ({ members }: Team, userId: string): TeamMember | undefined =>
  Object.values(members).find((member) => member.userId === userId)

/** Who is meant by `memberUserId`: an account, or a member who is awaited and has no account yet. */
export const findTeamMember = (team: Team, memberUserId: string): TeamMember | undefined =>
  teamMember(team, memberUserId) ?? team.members[memberUserId]

/** @throws Rejection 404 for whoever is not in it · 403 for whoever does not own it any more */
function mustOwnTeam(team: Team | undefined, { ownerId }: RequiredOwner): Team {
  const known = found(team)
  if (ownerId === null || known.ownerId === ownerId) return known
  found(teamMember(known, ownerId))
  return reject('forbidden', 'Only for the owner of the team', 'ROLE_MISSING')
}

const teamMembershipRules = membershipRules('teamId', teamMembershipTypes)

/** Of one person, or of one address. */
export const teamMemberships = decider(teamMembershipEvents, {
  initial: teamMembershipRules.none,
  evolve: { TeamEntered: teamMembershipRules.entered, TeamExited: teamMembershipRules.exited },
  commands: teamMembershipRules.commands,
})
