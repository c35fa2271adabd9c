import { id, key, nullable, readModel, sealedText, timestamptz } from '#kernel/projections/read-model'
import { customerSubject } from '#licensing/customers/events'
import { shopSessionEvents } from '#licensing/shop/sessions/events'

const subject = ({ customerId }: { customerId: string }): string => customerSubject(customerId)

const columns = {
  id: key,
  customerId: id,
  userAgent: nullable(sealedText('userAgent', subject)),
  createdAt: timestamptz,
  expiresAt: timestamptz,
  steppedUpAt: nullable(timestamptz),
}

/**
 * Live sessions only. When a session ends, its row is deleted and its access tokens are refused.
 */
export const shopSessionTable = readModel('shopSessions', 1, columns, ['(customer_id, created_at)'])
  .from(shopSessionEvents, {
    ShopSessionStarted: (table, { shopSessionId, refreshHash: _hash, ...session }, { at }) =>
      table.insert({ ...session, id: shopSessionId, createdAt: at, steppedUpAt: null }),
    ShopSessionRefreshed: (table, { shopSessionId, expiresAt }) => table.update({ id: shopSessionId }, { expiresAt }),
    ShopSessionSteppedUp: (table, { shopSessionId }, { at }) =>
      table.update({ id: shopSessionId }, { steppedUpAt: at }),
    ShopSessionEnded: (table, { shopSessionId }) => table.remove({ id: shopSessionId }),
  })
  .forGate()
