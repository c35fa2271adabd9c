import { decider } from '#kernel/decider'
import type { Deciding } from '#kernel/decider'
import { actingSession, begun, expiryOf, fateOf, makingRoom, rotated } from '#kernel/realm/session-rules'
import type { Rotation, Session } from '#kernel/realm/session-rules'
import { invalidSession } from '#kernel/realm/refusals'
import { found } from '#kernel/rejection'
import {
  UserSessionEnded,
  UserSessionOthersEnded,
  UserSessionRefreshed,
  UserSessionStarted,
  userSessionEvents,
} from './events.ts'
import type { UserEndReason } from './events.ts'

export interface UserSession extends Session {
  readonly userId: string
}

interface Named {
  readonly userId: string
  readonly userSessionId: string
}

export const userSessions = decider(userSessionEvents, {
  initial: [] as readonly UserSession[],
  snapshot: { version: 1, every: 200, sealedFor: (userId) => `user/${userId}` },
  evolve: {
    UserSessionStarted: (sessions, { userSessionId: id, userId, ...token }, at) => [
      ...sessions,
      { ...begun({ id, ...token }, at), userId },
    ],
    UserSessionRefreshed: (sessions, { userSessionId: id, ...token }, at) => rotated(sessions, { id, ...token }, at),
    UserSessionEnded: (sessions, { userSessionId }) => sessions.filter(({ id }) => id !== userSessionId),
    UserSessionOthersEnded: (sessions) => sessions,
  },
  commands: {
    /** Clears away what has expired, and makes room by ending the oldest. */
    StartSession: (sessions, ask: Named & { refreshHash: string; userAgent: string | null }, { at }: Deciding) => {
      const { expired, surplus } = makingRoom(sessions, at)
      const started = UserSessionStarted({ ...ask, expiresAt: expiryOf(at, at) })
      return [...ended(expired, 'EXPIRED'), ...ended(surplus, 'TOO_MANY'), started]
    },
    /** A stolen token ends its family. */
    RefreshSession: (sessions, { presented, successor, ...named }: Named & Rotation, { at }: Deciding) => {
      const session = actingSession(sessions, named.userSessionId, at)
      const fate = fateOf(session, presented, at)
      if (fate === 'repeats') return []
      if (fate === 'stolen') return ended([session], 'REFRESH_REUSED')
      return [UserSessionRefreshed({ ...named, refreshHash: successor, expiresAt: expiryOf(session.startedAt, at) })]
    },
    /** @throws Rejection 401 for one that has ended already, which its cookie does not say */
    EndSession: (sessions, ask: { userSessionId: string; reason: UserEndReason }) =>
      ended([sessions.find(({ id }) => id === ask.userSessionId) ?? invalidSession()], ask.reason),
    /** One of the person's own: naming the one that acts ends all others. @throws Rejection 404 */
    RevokeSession: (sessions, { id, ...by }: Named & { id: string }, { at }: Deciding) =>
      id === by.userSessionId
        ? othersRevoked(sessions, by, at)
        : ended([found(sessions.find((session) => session.id === id))], 'REVOKED'),
    RevokeOthers: (sessions, by: Named, { at }: Deciding) => othersRevoked(sessions, by, at),
    EndAllSessions: (sessions, { reason }: { reason: UserEndReason }) => ended(sessions, reason),
    /** For whoever acts in one of them, which must itself still be alive. */
    EndOtherSessions: (sessions, ask: { userSessionId: string; reason: UserEndReason }, { at }: Deciding) => {
      return ended(othersThan(sessions, ask.userSessionId, at), ask.reason)
    },
  },
})

/** @throws Rejection 401 when the one that acts has ended */
function othersThan(sessions: readonly UserSession[], userSessionId: string, at: Date): readonly UserSession[] {
  const own = actingSession(sessions, userSessionId, at)
  return sessions.filter((session) => session !== own)
}

function othersRevoked(sessions: readonly UserSession[], by: Named, at: Date) {
  const others = othersThan(sessions, by.userSessionId, at)
  return [UserSessionOthersEnded({ ...by, ended: others.length }), ...ended(others, 'REVOKED')]
}

const ended = (sessions: readonly UserSession[], reason: UserEndReason) =>
  sessions.map(({ id, userId }) => UserSessionEnded({ userSessionId: id, userId, reason }))
