/** A team: people who are put on projects together. */
import { z } from 'zod'
import { event, internal, sealed, stream } from '#kernel/events/event'
import { membershipEventTypes } from '#kernel/events/memberships'
import { sealedForInvitee } from '../projects/events.ts'

const teamId = z.uuid()
const memberId = z.uuid()

export const sealedForTeam = ({ teamId }: { teamId: string }): string => `team/${teamId}`

/** The colour as `#rrggbb`; null: none was chosen. */
const about = { teamId, name: sealed(z.string()), colour: z.string().nullable() }

export const TeamCreated = event(
  'TeamCreated',
  'teamId',
  { ...about, ownerId: z.uuid(), memberId },
  ({ teamId, ownerId }) => `created team ${teamId} of ${ownerId}`,
  { sealedFor: sealedForTeam },
)

export const TeamChanged = event(
  'TeamChanged',
  'teamId',
  about,
  ({ teamId }) => `changed name or colour of team ${teamId}`,
  { sealedFor: sealedForTeam },
)

/** What is sealed for it and for those who never came reads ERASED from then on. */
export const TeamDeleted = event(
  'TeamDeleted',
  'teamId',
  {
    teamId,
    invitees: internal(z.array(memberId)),
    /** Whose accounts were in it: who is to be told. */
    userIds: internal(z.array(z.uuid())),
  },
  ({ teamId }) => `deleted team ${teamId}`,
  { strict: true },
)

export const TeamMemberAdded = event(
  'TeamMemberAdded',
  'teamId',
  {
    teamId,
    memberId,
    /** Null until somebody has proven that the address is his. */
    userId: z.uuid().nullable(),
    /** HMAC of the address, by which it is found again. Sealed like it: once nobody is awaited by it, not even a guess can be tried. */
    emailKey: sealed(z.string().nullable()),
    email: sealed(z.string().nullable()),
  },
  ({ teamId, memberId, userId }) =>
    `added ${userId === null ? 'an address' : userId} to team ${teamId}, member ${memberId}`,
  { sealedFor: sealedForInvitee },
)

export const TeamMemberJoined = event(
  'TeamMemberJoined',
  'teamId',
  { teamId, memberId, userId: z.uuid() },
  ({ teamId, memberId, userId }) => `joined team ${teamId} as ${userId}, member ${memberId}`,
)

/** The owner only with his account; the team is nobody's then. */
export const TeamMemberRemoved = event(
  'TeamMemberRemoved',
  'teamId',
  { teamId, memberId, userId: z.uuid().nullable() },
  ({ teamId, memberId }) => `removed member ${memberId} from team ${teamId}`,
  { strict: true },
)

/** One stream a team: that somebody is in it once, and that its owner stays, are rules about all who are in it. */
export const teamEvents = stream('team', [
  TeamCreated,
  TeamChanged,
  TeamDeleted,
  TeamMemberAdded,
  TeamMemberJoined,
  TeamMemberRemoved,
])

export const teamMembershipTypes = membershipEventTypes('Team', 'teamId')
export const { Entered: TeamEntered, Exited: TeamExited } = teamMembershipTypes

/** One stream a person, or an address: what somebody may do anywhere is decided with the teams that he is in at that moment. */
export const teamMembershipEvents = stream('teamPlaces', [TeamEntered, TeamExited])
