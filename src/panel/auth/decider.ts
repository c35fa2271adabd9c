import { decider } from '#kernel/decider'
import type { Deciding } from '#kernel/decider'
import { actingSession, begun, expiryOf, fateOf, makingRoom, rotated } from '#kernel/realm/session-rules'
import type { Rotation, Session } from '#kernel/realm/session-rules'
import { UserSessionEnded, UserSessionRefreshed, UserSessionStarted, userSessionEvents } from './events.ts'
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
    EndSession: (sessions, ask: { userSessionId: string; reason: UserEndReason }) =>
      ended(
        sessions.filter(({ id }) => id === ask.userSessionId),
        ask.reason,
      ),
    EndAllSessions: (sessions, { reason }: { reason: UserEndReason }) => ended(sessions, reason),
    /** For whoever acts in one of them, which must itself still be alive. */
    EndOtherSessions: (sessions, ask: { userSessionId: string; reason: UserEndReason }, { at }: Deciding) => {
      const own = actingSession(sessions, ask.userSessionId, at)
      return ended(
        sessions.filter((session) => session !== own),
        ask.reason,
      )
    },
  },
})

const ended = (sessions: readonly UserSession[], reason: UserEndReason) =>
  sessions.map(({ id, userId }) => UserSessionEnded({ userSessionId: id, userId, reason }))
