/** Sessions of staff: a family of refresh tokens, of which one is good at a time, and the short-lived access tokens between. */
import { stream } from '#kernel/events/event'
import type { DataOf } from '#kernel/events/event'
import { loginFailedEvent, sessionEvents, steppedUpEvent } from '#kernel/auth/session-events'
import { staffNames } from '../staff/events.ts'

/** REMOVED: with the member of staff. */
export const staffSession = sessionEvents(staffNames, ['REMOVED'])
export const {
  Started: StaffSessionStarted,
  Refreshed: StaffSessionRefreshed,
  PasswordProved: StaffSessionPasswordProved,
  Ended: StaffSessionEnded,
} = staffSession

export type StaffEndReason = DataOf<typeof StaffSessionEnded>['reason']

export const StaffSessionSteppedUp = steppedUpEvent(staffNames)

/** One stream a person: the cap on sessions is a rule about all of them, and a password ends them together. */
export const staffSessionEvents = stream('staffSessions', [
  StaffSessionStarted,
  StaffSessionRefreshed,
  StaffSessionPasswordProved,
  StaffSessionSteppedUp,
  StaffSessionEnded,
])

export const StaffLoginFailed = loginFailedEvent(staffNames)

/** A stream of its own, since it guards no rule and is written by strangers. */
export const staffLoginEvents = stream('staffLogins', [StaffLoginFailed])
