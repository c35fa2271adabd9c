/**
 * A customer with a shop session. The session and the customer are read on every request, so ending
 * either takes effect at once.
 */
import { liveSessionBy } from '#kernel/auth/live-session'
import { requireFreshProof } from '#kernel/auth/recent-proof'
import { invalidSession } from '#kernel/auth/rejections'
import { sessionTokens } from '#kernel/auth/session-tokens'
import type { AccessTokenKind } from '#kernel/auth/session-tokens'
import type { RequestHead, Caller } from '#kernel/http/route'
import { lookup } from '#kernel/projections/lookup'
import type { ReadDatabase } from '#kernel/projections/read-database'
import type { Vault } from '#kernel/vault/vault'
import { customerTable } from '#projections/licensing/customers'
import { shopSessionTable } from '#projections/licensing/shop'
import { CUSTOMER } from './access.ts'

export const CUSTOMER_AUTH_PATH = '/api/shop/auth'
export const CUSTOMER_TOKENS: AccessTokenKind = { audience: 'daybook-licensing-shop', seed: 'customer-sessions' }

export interface CustomerCaller extends Caller {
  readonly kind: typeof CUSTOMER
  readonly customerId: string
  /** The session's id. */
  readonly sid: string
}

export interface CustomerCallerDependencies {
  readonly read: ReadDatabase
  readonly vault: Vault
  readonly baseUrl: string
}

/**
 * @throws Rejection 401 `Invalid or expired session`, for every fault of the token, the session or
 * the customer
 */
export async function customerCaller(
  token: string,
  { now }: RequestHead,
  parts: CustomerCallerDependencies,
): Promise<CustomerCaller> {
  const claims = await (await sessionTokens(parts, CUSTOMER_TOKENS)).verify(token, now)
  const session = claims && (await findLiveSession(parts.read, claims.sid, now))
  if (!session || session.customerId !== claims.sub) return invalidSession()
  return {
    kind: CUSTOMER,
    actor: { type: 'CUSTOMER', id: session.customerId },
    can: () => false,
    forbiddenMessage: 'This endpoint is not available to customer sessions.',
    customerId: session.customerId,
    sid: session.id,
    requireRecentProof: () =>
      requireFreshProof(new Date(session.steppedUpAt ?? session.createdAt), now, CUSTOMER_AUTH_PATH),
  }
}

/** The caller of a route that only customers may call. */
export function customerOf(caller: Caller): CustomerCaller {
  if (caller.kind !== CUSTOMER)
    throw new Error(`Expected a customer, got ${caller.kind}: use customerOf only on routes with access "customer"`)
  return caller as CustomerCaller
}

const findLiveSession = liveSessionBy(
  lookup(shopSessionTable, ['id'], (sessions) =>
    sessions
      .innerJoin(customerTable.as('customer'), 'customer.id', 'shopSessions.customerId')
      .where('customer.status', '=', 'ACTIVE')
      .select(['shopSessions.id', 'customerId', 'shopSessions.createdAt', 'expiresAt', 'steppedUpAt']),
  ),
)
