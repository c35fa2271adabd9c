/** Sessions of customers: families of refresh tokens, as those of staff are. */
import { z } from 'zod'
import { event, internal, sealed, stream } from '#kernel/event'
import { END_REASONS, refreshClaim } from '#kernel/realm/session-rules'
import { customerSubject } from '../../customers/events.ts'

const customerId = z.uuid()
const shopSessionId = z.uuid()
/** sha256 of a refresh token, hex. */
const refreshHash = internal(z.string())
const expiresAt = z.iso.datetime()

export const SHOP_REFRESH_CLAIM = 'shopRefresh'

const takesToken = (data: { customerId: string; shopSessionId: string; refreshHash: string }) => [
  refreshClaim(SHOP_REFRESH_CLAIM, { accountId: data.customerId, sessionId: data.shopSessionId }, data.refreshHash),
]

export const ShopSessionStarted = event(
  'ShopSessionStarted',
  'shopSessionId',
  { shopSessionId, customerId, refreshHash, expiresAt, userAgent: sealed(z.string().nullable()) },
  ({ shopSessionId, customerId }) => `signed in as customer ${customerId}, session ${shopSessionId}`,
  { sealedFor: ({ customerId }) => customerSubject(customerId), takes: takesToken },
)

export const ShopSessionRefreshed = event(
  'ShopSessionRefreshed',
  'shopSessionId',
  { shopSessionId, customerId, refreshHash, expiresAt },
  ({ shopSessionId }) => `refreshed session ${shopSessionId}`,
  { takes: takesToken },
)

export const ShopSessionSteppedUp = event(
  'ShopSessionSteppedUp',
  'shopSessionId',
  { shopSessionId, customerId },
  ({ shopSessionId }) => `proved who it is again in session ${shopSessionId}`,
)

/** SUSPENDED, ERASED: with the customer. */
export const SHOP_END_REASONS = [...END_REASONS, 'SUSPENDED', 'ERASED'] as const
export type ShopEndReason = (typeof SHOP_END_REASONS)[number]

export const ShopSessionEnded = event(
  'ShopSessionEnded',
  'shopSessionId',
  { shopSessionId, customerId, reason: z.enum(SHOP_END_REASONS) },
  ({ shopSessionId, reason }) => `ended session ${shopSessionId} (${reason})`,
  { strict: true },
)

/** One stream a customer: the cap on sessions is a rule about all of them, and a password ends them together. */
export const shopSessionEvents = stream('shopSession', [
  ShopSessionStarted,
  ShopSessionRefreshed,
  ShopSessionSteppedUp,
  ShopSessionEnded,
])
