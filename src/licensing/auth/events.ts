/**
 * Staff sessions: a family of refresh tokens, one valid at a time, and short-lived access tokens.
 */
import { loginFailedEvent, sessionEvents, steppedUpEvent } from '#kernel/auth/session-events'
import { stream } from '#kernel/events/event'
import type { DataOf } from '#kernel/events/event'
import { staffNames } from '../staff/events.ts'

/** REMOVED: the member of staff was removed. */
export const staffSession = sessionEvents(staffNames, ['REMOVED'])
export const {
  Started: StaffSessionStarted,
  Refreshed: StaffSessionRefreshed,
  PasswordProved: StaffSessionPasswordProved,
  Ended: StaffSessionEnded,
} = staffSession

export type StaffEndReason = DataOf<typeof StaffSessionEnded>['reason']

export const StaffSessionSteppedUp = steppedUpEvent(staffNames)

/**
 * One stream per member of staff: the cap on sessions covers all of them, and a new password ends
 * them together.
 */
export const staffSessionEvents = stream('staffSessions', [
  StaffSessionStarted,
  StaffSessionRefreshed,
  StaffSessionPasswordProved,
  StaffSessionSteppedUp,
  StaffSessionEnded,
])

export const StaffLoginFailed = loginFailedEvent(staffNames)

/** A separate stream: it guards no rule, and strangers cause its events. */
export const staffLoginEvents = stream('staffLogins', [StaffLoginFailed])
