/** What belongs to a subscription. A part that the person may not see is absent. */
import { getAdminLicenses, postAdminLicenses } from '#api-client/licensing/licenses'
import {
  getAdminSubscriptionsByIdPayments,
  postAdminSubscriptionsByIdPayments,
} from '#api-client/licensing/subscriptions'
import { Action } from '../../kit/action.tsx'
import { Part } from '../../kit/controls.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { useCan } from '../../session/context.tsx'
import { LICENSE_COLUMNS } from '../licenses/columns.tsx'
import { isEnded } from './actions.tsx'
import type { Subscription } from './columns.tsx'
import { PaymentTable } from './payments.tsx'

interface SubscriptionProps {
  readonly subscription: Subscription
}

export function SubscriptionLicenses({ subscription }: SubscriptionProps) {
  const can = useCan()
  const { id, licenseId } = subscription
  if (!can(getAdminLicenses)) return null
  const issue = (
    <Action
      operation={postAdminLicenses}
      fixed={{ subscriptionId: id }}
      label="Issue a license"
      about={licenseId !== null && <p>The present license is revoked, and the new key replaces its key.</p>}
      labels={{ expiresAt: 'End', maxActivations: 'Panels at most' }}
      submit="Issue"
      isOffered={!isEnded(subscription)}
      secrets={({ license, licenseKey }) => [
        { label: 'License key', text: licenseKey, file: `${license.keyId}.license` },
      ]}
    />
  )
  return (
    <Part title="Licenses" actions={issue}>
      <RecordTable
        operation={getAdminLicenses}
        caption="Licenses of this subscription"
        input={{ query: { subscriptionId: id } }}
        keyOf={(license) => license.id}
        columns={LICENSE_COLUMNS}
        empty={<p className="soft">No license was issued for this subscription.</p>}
      />
    </Part>
  )
}

export function SubscriptionPayments({ subscription }: SubscriptionProps) {
  const can = useCan()
  const { id } = subscription
  if (!can(getAdminSubscriptionsByIdPayments)) return null
  const record = (
    <Action
      operation={postAdminSubscriptionsByIdPayments}
      input={{ params: { id } }}
      label="Record a payment"
      about={
        <p>For money that arrived outside the shop. It pays an open payment of this sum, or the price of a period.</p>
      }
      labels={{ method: 'How it arrived, such as bank transfer' }}
      submit="Record"
      record={subscription}
      done="The payment is recorded"
    />
  )
  return (
    <Part title="Payments" actions={record}>
      <PaymentTable subscriptionId={id} />
    </Part>
  )
}
