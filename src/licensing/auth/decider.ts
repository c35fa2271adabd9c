import { decider } from '#kernel/decider'
import type { Deciding } from '#kernel/decider'
import { actingSession, begun, expiryOf, fateOf, makingRoom, rotated } from '#kernel/realm/session-rules'
import type { Rotation, Session } from '#kernel/realm/session-rules'
import {
  StaffSessionEnded,
  StaffSessionRefreshed,
  StaffSessionStarted,
  StaffSessionSteppedUp,
  staffSessionEvents,
} from './events.ts'
import type { StaffEndReason } from './events.ts'

export interface StaffSession extends Session {
  readonly staffId: string
}

interface Named {
  readonly staffId: string
  readonly staffSessionId: string
}

export const staffSessions = decider(staffSessionEvents, {
  initial: [] as readonly StaffSession[],
  snapshot: { version: 1, every: 200, sealedFor: (staffId) => `staff/${staffId}` },
  evolve: {
    StaffSessionStarted: (sessions, { staffSessionId: id, staffId, ...token }, at) => [
      ...sessions,
      { ...begun({ id, ...token }, at), staffId },
    ],
    StaffSessionRefreshed: (sessions, { staffSessionId: id, ...token }, at) => rotated(sessions, { id, ...token }, at),
    StaffSessionSteppedUp: (sessions) => sessions,
    StaffSessionEnded: (sessions, { staffSessionId }) => sessions.filter(({ id }) => id !== staffSessionId),
  },
  commands: {
    /** Clears away what has expired, and makes room by ending the oldest. */
    StartSession: (sessions, ask: Named & { refreshHash: string; userAgent: string | null }, { at }: Deciding) => {
      const { expired, surplus } = makingRoom(sessions, at)
      const started = StaffSessionStarted({ ...ask, expiresAt: expiryOf(at, at) })
      return [...ended(expired, 'EXPIRED'), ...ended(surplus, 'TOO_MANY'), started]
    },
    /** A stolen token ends its family. */
    RefreshSession: (sessions, { presented, successor, ...named }: Named & Rotation, { at }: Deciding) => {
      const session = actingSession(sessions, named.staffSessionId, at)
      const fate = fateOf(session, presented, at)
      if (fate === 'repeats') return []
      if (fate === 'stolen') return ended([session], 'REFRESH_REUSED')
      return [StaffSessionRefreshed({ ...named, refreshHash: successor, expiresAt: expiryOf(session.startedAt, at) })]
    },
    StepUpSession: (sessions, { staffId, staffSessionId }: Named, { at }: Deciding) => {
      actingSession(sessions, staffSessionId, at)
      return [StaffSessionSteppedUp({ staffSessionId, staffId })]
    },
    EndSession: (sessions, ask: { staffSessionId: string; reason: StaffEndReason }) =>
      ended(
        sessions.filter(({ id }) => id === ask.staffSessionId),
        ask.reason,
      ),
    EndAllSessions: (sessions, { reason }: { reason: StaffEndReason }) => ended(sessions, reason),
    /** For whoever acts in one of them, which must itself still be alive. */
    EndOtherSessions: (sessions, ask: { staffSessionId: string; reason: StaffEndReason }, { at }: Deciding) => {
      const own = actingSession(sessions, ask.staffSessionId, at)
      return ended(
        sessions.filter((session) => session !== own),
        ask.reason,
      )
    },
  },
})

const ended = (sessions: readonly StaffSession[], reason: StaffEndReason) =>
  sessions.map(({ id, staffId }) => StaffSessionEnded({ staffSessionId: id, staffId, reason }))
