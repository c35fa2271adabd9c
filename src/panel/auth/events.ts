/** Sessions of accounts: a family of refresh tokens, of which one is good at a time, and the short-lived access tokens between. */
import { z } from 'zod'
import { event, internal, sealed, stream } from '#kernel/events/event'
import type { DataOf } from '#kernel/events/event'
import { loginFailedEvent, sessionEvents } from '#kernel/auth/session-events'
import { userRealmNames } from '../users/events.ts'

const userId = z.uuid()
const userSessionId = z.uuid()

/** SUSPENDED, ERASED: with the account. */
export const userSessionTypes = sessionEvents(userRealmNames, ['ROLE_CHANGED', 'SUSPENDED', 'ERASED'])
export const {
  Started: UserSessionStarted,
  Refreshed: UserSessionRefreshed,
  PasswordProved: UserSessionPasswordProved,
  Ended: UserSessionEnded,
} = userSessionTypes

export type UserSessionEndReason = DataOf<typeof UserSessionEnded>['reason']

/** On the person's own word; which ones ended stands beside it. */
export const UserSessionOthersEnded = event(
  'UserSessionOthersEnded',
  'userSessionId',
  { userSessionId, userId, ended: z.int().min(0) },
  ({ userSessionId, ended }) => `ended all sessions but ${userSessionId}, ${ended} in number`,
)

/** One stream a person: the cap on sessions is a rule about all of them, and a password ends them together. */
export const userSessionEvents = stream('userSessions', [
  UserSessionStarted,
  UserSessionRefreshed,
  UserSessionPasswordProved,
  UserSessionEnded,
  UserSessionOthersEnded,
])

export const UserLoginFailed = loginFailedEvent(userRealmNames)

/** The answer to a refresh was lost, or two tabs asked at once: the same successor was given again. */
export const UserSessionRefreshRepeated = event(
  'UserSessionRefreshRepeated',
  'userSessionId',
  { userSessionId, userId },
  ({ userSessionId }) => `gave the newest refresh token of session ${userSessionId} once more`,
)

/** Somebody registered with an address that has an account: nothing is changed, and its owner is told. */
export const UserRegistrationRepeated = event(
  'UserRegistrationRepeated',
  'userId',
  { userId },
  ({ userId }) => `registered with the address of ${userId}, which has an account`,
)

/** A stream of its own, since it guards no rule and is written by strangers. */
export const userLoginEvents = stream('userLogins', [
  UserLoginFailed,
  UserSessionRefreshRepeated,
  UserRegistrationRepeated,
])

export const sealedForLinkRequests = ({ day }: { day: string }): string => `link-asks/${day}`

/**
 * A link was asked for, for an address that may have no account: written alike for all, so that neither the answer nor its time says
 * which. What follows is done later.
 */
export const UserLinkAsked = event(
  'UserLinkAsked',
  'userLinkId',
  {
    userLinkId: z.uuid(),
    purpose: z.enum(['VERIFY', 'RESET']),
    /** UTC. Whose address it is cannot be told later: what is sealed on a day cannot be read again when it is over for two. */
    day: internal(z.iso.date()),
    emailKey: sealed(z.string()),
    /** Too many were asked for with this address: none follows. */
    isMuted: z.boolean(),
  },
  ({ userLinkId, purpose }) => `asked for link ${userLinkId} (${purpose})`,
  { sealedFor: sealedForLinkRequests },
)

/** Guards no rule and is written by strangers. */
export const userLinkRequestEvents = stream('userLinkAsks', [UserLinkAsked])
