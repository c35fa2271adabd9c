import { decider } from '#kernel/events/decider'
import type { Deciding } from '#kernel/events/decider'
import { invalidSession } from '#kernel/auth/refusals'
import { sessionDecisions } from '#kernel/auth/session-decisions'
import type { SessionOf } from '#kernel/auth/session-decisions'
import type { Held } from '#kernel/auth/session-rules'
import { found } from '#kernel/lib/rejection'
import { userNames } from '../users/events.ts'
import { userSession, userSessionEvents, UserSessionOthersEnded } from './events.ts'
import type { UserEndReason } from './events.ts'

const { none, started, refreshed, passwordProved, gone, ended, othersThan, commands } = sessionDecisions(
  userNames,
  userSession,
)

export const userSessions = decider(userSessionEvents, {
  initial: none,
  snapshot: { version: 2, every: 200, sealedFor: userNames.subject },
  evolve: {
    UserSessionStarted: started,
    UserSessionRefreshed: refreshed,
    UserSessionPasswordProved: passwordProved,
    UserSessionEnded: gone,
    UserSessionOthersEnded: (sessions) => sessions,
  },
  commands: {
    ...commands,
    /** @throws Rejection 401 for one that has ended already, which its cookie does not say */
    EndSession: (sessions, ask: { sessionId: string; reason: UserEndReason }) =>
      ended([sessions.find(({ id }) => id === ask.sessionId) ?? invalidSession()], ask.reason),
    /** One of the person's own: naming the one that acts ends all others. @throws Rejection 404 */
    RevokeSession: (sessions, { id, ...by }: Held & { id: string }, { at }: Deciding) =>
      id === by.sessionId
        ? othersRevoked(sessions, by, at)
        : ended([found(sessions.find((session) => session.id === id))], 'REVOKED'),
    RevokeOthers: (sessions, by: Held, { at }: Deciding) => othersRevoked(sessions, by, at),
  },
})

/** @throws Rejection 401 when the one that acts has ended */
function othersRevoked(sessions: readonly SessionOf<'userId'>[], by: Held, at: Date) {
  const others = othersThan(sessions, by, at)
  return [UserSessionOthersEnded({ ...userNames.ofSession(by), ended: others.length }), ...ended(others, 'REVOKED')]
}
