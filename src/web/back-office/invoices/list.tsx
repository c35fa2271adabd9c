import { getAdminInvoices } from '#api-client/licensing/invoices'
import { Empty } from '../../kit/controls.tsx'
import { Page } from '../../kit/page.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { IdLink } from '../records/id-link.tsx'
import { INVOICE_COLUMNS } from './columns.tsx'

export default function Invoices() {
  return (
    <Page title="Invoices">
      <RecordTable
        operation={getAdminInvoices}
        caption="Invoices and credit notes"
        filters={['number', 'kind', 'customerId', 'createdAfter', 'createdBefore']}
        labels={{ number: 'Whole number', customerId: 'Customer id' }}
        keyOf={({ id }) => id}
        columns={[
          ...INVOICE_COLUMNS,
          { label: 'Customer', of: ({ customerId }) => <IdLink kind="customer" id={customerId} /> },
        ]}
        empty={<Empty>Each payment gets an invoice, and each refund a credit note.</Empty>}
      />
    </Page>
  )
}
