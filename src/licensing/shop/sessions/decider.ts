import { sessionDecisions, stepUpDecisions } from '#kernel/auth/session-decisions'
import { decider } from '#kernel/events/decider'
import { shopNames } from '../accounts/events.ts'
import { shopSession, shopSessionEvents, ShopSessionSteppedUp } from './events.ts'

const { none, started, refreshed, passwordProved, gone, commands } = sessionDecisions(shopNames, shopSession)

export const shopSessions = decider(shopSessionEvents, {
  initial: none,
  snapshot: { version: 2, everyEvents: 200, sealedFor: shopNames.subject },
  evolve: {
    ShopSessionStarted: started,
    ShopSessionRefreshed: refreshed,
    ShopSessionPasswordProved: passwordProved,
    ShopSessionSteppedUp: (sessions) => sessions,
    ShopSessionEnded: gone,
  },
  commands: {
    ...commands,
    ...stepUpDecisions(shopNames, ShopSessionSteppedUp),
  },
})
