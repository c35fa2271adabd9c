import { getAdminPayments } from '#api-client/licensing/payments'
import { Empty } from '../../kit/controls.tsx'
import { Page } from '../../kit/page.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { IdLink } from '../records/id-link.tsx'
import { PAYMENT_COLUMNS } from '../subscriptions/payments.tsx'

export default function Payments() {
  return (
    <Page title="Payments">
      <RecordTable
        operation={getAdminPayments}
        caption="Payments"
        filters={['status', 'type', 'customerId', 'createdAfter', 'createdBefore']}
        labels={{ customerId: 'Customer id', type: 'Kind' }}
        keyOf={({ id }) => id}
        columns={[
          ...PAYMENT_COLUMNS,
          { label: 'Customer', of: ({ customerId }) => <IdLink kind="customer" id={customerId} /> },
          {
            label: 'Subscription',
            of: ({ subscriptionId }) =>
              subscriptionId === null ? (
                <span className="soft">–</span>
              ) : (
                <IdLink kind="subscription" id={subscriptionId} />
              ),
          },
          { label: 'Created', sort: 'createdAt', of: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
        empty={<Empty>What customers are charged, pay and are credited stands here.</Empty>}
      />
    </Page>
  )
}
