/** A team: accounts that get access to projects together. */
import { z } from 'zod'
import { event, internal, sealed, stream } from '#kernel/events/event'
import { membershipEventTypes } from '#kernel/events/memberships'
import { sealedForInvitee } from '../projects/events.ts'

const teamId = z.uuid()
const memberId = z.uuid()

export const sealedForTeam = ({ teamId }: { teamId: string }): string => `team/${teamId}`

/** The colour as `#rrggbb`; null if none was chosen. */
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

/** From then on, the sealed data of the team and of its invitees reads ERASED. */
export const TeamDeleted = event(
  'TeamDeleted',
  'teamId',
  {
    teamId,
    invitees: internal(z.array(memberId)),
    /** Accounts of the members, to notify them. */
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
    /** Null until an account has proven the address. */
    userId: z.uuid().nullable(),
    /**
     * HMAC of the address, to find the invitation again. Sealed too, so that guesses cannot be checked
     * after the invitation ends.
     */
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

/** The owner is removed only when the account is erased; then the team has no owner. */
export const TeamMemberRemoved = event(
  'TeamMemberRemoved',
  'teamId',
  { teamId, memberId, userId: z.uuid().nullable() },
  ({ teamId, memberId }) => `removed member ${memberId} from team ${teamId}`,
  { strict: true },
)

/** One stream per team, because its invariants span all members: each account once, and the owner stays. */
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

/**
 * One stream per account or invited address, because decisions on an account's rights read its current
 * teams.
 */
export const teamMembershipEvents = stream('teamPlaces', [TeamEntered, TeamExited])
