import { getAdminLicenses } from '#api-client/licensing/licenses'
import { ButtonLink, Empty } from '../../kit/controls.tsx'
import { Page } from '../../kit/page.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { useBulkBar } from '../bulk/bulk-bar.tsx'
import { ExportMenu } from '../exports/export-menu.tsx'
import { IdLink } from '../records/id-link.tsx'
import { LICENSE_COLUMNS } from './columns.tsx'

export default function Licenses() {
  const selection = useBulkBar('licenses')
  return (
    <Page
      title="Licenses"
      actions={
        <>
          <ExportMenu resource="licenses" />
          <ButtonLink to="/console/provision" tone="main">
            Provision
          </ButtonLink>
        </>
      }
    >
      <RecordTable
        operation={getAdminLicenses}
        caption="Licenses"
        filters={['status', 'keyId', 'customerId', 'subscriptionId', 'expiresBefore']}
        labels={{ keyId: 'Key id', customerId: 'Customer id', subscriptionId: 'Subscription id' }}
        keyOf={({ id }) => id}
        selection={selection}
        columns={[
          ...LICENSE_COLUMNS,
          { label: 'Customer', of: ({ customerId }) => <IdLink kind="customer" id={customerId} /> },
        ]}
        empty={<Empty>A license lets a customer’s panels run. Each is issued for a subscription.</Empty>}
      />
    </Page>
  )
}
