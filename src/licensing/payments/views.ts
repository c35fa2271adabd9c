import { z } from 'zod'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { disputesOf, paymentTable } from '#projections/licensing/payments'
import type { PaymentRow } from '#projections/licensing/payments'
import { DISPUTE_STATUSES, PAYMENT_STATUSES, PAYMENT_TYPES, minorUnits } from './events.ts'

export const Payment = z
  .object({
    id: z.uuid(),
    type: z.enum(PAYMENT_TYPES),
    amount: minorUnits,
    currency: z.string(),
    status: z.enum(PAYMENT_STATUSES),
    provider: z.string(),
    providerRef: z.string().nullable(),
    invoiceNumber: z.string().nullable(),
    paidAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'PaymentEntry' })

const Dispute = z
  .object({
    id: z.uuid(),
    status: z.enum(DISPUTE_STATUSES),
    amount: minorUnits,
    currency: z.string(),
    /** The provider's code. */
    reason: z.string(),
    providerRef: z.string(),
    openedAt: z.iso.datetime(),
    closedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Dispute' })

/** With its refunds and disputes, newest first. */
export const PaymentWithRefunds = Payment.extend({ refunds: z.array(Payment), disputes: z.array(Dispute) }).meta({
  id: 'Payment',
})

/** Among those of other customers. */
export const CustomerPayment = PaymentWithRefunds.extend({
  customerId: z.uuid(),
  /** null: credit that staff granted. */
  subscriptionId: z.uuid().nullable(),
  createdAt: z.iso.datetime(),
}).meta({ id: 'CustomerPayment' })

export async function withRefunds(read: ReadDatabase, rows: readonly PaymentRow[]) {
  const ids = rows.map(({ id }) => id)
  const given = paymentTable
    .queryIn(read)
    .selectAll()
    .where('refundOf', 'in', ids.length > 0 ? ids : [null])
  const refunds = await given.orderBy('createdAt', 'desc').orderBy('id', 'desc').execute()
  const disputes = await disputesOf(read, ids)
  return rows.map((row) => ({
    ...row,
    refunds: refunds.filter(({ refundOf }) => refundOf === row.id),
    disputes: disputes.filter(({ paymentId }) => paymentId === row.id),
  }))
}

/** All charges and credits of a customer, oldest first. */
export async function paymentsOf(read: ReadDatabase, customerId: string) {
  const all = paymentTable.queryIn(read).selectAll().where('customerId', '=', customerId).where('type', '<>', 'REFUND')
  return withRefunds(read, await all.orderBy('createdAt').orderBy('id').execute())
}
