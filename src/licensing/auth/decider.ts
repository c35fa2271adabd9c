import { sessionDecisions, stepUpDecisions } from '#kernel/auth/session-decisions'
import { decider } from '#kernel/events/decider'
import { staffNames } from '../staff/events.ts'
import { staffSession, staffSessionEvents, StaffSessionSteppedUp } from './events.ts'

const { none, started, refreshed, passwordProved, gone, commands } = sessionDecisions(staffNames, staffSession)

export const staffSessions = decider(staffSessionEvents, {
  initial: none,
  snapshot: { version: 2, everyEvents: 200, sealedFor: staffNames.subject },
  evolve: {
    StaffSessionStarted: started,
    StaffSessionRefreshed: refreshed,
    StaffSessionPasswordProved: passwordProved,
    StaffSessionSteppedUp: (sessions) => sessions,
    StaffSessionEnded: gone,
  },
  commands: {
    ...commands,
    ...stepUpDecisions(staffNames, StaffSessionSteppedUp),
  },
})
