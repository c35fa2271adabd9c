/** Customer sessions: families of refresh tokens, as for staff. */
import { sessionEvents, steppedUpEvent } from '#kernel/auth/session-events'
import { stream } from '#kernel/events/event'
import type { DataOf } from '#kernel/events/event'
import { shopNames } from '../accounts/events.ts'

/** SUSPENDED, ERASED: the customer was suspended or erased. */
export const shopSession = sessionEvents(shopNames, ['SUSPENDED', 'ERASED'])
export const {
  Started: ShopSessionStarted,
  Refreshed: ShopSessionRefreshed,
  PasswordProved: ShopSessionPasswordProved,
  Ended: ShopSessionEnded,
} = shopSession

export type ShopEndReason = DataOf<typeof ShopSessionEnded>['reason']

export const ShopSessionSteppedUp = steppedUpEvent(shopNames)

/** One stream per customer: the cap on sessions covers all of them, and a new password ends them together. */
export const shopSessionEvents = stream('shopSession', [
  ShopSessionStarted,
  ShopSessionRefreshed,
  ShopSessionPasswordProved,
  ShopSessionSteppedUp,
  ShopSessionEnded,
])
