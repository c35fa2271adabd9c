import { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { inState } from '#kernel/http/in-state'
import { listReply } from '#kernel/http/pagination'
import { route } from '#kernel/http/route'
import { found, reject } from '#kernel/lib/rejection'
import { findRow } from '#kernel/projections/lookup'
import { openPayments, paymentTable } from '#projections/licensing/payments'
import { subscriptionTable } from '#projections/licensing/subscriptions'
import { staff, staffOrToken } from '../../access/access.ts'
import { payments } from '../../payments/decider.ts'
import { AMOUNT_MAX, currency, minorUnits } from '../../payments/events.ts'
import { PaymentWithRefunds, withRefunds } from '../../payments/views.ts'
import { invoicePayment } from '../../workflows/billing/issue-invoice.ts'
import {
  canFulfill,
  cancelPayment,
  failedPayments,
  fulfillPayment,
  sellerFrom,
  settlePayment,
} from '../../workflows/billing/record-payment.ts'
import type { BillingContext, PaymentSource } from '../../workflows/billing/record-payment.ts'
import { periodLines, subscriptionLabel } from '../../workflows/billing/renew.ts'
import { MANUAL_PROVIDER } from '../../workflows/billing/request-payment.ts'
import { subscriptions } from '../decider.ts'
import { LIVE_SUBSCRIPTION, requireLive } from '../term-rules.ts'
import type { Subscription as SubscriptionState } from '../term-rules.ts'
import { Subscription } from '../views.ts'
import { paymentsFor, paymentList } from './views.ts'

const NewPayment = z.strictObject({
  amount: minorUnits.min(1).max(AMOUNT_MAX),
  currency,
  /**
   * The method of payment, such as BANK_TRANSFER; stored in plain text, so it must not contain
   * personal data.
   */
  method: z
    .string()
    .regex(
      /^[A-Za-z][A-Za-z0-9 _-]{0,49}$/,
      'must start with a letter and contain at most 50 letters, digits, spaces, _ and -',
    ),
  note: z.string().trim().max(500).optional(),
})

export const subscriptionPaymentRoutes = [
  route('GET /api/admin/subscriptions/:id/payments', {
    does: 'List the charges and credits of a subscription, newest first, each with its refunds.',
    access: staffOrToken('payments:view'),
    query: paymentList.query,
    reply: listReply(PaymentWithRefunds),
    async handle({ read, params: { id }, query }) {
      found(await findRow(read, subscriptionTable, { id }))
      return paymentsFor(read, id, query)
    },
  }),

  route('POST /api/admin/subscriptions/:id/payments', {
    does: 'Record received money, in minor units. It pays an open payment of exactly this sum, or the price of a period.',
    access: staff('payments:manage'),
    from: inState(Subscription, LIVE_SUBSCRIPTION),
    status: 201,
    body: NewPayment,
    reply: PaymentWithRefunds,
    async handle(call) {
      const { run, read, params, body, waitForReadModels } = call
      const arrived = { ...body, subscriptionId: params.id, ...(await readOwedPayments(call, params.id)) }
      const paymentId = await run((unit) => recordReceivedPayment(unit, call, arrived))
      await waitForReadModels()
      const row = await findRow(read, paymentTable, { id: paymentId })
      const [payment] = await withRefunds(read, [found(row)])
      return payment!
    },
  }),
]

interface OwedPayments {
  /** Ids of open payments, oldest first, and those of them with a failed attempt. */
  readonly open: readonly string[]
  readonly failed: readonly string[]
}

async function readOwedPayments({ read }: Pick<BillingContext, 'read'>, subscriptionId: string): Promise<OwedPayments> {
  const open = await openPayments(read, subscriptionId)
  return { open: open.map(({ id }) => id), failed: await failedPayments(read, subscriptionId) }
}

interface ReceivedPayment extends z.output<typeof NewPayment>, OwedPayments {
  readonly subscriptionId: string
}

/** @returns the id of the payment that was recorded or paid */
async function recordReceivedPayment(
  unit: UnitOfWork,
  place: BillingContext,
  arrived: ReceivedPayment,
): Promise<string> {
  const subscription = requireLive(await unit.load(subscriptions, arrived.subscriptionId))
  const by = { provider: MANUAL_PROVIDER, providerRef: null, method: arrived.method, note: arrived.note ?? null }
  const expected = await matchingOpenPayment(unit, arrived)
  if (!canFulfill(subscription, expected ?? { status: 'OPEN', purpose: 'MANUAL' }))
    reject(
      'conflict',
      'The subscription is paused or will be cancelled: resume it or withdraw the cancellation first',
      'SUBSCRIPTION_NOT_RUNNING',
    )
  if (!expected) return recordUnrequestedPayment(unit, place, { subscription, arrived, by })
  await settlePayment(unit, place, expected, by, arrived.failed)
  return expected.id
}

/** The open payment of exactly this sum. */
async function matchingOpenPayment(unit: UnitOfWork, { open, amount, currency }: ReceivedPayment) {
  for (const id of open) {
    const payment = await unit.load(payments, id)
    if (payment?.status === 'OPEN' && payment.amount === amount && payment.currency === currency) return payment
  }
  return undefined
}

interface UnrequestedPayment {
  readonly subscription: SubscriptionState
  readonly arrived: ReceivedPayment
  readonly by: PaymentSource
}

async function recordUnrequestedPayment(
  unit: UnitOfWork,
  place: BillingContext,
  { subscription, arrived, by }: UnrequestedPayment,
): Promise<string> {
  const { id: subscriptionId, customerId, status } = subscription
  const { amount } = arrived
  const price = await periodLines(unit, subscription)
  const total = price.lines.reduce((sum, line) => sum + line.amount, 0)
  if (price.currency !== arrived.currency)
    reject(
      'invalid',
      `The subscription is sold in ${price.currency}: record the payment in that currency`,
      'CURRENCY_DIFFERS',
    )
  if (['PAST_DUE', 'UNPAID'].includes(status) && arrived.open.length > 0)
    reject('conflict', 'No open payment of the subscription has this sum: record the exact sum', 'AMOUNT_NOT_OWED')
  const paymentId = unit.newId()
  await unit.decide(payments, paymentId, 'RecordPayment', {
    ...by,
    paymentId,
    customerId,
    subscriptionId,
    purpose: 'MANUAL',
    amount,
    credited: 0,
    currency: arrived.currency,
    lines: [{ label: `Payment for ${subscriptionLabel(subscription)}`, amount }],
  })
  await invoicePayment(unit, paymentId, sellerFrom(place))
  if (amount < total) return paymentId
  if (status === 'INCOMPLETE')
    for (const id of arrived.open) await cancelPayment(unit, place, id, 'paid in another way')
  await fulfillPayment(unit, place, (await unit.load(payments, paymentId))!, arrived.failed)
  return paymentId
}
