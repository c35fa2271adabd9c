/** Sessions of staff: a family of refresh tokens, of which one is good at a time, and the short-lived access tokens between. */
import { z } from 'zod'
import { event, internal, sealed, stream } from '#kernel/event'
import { END_REASONS, refreshClaim } from '#kernel/realm/session-rules'

const staffId = z.uuid()
const staffSessionId = z.uuid()
/** sha256 of a refresh token, hex. */
const refreshHash = internal(z.string())
const expiresAt = z.iso.datetime()

export const REFRESH_CLAIM = 'staffRefresh'

const takesToken = (data: { staffId: string; staffSessionId: string; refreshHash: string }) => [
  refreshClaim(REFRESH_CLAIM, { accountId: data.staffId, sessionId: data.staffSessionId }, data.refreshHash),
]

export const StaffSessionStarted = event(
  'StaffSessionStarted',
  'staffSessionId',
  { staffSessionId, staffId, refreshHash, expiresAt, userAgent: sealed(z.string().nullable()) },
  ({ staffSessionId, staffId }) => `signed in as ${staffId}, session ${staffSessionId}`,
  { sealedFor: ({ staffId }) => `staff/${staffId}`, takes: takesToken },
)

export const StaffSessionRefreshed = event(
  'StaffSessionRefreshed',
  'staffSessionId',
  { staffSessionId, staffId, refreshHash, expiresAt },
  ({ staffSessionId }) => `refreshed session ${staffSessionId}`,
  { takes: takesToken },
)

export const StaffSessionSteppedUp = event(
  'StaffSessionSteppedUp',
  'staffSessionId',
  { staffSessionId, staffId },
  ({ staffSessionId }) => `proved the second factor again in session ${staffSessionId}`,
)

/** REMOVED: with the member of staff. */
export const STAFF_END_REASONS = [...END_REASONS, 'REMOVED'] as const
export type StaffEndReason = (typeof STAFF_END_REASONS)[number]

export const StaffSessionEnded = event(
  'StaffSessionEnded',
  'staffSessionId',
  { staffSessionId, staffId, reason: z.enum(STAFF_END_REASONS) },
  ({ staffSessionId, reason }) => `ended session ${staffSessionId} (${reason})`,
  { strict: true },
)

/** One stream a person: the cap on sessions is a rule about all of them, and a password ends them together. */
export const staffSessionEvents = stream('staffSessions', [
  StaffSessionStarted,
  StaffSessionRefreshed,
  StaffSessionSteppedUp,
  StaffSessionEnded,
])

/** Somebody failed to sign in to an account that exists. The attempt counters bound how many of these there can be. */
export const StaffLoginFailed = event(
  'StaffLoginFailed',
  'staffId',
  { staffId, reason: z.enum(['WRONG_PASSWORD', 'WRONG_CODE', 'CODE_MISSING']) },
  ({ staffId, reason }) => `could not sign in as ${staffId} (${reason})`,
)

/** A stream of its own, since it guards no rule and is written by strangers. */
export const staffLoginEvents = stream('staffLogins', [StaffLoginFailed])
