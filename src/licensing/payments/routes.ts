import { z } from 'zod'
import { UniqueConstraintViolation } from '#kernel/events/store-port'
import { inState } from '#kernel/http/in-state'
import { listReply, pagination } from '#kernel/http/pagination'
import { bytesBody, everyone, route } from '#kernel/http/route'
import { reasonSchema } from '#kernel/lib/display-text'
import { found } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import { findRow } from '#kernel/projections/lookup'
import { paymentTable } from '#projections/licensing/payments'
import { staff, staffOrToken } from '../access/access.ts'
import { applyProviderReport, requestRefund, settleRefund } from '../workflows/billing/record-payment.ts'
import type { BillingContext } from '../workflows/billing/record-payment.ts'
import { MANUAL_PROVIDER } from '../workflows/billing/request-payment.ts'
import { payments } from './decider.ts'
import { AMOUNT_MAX, PAYMENT_STATUSES, PAYMENT_TYPES, PaymentNoticed, paymentNotices, minorUnits } from './events.ts'
import { paymentProvider, requireProviderAnswer } from './provider.ts'
import type { PaymentProvider, ProviderNotice } from './provider.ts'
import { CustomerPayment, withRefunds, PaymentWithRefunds } from './views.ts'

const NewRefund = z.strictObject({
  amount: minorUnits.min(1).max(AMOUNT_MAX).optional(),
  reason: reasonSchema(500),
  byHand: z
    .boolean()
    .default(false)
    .describe(
      'Only record a refund that is made by hand, for example if the provider can no longer reach the account.',
    ),
})

const NOTICE_BYTES_MAX = 256 * 1024

const paymentList = pagination({
  filters: {
    customerId: uuid.optional(),
    subscriptionId: uuid.optional(),
    status: z.enum(PAYMENT_STATUSES).optional(),
    type: z.enum(PAYMENT_TYPES).exclude(['REFUND']).optional(),
  },
  sort: ['createdAt'],
})

export const paymentRoutes = [
  route('GET /api/admin/payments', {
    does: 'List the charges and credits of all customers, newest first, each with its refunds.',
    access: staffOrToken('payments:view'),
    query: paymentList.query,
    reply: listReply(CustomerPayment),
    async handle({ read, query }) {
      const all = paymentTable.queryIn(read).selectAll().where('type', '<>', 'REFUND')
      const page = await paymentList.list(all, query)
      return { ...page, items: await withRefunds(read, page.items) }
    },
  }),

  route('POST /api/admin/payments/:id/refund', {
    does: 'Refund a payment, whole or in part, in minor units. Its provider returns the money; the refund is PENDING until then.',
    access: staff('payments:manage'),
    from: inState(PaymentWithRefunds, { type: ['CHARGE'], status: ['PAID', 'PARTIALLY_REFUNDED'] }),
    body: NewRefund,
    reply: PaymentWithRefunds,
    stepUp: true,
    async handle(call) {
      const { run, read, params, body, waitForReadModels } = call
      const { byHand, ...ask } = body
      await run(async (unit) => {
        const refundId = await requestRefund(unit, params.id, byHand ? { ...ask, provider: MANUAL_PROVIDER } : ask)
        const { provider } = (await unit.load(payments, params.id))!
        if (byHand || provider === MANUAL_PROVIDER) await settleRefund(unit, call, params.id, { refundId, ref: null })
      })
      await waitForReadModels()
      const row = await findRow(read, paymentTable, params)
      const [payment] = await withRefunds(read, [found(row)])
      return payment!
    },
  }),

  route('POST /api/webhooks/payments/:provider', {
    does: 'Receive signed notices of the payment provider. Repeated notices and notices of unknown objects change nothing.',
    access: everyone,
    params: z.object({ provider: z.string().max(32) }),
    body: bytesBody(NOTICE_BYTES_MAX),
    status: 200,
    reply: z.object({ received: z.literal(true) }),
    async handle(call) {
      const known = call.service(paymentProvider)
      const provider = found(known?.name === call.params.provider ? known : undefined)
      const notice = provider.verifyWebhook(call.body, call.header('stripe-signature'), call.now)
      const { read, service, baseUrl } = call
      const actor = { type: 'PROVIDER', id: provider.name }
      await handleNotice({ read, service, baseUrl, run: (work) => call.run(work, actor) }, provider, notice)
      return { received: true } as const
    },
  }),
]

/**
 * Reads the object from the provider before it writes: if the provider does not answer, it sends
 * the notice again.
 */
async function handleNotice(
  place: BillingContext,
  provider: PaymentProvider,
  { id, kind, ref }: ProviderNotice,
): Promise<void> {
  const isKnown = await place.run((unit) => unit.holderOf('paymentNotice', `${provider.name}/${id}`))
  const seen =
    ref === undefined || isKnown !== undefined
      ? undefined
      : await requireProviderAnswer(() => provider.fetchReport(ref))
  if (!seen) return
  const notice = { provider: provider.name, notice: id, kind }
  try {
    await applyProviderReport(place, provider.name, seen, (unit, paymentId) =>
      unit.appendEvent(paymentNotices, paymentId, PaymentNoticed({ ...notice, paymentId })),
    )
  } catch (error) {
    // A concurrent repetition of the notice has recorded it.
    if (!(error instanceof UniqueConstraintViolation)) throw error
  }
}
