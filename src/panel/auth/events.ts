/** Sessions of accounts. Each has refresh tokens, one of them valid at a time, and short-lived access tokens. */
import { z } from 'zod'
import { loginFailedEvent, sessionEvents } from '#kernel/auth/session-events'
import { eventsAbout, internal, sealed, stream } from '#kernel/events/event'
import type { DataOf } from '#kernel/events/event'
import { userRealmNames } from '../users/events.ts'

const userId = z.uuid()

/** SUSPENDED and ERASED: the account was suspended or erased. */
export const userSessionTypes = sessionEvents(userRealmNames, ['ROLE_CHANGED', 'SUSPENDED', 'ERASED'])

export type UserSessionEndReason = DataOf<typeof userSessionTypes.Ended>['reason']

const inSession = eventsAbout({ userSessionId: z.uuid(), userId })

/** One stream per account, because the cap counts all its sessions and a new password ends all of them. */
export const userSessionEvents = stream('userSessions', {
  ...userSessionTypes,
  ...inSession({
    /** The account ended all its other sessions. Each of them has its own event in the same append. */
    UserSessionOthersEnded: {
      fields: { ended: z.int().min(0) },
      sentence: ({ userSessionId, ended }) => `ended all sessions but ${userSessionId}, ${ended} in number`,
    },
  }),
})

/** A separate stream, because it guards no invariant and anonymous callers cause its events. */
export const userLoginEvents = stream('userLogins', {
  UserLoginFailed: loginFailedEvent(userRealmNames),
  ...inSession({
    /** The answer to a refresh was lost, or two tabs refreshed at once. The same successor was returned again. */
    UserSessionRefreshRepeated: {
      fields: {},
      sentence: ({ userSessionId }) => `gave the newest refresh token of session ${userSessionId} once more`,
    },
  }),
  ...eventsAbout({ userId })({
    /** A registration with the address of an account. It changes nothing, and a mail notifies the account. */
    UserRegistrationRepeated: {
      fields: {},
      sentence: ({ userId }) => `registered with the address of ${userId}, which has an account`,
    },
  }),
})

export const sealedForLinkRequests = ({ day }: { day: string }): string => `link-asks/${day}`

const requests = eventsAbout({ userLinkId: z.uuid() })({
  /**
   * A link was requested for an address that may have no account. The event is the same in both cases, so
   * that neither the answer nor its time reveals the account. A reaction does the rest later.
   */
  UserLinkAsked: {
    fields: {
      purpose: z.enum(['VERIFY', 'RESET']),
      /** UTC. The address is sealed with a key per day. Two days later the key, and so the address, is gone. */
      day: internal(z.iso.date()),
      emailKey: sealed(z.string()),
      /** Too many links were requested for this address, so none is sent. */
      isMuted: z.boolean(),
    },
    sentence: ({ userLinkId, purpose }) => `asked for link ${userLinkId} (${purpose})`,
    sealedFor: sealedForLinkRequests,
  },
})

/** Guards no invariant; anonymous callers cause its events. */
export const userLinkRequestEvents = stream('userLinkAsks', requests)
