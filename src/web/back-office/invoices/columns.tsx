import { getAdminInvoicesByIdPdf } from '#api-client/licensing/invoices'
import type { getAdminInvoices } from '#api-client/licensing/invoices'
import type { DataOf } from '#api-client/operation'
import type { ItemOf } from '#api-client/paging'
import { Button } from '../../kit/controls.tsx'
import { money } from '../../kit/money.ts'
import type { Column } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { wordOf } from '../../kit/words.ts'
import { useCan } from '../../session/context.tsx'
import { useDownload } from '../../session/download.ts'
import { IdLink } from '../records/id-link.tsx'

type Invoice = ItemOf<DataOf<typeof getAdminInvoices>>

export const INVOICE_COLUMNS: readonly Column<Invoice>[] = [
  { label: 'Number', of: ({ number }) => number },
  {
    label: 'Kind',
    of: ({ kind, corrects }) => (
      <>
        {wordOf(kind)}
        {corrects !== null && <span className="soft small"> of {corrects}</span>}
      </>
    ),
  },
  { label: 'Total', isNumber: true, of: ({ total, currency }) => money(total, currency) },
  { label: 'By credit', isNumber: true, of: ({ credited, currency }) => money(credited, currency) },
  { label: 'Due', of: ({ dueAt }) => <Time at={dueAt} absent="paid" /> },
  { label: 'Issued', sort: 'issuedAt', of: ({ issuedAt }) => <Time at={issuedAt} /> },
  { label: 'Subscription', of: ({ subscriptionId }) => <IdLink kind="subscription" id={subscriptionId} /> },
  { label: 'File', of: (invoice) => <InvoiceFile invoice={invoice} /> },
]

function InvoiceFile({ invoice: { id, number } }: { readonly invoice: Invoice }) {
  const can = useCan()
  const download = useDownload()
  if (!can(getAdminInvoicesByIdPdf)) return null
  return (
    <Button tone="quiet" onClick={() => void download(getAdminInvoicesByIdPdf, { params: { id } }, `${number}.pdf`)}>
      PDF<span className="only-read"> of {number}</span>
    </Button>
  )
}
