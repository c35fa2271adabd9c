import { invalidSession } from '#kernel/auth/rejections'
import { sessionDecisions } from '#kernel/auth/session-decisions'
import type { OwnedSession } from '#kernel/auth/session-decisions'
import type { SessionIdentity } from '#kernel/auth/session-rules'
import { decider } from '#kernel/events/decider'
import type { DecisionContext } from '#kernel/events/decider'
import { found } from '#kernel/lib/rejection'
import { userRealmNames } from '../users/events.ts'
import { userSessionTypes, userSessionEvents } from './events.ts'
import type { UserSessionEndReason } from './events.ts'

const { none, started, refreshed, passwordProved, gone, ended, othersThan, commands } = sessionDecisions(
  userRealmNames,
  userSessionTypes,
)

export const userSessions = decider(userSessionEvents, {
  initial: none,
  snapshot: { version: 2, everyEvents: 200, sealedFor: userRealmNames.subject },
  evolve: {
    UserSessionStarted: started,
    UserSessionRefreshed: refreshed,
    UserSessionPasswordProved: passwordProved,
    UserSessionEnded: gone,
    UserSessionOthersEnded: (sessions) => sessions,
  },
  commands: {
    ...commands,
    /** @throws Rejection 401 if the session has already ended, which its cookie does not show */
    EndSession: (sessions, ask: { sessionId: string; reason: UserSessionEndReason }) =>
      ended([sessions.find(({ id }) => id === ask.sessionId) ?? invalidSession()], ask.reason),
    /**
     * Ends one session of the account. If it names the caller's session, all others end instead.
     * @throws Rejection 404
     */
    RevokeSession: (sessions, { id, ...by }: SessionIdentity & { id: string }, { at }: DecisionContext) =>
      id === by.sessionId
        ? revokeOthers(sessions, by, at)
        : ended([found(sessions.find((session) => session.id === id))], 'REVOKED'),
    RevokeOthers: (sessions, by: SessionIdentity, { at }: DecisionContext) => revokeOthers(sessions, by, at),
  },
})

/** @throws Rejection 401 if the caller's session has ended */
function revokeOthers(sessions: readonly OwnedSession<'userId'>[], by: SessionIdentity, at: Date) {
  const others = othersThan(sessions, by, at)
  return [
    userSessionEvents.UserSessionOthersEnded({ ...userRealmNames.ofSession(by), ended: others.length }),
    ...ended(others, 'REVOKED'),
  ]
}
