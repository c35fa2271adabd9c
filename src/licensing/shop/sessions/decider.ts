import { decider } from '#kernel/decider'
import type { Deciding } from '#kernel/decider'
import { actingSession, begun, expiryOf, fateOf, makingRoom, rotated } from '#kernel/realm/session-rules'
import type { Rotation, Session } from '#kernel/realm/session-rules'
import {
  ShopSessionEnded,
  ShopSessionRefreshed,
  ShopSessionStarted,
  ShopSessionSteppedUp,
  shopSessionEvents,
} from './events.ts'
import type { ShopEndReason } from './events.ts'

interface ShopSession extends Session {
  readonly customerId: string
}

interface Named {
  readonly customerId: string
  readonly shopSessionId: string
}

export const shopSessions = decider(shopSessionEvents, {
  initial: [] as readonly ShopSession[],
  snapshot: { version: 1, every: 200, sealedFor: (customerId) => `customer/${customerId}` },
  evolve: {
    ShopSessionStarted: (sessions, { shopSessionId: id, customerId, ...token }, at) => [
      ...sessions,
      { ...begun({ id, ...token }, at), customerId },
    ],
    ShopSessionRefreshed: (sessions, { shopSessionId: id, ...token }, at) => rotated(sessions, { id, ...token }, at),
    ShopSessionSteppedUp: (sessions) => sessions,
    ShopSessionEnded: (sessions, { shopSessionId }) => sessions.filter(({ id }) => id !== shopSessionId),
  },
  commands: {
    /** Clears away what has expired, and makes room by ending the oldest. */
    StartSession: (sessions, ask: Named & { refreshHash: string; userAgent: string | null }, { at }: Deciding) => {
      const { expired, surplus } = makingRoom(sessions, at)
      const started = ShopSessionStarted({ ...ask, expiresAt: expiryOf(at, at) })
      return [...ended(expired, 'EXPIRED'), ...ended(surplus, 'TOO_MANY'), started]
    },
    /** A stolen token ends its family. */
    RefreshSession: (sessions, { presented, successor, ...named }: Named & Rotation, { at }: Deciding) => {
      const session = actingSession(sessions, named.shopSessionId, at)
      const fate = fateOf(session, presented, at)
      if (fate === 'repeats') return []
      if (fate === 'stolen') return ended([session], 'REFRESH_REUSED')
      return [ShopSessionRefreshed({ ...named, refreshHash: successor, expiresAt: expiryOf(session.startedAt, at) })]
    },
    StepUpSession: (sessions, { customerId, shopSessionId }: Named, { at }: Deciding) => {
      actingSession(sessions, shopSessionId, at)
      return [ShopSessionSteppedUp({ shopSessionId, customerId })]
    },
    EndSession: (sessions, ask: { shopSessionId: string; reason: ShopEndReason }) =>
      ended(
        sessions.filter(({ id }) => id === ask.shopSessionId),
        ask.reason,
      ),
    EndAllSessions: (sessions, { reason }: { reason: ShopEndReason }) => ended(sessions, reason),
    /** For whoever acts in one of them, which must itself still be alive. */
    EndOtherSessions: (sessions, ask: { shopSessionId: string; reason: ShopEndReason }, { at }: Deciding) => {
      const own = actingSession(sessions, ask.shopSessionId, at)
      return ended(
        sessions.filter((session) => session !== own),
        ask.reason,
      )
    },
  },
})

const ended = (sessions: readonly ShopSession[], reason: ShopEndReason) =>
  sessions.map(({ id, customerId }) => ShopSessionEnded({ shopSessionId: id, customerId, reason }))
