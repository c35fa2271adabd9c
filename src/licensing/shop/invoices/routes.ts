import { listReply } from '#kernel/http/pagination'
import { answer, bytesReply, route } from '#kernel/http/route'
import { customer } from '../../access/access.ts'
import { customerOf } from '../../access/customer-caller.ts'
import { Invoice, invoiceList, invoicePdfOf, invoicesOf } from '../../workflows/billing/read-invoices.ts'

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
    async handle({ read, vault, caller, params }) {
      const { number, pdf } = await invoicePdfOf({ read, vault }, customerOf(caller).customerId, params.id)
      return answer(pdf, 200, {
        'Cache-Control': 'no-store',
        'Content-Disposition': `attachment; filename="invoice-${number}.pdf"`,
      })
    },
  }),
]
