import { decider } from '#kernel/decider'
import type { Deciding } from '#kernel/decider'
import { sessionDecisions } from '#kernel/realm/session-decisions'
import { actingSession } from '#kernel/realm/session-rules'
import type { Held } from '#kernel/realm/session-rules'
import { staffNames } from '../staff/events.ts'
import { staffSession, staffSessionEvents, StaffSessionSteppedUp } from './events.ts'

const { none, started, refreshed, gone, commands } = sessionDecisions(staffNames, staffSession)

export const staffSessions = decider(staffSessionEvents, {
  initial: none,
  snapshot: { version: 1, every: 200, sealedFor: staffNames.subject },
  evolve: {
    StaffSessionStarted: started,
    StaffSessionRefreshed: refreshed,
    StaffSessionSteppedUp: (sessions) => sessions,
    StaffSessionEnded: gone,
  },
  commands: {
    ...commands,
    StepUpSession: (sessions, held: Held, { at }: Deciding) => {
      actingSession(sessions, held.sessionId, at)
      return [StaffSessionSteppedUp(staffNames.ofSession(held))]
    },
  },
})
