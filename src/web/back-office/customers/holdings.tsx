/** What a customer holds. A part that the person may not see is absent. */
import { useLocation } from 'wouter'
import { getAdminInstances } from '#api-client/licensing/instances'
import { getAdminLicenses } from '#api-client/licensing/licenses'
import { getAdminSubscriptions, postAdminSubscriptions } from '#api-client/licensing/subscriptions'
import { Action } from '../../kit/action.tsx'
import { Part } from '../../kit/controls.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { useCan } from '../../session/context.tsx'
import { LICENSE_COLUMNS } from '../licenses/columns.tsx'
import { PANEL_COLUMNS } from '../panels/columns.tsx'
import { SUBSCRIPTION_COLUMNS } from '../subscriptions/columns.tsx'

interface OfCustomer {
  readonly id: string
}

export function CustomerSubscriptions({ id, status }: OfCustomer & { readonly status: string }) {
  const can = useCan()
  if (!can(getAdminSubscriptions)) return null
  return (
    <Part title="Subscriptions" actions={<NewSubscription customerId={id} isOffered={status === 'ACTIVE'} />}>
      <RecordTable
        operation={getAdminSubscriptions}
        caption="Subscriptions of this customer"
        input={{ query: { customerId: id } }}
        keyOf={(subscription) => subscription.id}
        columns={SUBSCRIPTION_COLUMNS}
        empty={<p className="soft">This customer has bought nothing yet.</p>}
      />
    </Part>
  )
}

function NewSubscription({ customerId, isOffered }: { readonly customerId: string; readonly isOffered: boolean }) {
  const [, go] = useLocation()
  return (
    <Action
      operation={postAdminSubscriptions}
      fixed={{ customerId }}
      order={['planSlug', 'seats', 'billingCycle', 'status', 'currentPeriodEnd', 'issueLicense']}
      labels={{ planSlug: 'Plan', currentPeriodEnd: 'End of the period', issueLicense: 'Issue a license at once' }}
      label="New subscription"
      submit="Create"
      isOffered={isOffered}
      done="The subscription is created"
      onDone={({ id }) => go(`/console/subscriptions/${id}`)}
    />
  )
}

export function CustomerLicenses({ id }: OfCustomer) {
  const can = useCan()
  if (!can(getAdminLicenses)) return null
  return (
    <Part title="Licenses">
      <RecordTable
        operation={getAdminLicenses}
        caption="Licenses of this customer"
        input={{ query: { customerId: id } }}
        keyOf={(license) => license.id}
        columns={LICENSE_COLUMNS}
        empty={<p className="soft">No license was issued yet. Each is issued for a subscription.</p>}
      />
    </Part>
  )
}

export function CustomerPanels({ id }: OfCustomer) {
  const can = useCan()
  if (!can(getAdminInstances)) return null
  return (
    <Part title="Panels">
      <RecordTable
        operation={getAdminInstances}
        caption="Panels of this customer"
        input={{ query: { customerId: id } }}
        keyOf={(panel) => panel.id}
        columns={PANEL_COLUMNS}
        empty={<p className="soft">No panel has activated a license of this customer.</p>}
      />
    </Part>
  )
}
