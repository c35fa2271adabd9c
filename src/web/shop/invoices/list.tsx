import { Link } from 'wouter'
import { getShopInvoices, getShopInvoicesByIdPdf } from '#api-client/licensing/shop'
import { Button, Empty } from '../../kit/controls.tsx'
import { money } from '../../kit/money.ts'
import { Page } from '../../kit/page.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { wordOf } from '../../kit/words.ts'
import { useDownload } from '../../session/download.ts'

export default function Invoices() {
  const download = useDownload()
  return (
    <Page title="Invoices">
      <RecordTable
        operation={getShopInvoices}
        caption="My invoices and credit notes"
        keyOf={({ id }) => id}
        columns={[
          { label: 'Number', of: ({ number }) => number },
          { label: 'Kind', of: ({ kind }) => wordOf(kind) },
          { label: 'Issued', of: ({ issuedAt }) => <Time at={issuedAt} /> },
          {
            label: 'Subscription',
            of: ({ subscriptionId }) => <Link href={`/shop/subscriptions/${subscriptionId}`}>Open it</Link>,
          },
          { label: 'Total', isNumber: true, of: ({ total, currency }) => money(total, currency) },
          {
            label: 'File',
            of: ({ id, number }) => (
              <Button
                tone="quiet"
                onClick={() => void download(getShopInvoicesByIdPdf, { params: { id } }, `${number}.pdf`)}
              >
                PDF<span className="only-read"> of {number}</span>
              </Button>
            ),
          },
        ]}
        empty={<Empty>Each payment gets an invoice, which stands here.</Empty>}
      />
    </Page>
  )
}
