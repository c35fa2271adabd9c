import { Link } from 'wouter'
import { getAdminWebhooks } from '#api-client/licensing/webhooks'
import { Empty } from '../../kit/controls.tsx'
import { Page } from '../../kit/page.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { NewWebhook } from './actions.tsx'
import { WebhookState } from './state.tsx'

export default function Webhooks() {
  return (
    <Page title="Webhooks" actions={<NewWebhook />}>
      <RecordTable
        operation={getAdminWebhooks}
        caption="Webhooks"
        filters={['status']}
        keyOf={({ id }) => id}
        columns={[
          { label: 'Address', of: ({ id, url }) => <Link href={`/console/webhooks/${id}`}>{url}</Link> },
          { label: 'State', of: (webhook) => <WebhookState webhook={webhook} /> },
          { label: 'Events', of: ({ events }) => (events.includes('*') ? 'all' : events.length) },
          { label: 'Verified', of: ({ verifiedAt }) => <Time at={verifiedAt} absent="not yet" /> },
          { label: 'Created', sort: 'createdAt', of: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
        empty={
          <Empty>A webhook sends events to an address of yours as they happen, signed with a secret of its own.</Empty>
        }
      />
    </Page>
  )
}
