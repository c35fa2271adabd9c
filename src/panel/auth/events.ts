/** Sessions of accounts: a family of refresh tokens, of which one is good at a time, and the short-lived access tokens between. */
import { z } from 'zod'
import { event, internal, sealed, stream } from '#kernel/event'
import { END_REASONS, refreshClaim } from '#kernel/realm/session-rules'

const userId = z.uuid()
const userSessionId = z.uuid()
/** sha256 of a refresh token, hex. */
const refreshHash = internal(z.string())
const expiresAt = z.iso.datetime()

export const REFRESH_CLAIM = 'userRefresh'

const takesToken = (data: { userId: string; userSessionId: string; refreshHash: string }) => [
  refreshClaim(REFRESH_CLAIM, { accountId: data.userId, sessionId: data.userSessionId }, data.refreshHash),
]

export const UserSessionStarted = event(
  'UserSessionStarted',
  'userSessionId',
  { userSessionId, userId, refreshHash, expiresAt, userAgent: sealed(z.string().nullable()) },
  ({ userSessionId, userId }) => `signed in as ${userId}, session ${userSessionId}`,
  { sealedFor: ({ userId }) => `user/${userId}`, takes: takesToken },
)

export const UserSessionRefreshed = event(
  'UserSessionRefreshed',
  'userSessionId',
  { userSessionId, userId, refreshHash, expiresAt },
  ({ userSessionId }) => `refreshed session ${userSessionId}`,
  { takes: takesToken },
)

/** SUSPENDED, ERASED: with the account. */
export const USER_END_REASONS = [...END_REASONS, 'ROLE_CHANGED', 'SUSPENDED', 'ERASED'] as const
export type UserEndReason = (typeof USER_END_REASONS)[number]

export const UserSessionEnded = event(
  'UserSessionEnded',
  'userSessionId',
  { userSessionId, userId, reason: z.enum(USER_END_REASONS) },
  ({ userSessionId, reason }) => `ended session ${userSessionId} (${reason})`,
  { strict: true },
)

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
  UserSessionEnded,
  UserSessionOthersEnded,
])

/** Somebody failed to sign in to an account that exists. The attempt counters bound how many of these there can be. */
export const UserLoginFailed = event(
  'UserLoginFailed',
  'userId',
  { userId, reason: z.enum(['WRONG_PASSWORD', 'WRONG_CODE', 'CODE_MISSING']) },
  ({ userId, reason }) => `could not sign in as ${userId} (${reason})`,
)

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
    emailKey: internal(z.string()),
    /** Too many were asked for with this address: none follows. */
    isMuted: z.boolean(),
  },
  ({ userLinkId, purpose }) => `asked for link ${userLinkId} (${purpose})`,
)

/** Guards no rule and is written by strangers. */
export const userLinkAskEvents = stream('userLinkAsks', [UserLinkAsked])
