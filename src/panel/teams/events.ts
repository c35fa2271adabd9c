/** A team: accounts that get access to projects together. */
import { z } from 'zod'
import { eventsAbout, internal, sealed, stream } from '#kernel/events/event'
import { invitedMemberFields, sealedForInvitee } from '../projects/events.ts'

const memberId = z.uuid()

export const sealedForTeam = ({ teamId }: { teamId: string }): string => `team/${teamId}`

/** The colour as `#rrggbb`; null if none was chosen. */
export const teamFields = { name: sealed(z.string()), colour: z.string().nullable() }

const declareEvents = eventsAbout({ teamId: z.uuid() }, sealedForTeam)
const events = declareEvents({
  TeamCreated: {
    fields: { ...teamFields, ownerId: z.uuid(), memberId },
    sentence: ({ teamId, ownerId }) => `created team ${teamId} of ${ownerId}`,
  },
  TeamChanged: { fields: teamFields, sentence: ({ teamId }) => `changed name or colour of team ${teamId}` },
  /** From then on, the sealed data of the team and of its invitees reads ERASED. */
  TeamDeleted: {
    fields: {
      invitees: internal(z.array(memberId)),
      /** Accounts of the members, to notify them. */
      userIds: internal(z.array(z.uuid())),
    },
    sentence: ({ teamId }) => `deleted team ${teamId}`,
    strict: true,
  },
  TeamMemberAdded: {
    fields: invitedMemberFields,
    sentence: ({ teamId, memberId, userId }) =>
      `added ${userId === null ? 'an address' : userId} to team ${teamId}, member ${memberId}`,
    sealedFor: sealedForInvitee,
  },
  TeamMemberJoined: {
    fields: { memberId, userId: z.uuid() },
    sentence: ({ teamId, memberId, userId }) => `joined team ${teamId} as ${userId}, member ${memberId}`,
  },
  /** The owner is removed only when the account is erased; then the team has no owner. */
  TeamMemberRemoved: {
    fields: { memberId, userId: z.uuid().nullable() },
    sentence: ({ teamId, memberId }) => `removed member ${memberId} from team ${teamId}`,
    strict: true,
  },
})

/** One stream per team, because its invariants span all members: each account once, and the owner stays. */
export const teamEvents = stream('team', events)
