import { getAdminSubscriptions } from '#api-client/licensing/subscriptions'
import { ButtonLink, Empty } from '../../kit/controls.tsx'
import { Page } from '../../kit/page.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { useBulkBar } from '../bulk/bulk-bar.tsx'
import { ExportMenu } from '../exports/export-menu.tsx'
import { IdLink } from '../records/id-link.tsx'
import { SUBSCRIPTION_COLUMNS } from './columns.tsx'

export default function Subscriptions() {
  const selection = useBulkBar('subscriptions')
  return (
    <Page title="Subscriptions" actions={<ExportMenu resource="subscriptions" />}>
      <RecordTable
        operation={getAdminSubscriptions}
        caption="Subscriptions"
        filters={['status', 'planSlug', 'reference', 'customerId']}
        labels={{ planSlug: 'Plan', reference: 'Whole reference', customerId: 'Customer id' }}
        keyOf={({ id }) => id}
        selection={selection}
        columns={[
          ...SUBSCRIPTION_COLUMNS,
          { label: 'Customer', of: ({ customerId }) => <IdLink kind="customer" id={customerId} /> },
        ]}
        empty={
          <Empty action={<ButtonLink to="/console/customers">Choose a customer</ButtonLink>}>
            A subscription says what a customer has bought: the plan, the seats and until when. It is created on the
            page of its customer.
          </Empty>
        }
      />
    </Page>
  )
}
