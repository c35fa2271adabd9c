/** Sessions of customers: families of refresh tokens, as those of staff are. */
import { stream } from '#kernel/events/event'
import type { DataOf } from '#kernel/events/event'
import { sessionEvents, steppedUpEvent } from '#kernel/auth/session-events'
import { shopNames } from '../accounts/events.ts'

/** SUSPENDED, ERASED: with the customer. */
export const shopSession = sessionEvents(shopNames, ['SUSPENDED', 'ERASED'])
export const {
  Started: ShopSessionStarted,
  Refreshed: ShopSessionRefreshed,
  PasswordProved: ShopSessionPasswordProved,
  Ended: ShopSessionEnded,
} = shopSession

export type ShopEndReason = DataOf<typeof ShopSessionEnded>['reason']

export const ShopSessionSteppedUp = steppedUpEvent(shopNames)

/** One stream a customer: the cap on sessions is a rule about all of them, and a password ends them together. */
export const shopSessionEvents = stream('shopSession', [
  ShopSessionStarted,
  ShopSessionRefreshed,
  ShopSessionPasswordProved,
  ShopSessionSteppedUp,
  ShopSessionEnded,
])
