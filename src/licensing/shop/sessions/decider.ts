import { decider } from '#kernel/decider'
import type { Deciding } from '#kernel/decider'
import { sessionDecisions } from '#kernel/realm/session-decisions'
import { actingSession } from '#kernel/realm/session-rules'
import type { Held } from '#kernel/realm/session-rules'
import { shopNames } from '../accounts/events.ts'
import { shopSession, shopSessionEvents, ShopSessionSteppedUp } from './events.ts'

const { none, started, refreshed, gone, commands } = sessionDecisions(shopNames, shopSession)

export const shopSessions = decider(shopSessionEvents, {
  initial: none,
  snapshot: { version: 1, every: 200, sealedFor: shopNames.subject },
  evolve: {
    ShopSessionStarted: started,
    ShopSessionRefreshed: refreshed,
    ShopSessionSteppedUp: (sessions) => sessions,
    ShopSessionEnded: gone,
  },
  commands: {
    ...commands,
    StepUpSession: (sessions, held: Held, { at }: Deciding) => {
      actingSession(sessions, held.sessionId, at)
      return [ShopSessionSteppedUp(shopNames.ofSession(held))]
    },
  },
})
