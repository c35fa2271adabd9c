import { decider } from '#kernel/events/decider'
import { memberships } from '#kernel/events/memberships'
import { found, reject } from '#kernel/lib/rejection'
import { withoutKey } from '#kernel/lib/without-key'
import type { Item } from '#kernel/resource/resource'
import type { memberPersonFields } from '../projects/events.ts'
import { teamEvents } from './events.ts'
import type { teamFields } from './events.ts'

type TeamMember = Item<typeof memberPersonFields>

export interface Team extends Item<typeof teamFields> {
  /** Null after the owner's account was erased. */
  readonly ownerId: string | null
  /** Includes the owner. */
  readonly members: Readonly<Record<string, TeamMember>>
}

/** The caller, who must own the team; null for an administrator. */
interface RequiredOwner {
  readonly ownerId: string | null
}

interface TeamAppearance {
  readonly name?: string | undefined
  readonly colour?: string | null | undefined
}

interface AddTeamMemberInput extends RequiredOwner {
  readonly memberId: string
  /** An account; null for an address that no account has proven yet. */
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
      members: withoutKey(team!.members, memberId),
    }),
  },
  commands: {
    CreateTeam: (
      _none,
      ask: { teamId: string; name: string; colour: string | null; ownerId: string; memberId: string },
    ) => [teamEvents.TeamCreated(ask)],
    /** Keeps what the command does not name. */
    ChangeTeam: (team, { ownerId, ...ask }: RequiredOwner & TeamAppearance) => {
      const { id: teamId, name, colour } = mustOwnTeam(team, { ownerId })
      return [
        teamEvents.TeamChanged({
          teamId,
          name: ask.name ?? name,
          colour: ask.colour === undefined ? colour : ask.colour,
        }),
      ]
    },
    DeleteTeam: (team, ask: RequiredOwner) => {
      const { id: teamId, members } = mustOwnTeam(team, ask)
      const all = Object.values(members)
      const invitees = all.flatMap(({ id, userId }) => (userId === null ? [id] : []))
      return [teamEvents.TeamDeleted({ teamId, invitees, userIds: all.flatMap(({ userId }) => userId ?? []) })]
    },
    AddTeamMember: (team, { ownerId, memberId, userId, invited }: AddTeamMemberInput) => {
      const { id: teamId, members } = mustOwnTeam(team, { ownerId })
      const { emailKey, email } = invited ?? { emailKey: null, email: null }
      const all = Object.values(members)
      if (all.some((each) => (userId === null ? each.emailKey === emailKey : each.userId === userId)))
        reject('conflict', 'This account or address is a member of the team already', 'ALREADY_MEMBER')
      if (all.length >= MEMBERS_MAX)
        reject('conflict', `A team can have at most ${MEMBERS_MAX} members: remove one first`, 'TOO_MANY')
      return [teamEvents.TeamMemberAdded({ teamId, memberId, userId, emailKey, email })]
    },
    /** The address now belongs to an account. If that is a member already, only the invitation is removed. */
    JoinTeam: (team, { memberId, userId }: { memberId: string; userId: string }) => {
      const pending = team?.members[memberId]
      if (!team || !pending || pending.userId !== null) return []
      const teamId = team.id
      return teamMember(team, userId)
        ? [teamEvents.TeamMemberRemoved({ teamId, memberId, userId: null })]
        : [teamEvents.TeamMemberJoined({ teamId, memberId, userId })]
    },
    RemoveTeamMember: (team, { ownerId, memberId }: RequiredOwner & { memberId: string }) => {
      const known = mustOwnTeam(team, { ownerId })
      const { userId } = found(known.members[memberId])
      if (userId !== null && userId === known.ownerId)
        reject('conflict', 'This member owns the team and cannot be removed: delete the team instead', 'OWNER_STAYS')
      return [teamEvents.TeamMemberRemoved({ teamId: known.id, memberId, userId })]
    },
    /** When the account is erased, even if it owns the team. */
    ForgetTeamMember: (team, { userId }: { userId: string }) => {
      const member = team && teamMember(team, userId)
      return member ? [teamEvents.TeamMemberRemoved({ teamId: team.id, memberId: member.id, userId })] : []
    },
  },
})

const withMember = (team: Team, member: TeamMember): Team => ({
  ...team,
  members: { ...team.members, [member.id]: member },
})

export const teamMember = ({ members }: Team, userId: string): TeamMember | undefined =>
  Object.values(members).find((member) => member.userId === userId)

/** The member with this account id, or the pending member with this member id. */
export const findTeamMember = (team: Team, memberUserId: string): TeamMember | undefined =>
  teamMember(team, memberUserId) ?? team.members[memberUserId]

/** @throws Rejection 404 for a caller outside the team · 403 for a member that does not own it */
function mustOwnTeam(team: Team | undefined, { ownerId }: RequiredOwner): Team {
  const known = found(team)
  if (ownerId === null || known.ownerId === ownerId) return known
  found(teamMember(known, ownerId))
  return reject('forbidden', 'Only the owner of the team may do this', 'ROLE_MISSING')
}

/** One stream per account or invited address, because decisions on rights read the current teams. */
export const teamMemberships = memberships('Team', { of: 'teamId', stream: 'teamPlaces' })
