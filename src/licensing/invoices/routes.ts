import { z } from 'zod'
import { listReply, pagination } from '#kernel/http/pagination'
import { bytesReply, route } from '#kernel/http/route'
import { uuid } from '#kernel/lib/uuid'
import { invoiceTable } from '#projections/licensing/payments'
import { staff, staffOrToken } from '../access/access.ts'
import { INVOICE_KINDS } from '../payments/invoices/events.ts'
import { Invoice, invoiceFile } from '../workflows/billing/read-invoices.ts'

/** Without the buyer, whom the PDF names. */
const CustomerInvoice = Invoice.extend({
  customerId: z.uuid(),
  paymentId: z.uuid(),
  /** The number of the invoice that this one corrects. */
  corrects: z.string().nullable(),
}).meta({ id: 'CustomerInvoice' })

const invoiceList = pagination({
  filters: {
    customerId: uuid.optional(),
    subscriptionId: uuid.optional(),
    kind: z.enum(INVOICE_KINDS).optional(),
    number: z.string().max(64).optional(),
  },
  sort: ['issuedAt'],
  created: 'issuedAt',
})

export const invoiceRoutes = [
  route('GET /api/admin/invoices', {
    does: 'List the invoices and credit notes of all customers, newest first. `number` is a whole number.',
    access: staffOrToken('payments:view'),
    query: invoiceList.query,
    reply: listReply(CustomerInvoice),
    handle: ({ read, query }) => invoiceList.list(invoiceTable.queryIn(read).selectAll(), query),
  }),

  route('GET /api/admin/invoices/:id/pdf', {
    does: 'Get an invoice or credit note as a PDF. It names the buyer.',
    access: staff('payments:view'),
    reply: bytesReply('application/pdf'),
    handle: ({ read, vault, params: { id } }) => invoiceFile({ read, vault }, { id }),
  }),
]
