import { decider } from '#kernel/decider'
import type { Deciding } from '#kernel/decider'
import { invalidSession } from '../identity/staff-refusals.ts'
import {
  StaffSessionEnded,
  StaffSessionRefreshed,
  StaffSessionStarted,
  StaffSessionSteppedUp,
  staffSessionEvents,
} from './events.ts'
import type { EndReason } from './events.ts'

export interface StaffSession {
  readonly id: string
  readonly staffId: string
  readonly startedAt: Date
  readonly refreshedAt: Date
  readonly expiresAt: Date
  /** sha256 of the one refresh token that is good. */
  readonly refreshHash: string
  /** That of its immediate predecessor. */
  readonly previousHash: string | undefined
}

interface Named {
  readonly staffId: string
  readonly staffSessionId: string
}

const DAY_MS = 86_400_000
const IDLE_MS = 7 * DAY_MS
const ABSOLUTE_MS = 30 * DAY_MS
/** For an answer that was lost on its way, and for two tabs that refresh at once (security.md 2.3). */
const GRACE_MS = 10_000
export const SESSIONS_MAX = 20

export const staffSessions = decider(staffSessionEvents, {
  initial: [] as readonly StaffSession[],
  snapshot: { version: 1, every: 200, sealedFor: (staffId) => `staff/${staffId}` },
  evolve: {
    StaffSessionStarted: (sessions, { staffSessionId: id, staffId, refreshHash, expiresAt }, at) => [
      ...sessions,
      {
        id,
        staffId,
        startedAt: at,
        refreshedAt: at,
        expiresAt: new Date(expiresAt),
        refreshHash,
        previousHash: undefined,
      },
    ],
    StaffSessionRefreshed: (sessions, { staffSessionId, refreshHash, expiresAt }, at) =>
      sessions.map((session) =>
        session.id === staffSessionId
          ? {
              ...session,
              refreshedAt: at,
              expiresAt: new Date(expiresAt),
              refreshHash,
              previousHash: session.refreshHash,
            }
          : session,
      ),
    StaffSessionSteppedUp: (sessions) => sessions,
    StaffSessionEnded: (sessions, { staffSessionId }) => sessions.filter(({ id }) => id !== staffSessionId),
  },
  commands: {
    /** Clears away what has expired, and makes room by ending the oldest. */
    StartSession: (sessions, ask: Named & { refreshHash: string; userAgent: string | null }, { at }: Deciding) => {
      const live = sessions.filter((session) => isLive(session, at))
      const surplus = live.slice(0, Math.max(0, live.length - SESSIONS_MAX + 1))
      const expired = sessions.filter((session) => !isLive(session, at))
      const started = StaffSessionStarted({ ...ask, expiresAt: expiry(at, at) })
      return [...ended(expired, 'EXPIRED'), ...ended(surplus, 'TOO_MANY'), started]
    },
    /**
     * The good token rotates. Its predecessor, within the grace, changes nothing: the caller derives the same successor
     * again. Every other token of the family was stolen, from us or from whoever now presents it: the family ends.
     */
    RefreshSession: (sessions, ask: Named & { presented: string; successor: string }, { at }: Deciding) => {
      const session = acting(sessions, ask, at)
      if (ask.presented === session.refreshHash) {
        const { staffId, staffSessionId, successor: refreshHash } = ask
        const expiresAt = expiry(session.startedAt, at)
        return [StaffSessionRefreshed({ staffSessionId, staffId, refreshHash, expiresAt })]
      }
      const isRetry = ask.presented === session.previousHash && at.getTime() - session.refreshedAt.getTime() <= GRACE_MS
      return isRetry ? [] : ended([session], 'REFRESH_REUSED')
    },
    StepUpSession: (sessions, { staffId, staffSessionId }: Named, { at }: Deciding) => {
      acting(sessions, { staffSessionId }, at)
      return [StaffSessionSteppedUp({ staffSessionId, staffId })]
    },
    EndSession: (sessions, ask: { staffSessionId: string; reason: EndReason }) =>
      ended(
        sessions.filter(({ id }) => id === ask.staffSessionId),
        ask.reason,
      ),
    EndAllSessions: (sessions, { reason }: { reason: EndReason }) => ended(sessions, reason),
    /** For whoever acts in one of them, which must itself still be alive. */
    EndOtherSessions: (sessions, ask: { staffSessionId: string; reason: EndReason }, { at }: Deciding) => {
      const own = acting(sessions, ask, at)
      return ended(
        sessions.filter((session) => session !== own),
        ask.reason,
      )
    },
  },
})

const isLive = ({ expiresAt }: StaffSession, at: Date): boolean => expiresAt.getTime() > at.getTime()

function acting(sessions: readonly StaffSession[], ask: { staffSessionId: string }, at: Date): StaffSession {
  const session = sessions.find(({ id }) => id === ask.staffSessionId)
  return session && isLive(session, at) ? session : invalidSession()
}

const expiry = (startedAt: Date, usedAt: Date): string =>
  new Date(Math.min(startedAt.getTime() + ABSOLUTE_MS, usedAt.getTime() + IDLE_MS)).toISOString()

const ended = (sessions: readonly StaffSession[], reason: EndReason) =>
  sessions.map(({ id, staffId }) => StaffSessionEnded({ staffSessionId: id, staffId, reason }))
