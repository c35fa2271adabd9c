/** What staff should look at. A part that the person may not see is absent. */
import { Link } from 'wouter'
import { getAdminInstances } from '#api-client/licensing/instances'
import { getAdminSubscriptions } from '#api-client/licensing/subscriptions'
import { getAdminWebhooks } from '#api-client/licensing/webhooks'
import { Part } from '../../kit/controls.tsx'
import { RowsTable } from '../../kit/rows-table.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { useAnswerIf, useCan } from '../../session/context.tsx'
import { PANEL_COLUMNS } from '../panels/columns.tsx'
import { IdLink } from '../records/id-link.tsx'
import { SUBSCRIPTION_COLUMNS } from '../subscriptions/columns.tsx'
import { WebhookState } from '../webhooks/state.tsx'

const SHOWN = 5
const WEBHOOKS_READ = 100

export function PastDue() {
  const can = useCan()
  if (!can(getAdminSubscriptions)) return null
  return (
    <Part title="Past due">
      <RecordTable
        operation={getAdminSubscriptions}
        caption="Subscriptions past due"
        input={{ query: { status: 'PAST_DUE', limit: SHOWN } }}
        keyOf={({ id }) => id}
        columns={[
          ...SUBSCRIPTION_COLUMNS,
          { label: 'Customer', of: ({ customerId }) => <IdLink kind="customer" id={customerId} /> },
        ]}
        empty={<p className="soft">No subscription is past due.</p>}
      />
    </Part>
  )
}

export function SilentPanels() {
  const can = useCan()
  if (!can(getAdminInstances)) return null
  return (
    <Part title="Silent panels">
      <RecordTable
        operation={getAdminInstances}
        caption="Silent panels"
        input={{ query: { status: 'STALE', limit: SHOWN } }}
        keyOf={({ id }) => id}
        columns={PANEL_COLUMNS}
        empty={<p className="soft">No panel that holds a slot is silent.</p>}
      />
    </Part>
  )
}

export function FailingWebhooks() {
  const can = useCan()
  const { data } = useAnswerIf(true, getAdminWebhooks, { query: { limit: WEBHOOKS_READ } })
  if (!can(getAdminWebhooks) || !data) return null
  const failing = data.items.filter(
    ({ failingSince, disabledReason }) => failingSince !== null || isGivenUp(disabledReason),
  )
  return (
    <Part title="Failing webhooks">
      {failing.length === 0 ? (
        <p className="soft">No webhook fails.</p>
      ) : (
        <RowsTable
          rows={failing}
          caption="Failing webhooks"
          keyOf={({ id }) => id}
          columns={[
            { label: 'Address', of: ({ id, url }) => <Link href={`/console/webhooks/${id}`}>{url}</Link> },
            { label: 'State', of: (webhook) => <WebhookState webhook={webhook} /> },
          ]}
        />
      )}
    </Part>
  )
}

/** Disabled because of its address, and not by staff. */
const isGivenUp = (reason: string | null): boolean => reason !== null && reason !== 'STAFF'
