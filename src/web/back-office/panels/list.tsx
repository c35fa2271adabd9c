import { getAdminInstances } from '#api-client/licensing/instances'
import { Empty } from '../../kit/controls.tsx'
import { Page } from '../../kit/page.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { IdLink } from '../records/id-link.tsx'
import { PANEL_COLUMNS } from './columns.tsx'

export default function Panels() {
  return (
    <Page title="Panels">
      <RecordTable
        operation={getAdminInstances}
        caption="Panels"
        filters={['q', 'status', 'version', 'customerId', 'licenseId']}
        labels={{ q: 'Id, version or system', customerId: 'Customer id', licenseId: 'License id' }}
        keyOf={({ id }) => id}
        columns={[
          ...PANEL_COLUMNS,
          { label: 'License', of: ({ licenseId }) => <IdLink kind="license" id={licenseId} /> },
        ]}
        empty={<Empty>A panel is listed here from its first activation with a license key on.</Empty>}
      />
    </Page>
  )
}
