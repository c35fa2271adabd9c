import { listReply } from '#kernel/http/pagination'
import { bytesReply, route } from '#kernel/http/route'
import { customer } from '../../access/access.ts'
import { customerOf } from '../../access/customer-caller.ts'
import { Invoice, invoiceFile, invoiceList, invoicesOf } from '../../workflows/billing/read-invoices.ts'

export const shopInvoiceRoutes = [
  route('GET /api/shop/invoices', {
    does: 'List my invoices and credit notes.',
    access: customer,
    query: invoiceList.query,
    reply: listReply(Invoice),
    handle: ({ read, caller, query }) => invoicesOf({ read }, customerOf(caller).customerId, query),
  }),

  route('GET /api/shop/invoices/:id/pdf', {
    does: 'Get one of my invoices as a PDF.',
    access: customer,
    reply: bytesReply('application/pdf'),
    handle: ({ read, vault, caller, params: { id } }) =>
      invoiceFile({ read, vault }, { id, customerId: customerOf(caller).customerId }),
  }),
]
