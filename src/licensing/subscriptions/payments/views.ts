import { z } from 'zod'
import { pagination } from '#kernel/http/pagination'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { paymentTable } from '#projections/licensing/payments'
import { PAYMENT_STATUSES, PAYMENT_TYPES } from '../../payments/events.ts'
import { withRefunds } from '../../payments/views.ts'

export const paymentList = pagination({
  filters: { status: z.enum(PAYMENT_STATUSES).optional(), type: z.enum(PAYMENT_TYPES).exclude(['REFUND']).optional() },
  sort: ['createdAt'],
})

/** The charges and credits of a subscription, each with its refunds. */
export async function paymentsFor(
  read: ReadDatabase,
  subscriptionId: string,
  query: z.output<typeof paymentList.query>,
) {
  const all = paymentTable.queryIn(read).selectAll().where('subscriptionId', '=', subscriptionId)
  const page = await paymentList.list(all.where('type', '<>', 'REFUND'), query)
  return { ...page, items: await withRefunds(read, page.items) }
}
