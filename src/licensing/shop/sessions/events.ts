/** Sessions of customers: families of refresh tokens, as those of staff are. */
import { z } from 'zod'
import { event, stream } from '#kernel/event'
import type { DataOf } from '#kernel/event'
import { sessionEvents } from '#kernel/realm/session-events'
import { shopNames } from '../accounts/events.ts'

/** SUSPENDED, ERASED: with the customer. */
export const shopSession = sessionEvents(shopNames, ['SUSPENDED', 'ERASED'])
export const { Started: ShopSessionStarted, Refreshed: ShopSessionRefreshed, Ended: ShopSessionEnded } = shopSession

export type ShopEndReason = DataOf<typeof ShopSessionEnded>['reason']

export const ShopSessionSteppedUp = event(
  'ShopSessionSteppedUp',
  'shopSessionId',
  { shopSessionId: z.uuid(), customerId: z.uuid() },
  ({ shopSessionId }) => `proved who it is again in session ${shopSessionId}`,
)

/** One stream a customer: the cap on sessions is a rule about all of them, and a password ends them together. */
export const shopSessionEvents = stream('shopSession', [
  ShopSessionStarted,
  ShopSessionRefreshed,
  ShopSessionSteppedUp,
  ShopSessionEnded,
])
