/** Reactions to payments that are owed: charge, retry, give up; issue and send invoices. */
import type { DataOf } from '#kernel/events/event'
import type { JobContext } from '#kernel/jobs/job-context'
import { reaction } from '#kernel/jobs/reaction'
import { timer } from '#kernel/jobs/timer'
import { openPayments, renewalsDue, retriesDue, trialsDue, unpaidDue } from '#projections/licensing/payments'
import { invoicePdf } from '../adapters/invoice-pdf.ts'
import { customerEmail, mailStaff } from '../staff/notify.ts'
import { SubscriptionCancelled, SubscriptionExpired } from '../subscriptions/events.ts'
import { invoicePayment } from '../workflows/billing/issue-invoice.ts'
import { cancelPayment, applyProviderReport, settleRefund, sellerFrom } from '../workflows/billing/record-payment.ts'
import {
  RENEWAL_AHEAD_MS,
  CHECKOUT_EXPIRY_MS,
  attemptCharge,
  convertTrial,
  expireIncomplete,
  renew,
  retryFailedCharges,
} from '../workflows/billing/renew.ts'
import { CREDIT_PROVIDER, MANUAL_PROVIDER } from '../workflows/billing/request-payment.ts'
import { payments } from './decider.ts'
import {
  PaymentDisputeClosed,
  PaymentDisputed,
  PaymentFailed,
  PaymentRefundFailed,
  PaymentRefundRequested,
  PaymentRequested,
  PaymentSumDiffered,
} from './events.ts'
import { InvoiceIssued } from './invoices/events.ts'
import { formatAmount } from './money.ts'
import { paymentProvider } from './provider.ts'

/**
 * Payments collected by invoice or already paid get an invoice; automatic payments are charged; at
 * a checkout the customer pays.
 */
const collectPayment = reaction('collect-payment', {
  on: [PaymentRequested],
  outside: true,
  async run({ data: { paymentId, atCheckout, provider } }, work) {
    if (atCheckout) return
    if (provider === MANUAL_PROVIDER || provider === CREDIT_PROVIDER)
      await work.run((unit) => invoicePayment(unit, paymentId, sellerFrom(work)))
    else await attemptCharge(work, paymentId)
  },
})

/** The provider refunds what it collected; staff refund all other payments by hand. */
const giveBack = reaction('give-back', {
  on: [PaymentRefundRequested],
  outside: true,
  async run({ data: { paymentId, refundId, amount } }, work) {
    const payment = (await work.run((unit) => unit.look(payments, paymentId)))!
    if (payment.refunds.find(({ id }) => id === refundId)?.status !== 'PENDING') return
    if (payment.providerRef === null) {
      await work.run((unit) => settleRefund(unit, work, paymentId, { refundId, ref: null }))
      return
    }
    const provider = work.service(paymentProvider)
    if (provider?.name !== payment.provider)
      throw new Error(
        `Payment provider ${payment.provider} is not configured any more: configure it to refund the payment`,
      )
    const seen = await provider.refund({ paymentId, refundId, providerRef: payment.providerRef, amount })
    if (seen) await applyProviderReport(work, provider.name, seen)
  },
})

/** A subscription that is over leaves no debts. */
const forgiveDebts = reaction('forgive-debts', {
  on: [SubscriptionCancelled, SubscriptionExpired],
  async run({ data: { subscriptionId } }, work) {
    const open = await openPayments(work.read, subscriptionId)
    await work.run(async (unit) => {
      for (const { id } of open) await cancelPayment(unit, work, id, 'the subscription is over')
    })
  },
})

const sendInvoice = reaction('send-invoice', {
  on: [InvoiceIssued],
  async run({ data: { invoiceId, ...invoice } }, work) {
    if (!(await work.canMail())) return
    const address = await customerEmail(work, invoice.customerId)
    if (address === undefined) return
    const content = await invoicePdf({ ...invoice, id: invoiceId })
    const { number, kind, total, currency, dueAt } = invoice
    const what = kind === 'INVOICE' ? 'Invoice' : 'Credit note'
    const due = dueAt === null ? '' : ` Please pay by ${dueAt.slice(0, 10)} and quote the number.`
    await work.mail({
      to: address,
      subject: `${what} ${number}`,
      text: `${what} ${number} for ${formatAmount(total, currency)} is attached.${due}\n`,
      attachments: [{ filename: `${number}.pdf`, contentType: 'application/pdf', content }],
    })
  },
})

const tellOfFailure = reaction('tell-of-failed-payment', {
  on: [PaymentFailed],
  async run({ data: { paymentId, customerId } }, work) {
    if (!(await work.canMail())) return
    const address = await customerEmail(work, customerId)
    const payment = await work.run((unit) => unit.look(payments, paymentId))
    if (address === undefined || !payment) return
    await work.mail({
      to: address,
      subject: 'A payment did not go through',
      text: `We could not collect ${formatAmount(payment.amount, payment.currency)} from your means of payment. We will try again in a few days; please make sure that it can be charged.\n`,
    })
  },
})

/** Staff must act when money did not arrive or return as planned. */
const mailPaymentStaff = (
  work: JobContext,
  subject: string,
  said: readonly string[],
  { subscriptionId }: { subscriptionId: string },
) =>
  mailStaff(work, 'payments:manage', {
    subject,
    text: [...said, `GET ${work.baseUrl}/api/admin/subscriptions/${subscriptionId}/payments`].join('\n\n'),
  })

const tellStaffOfRefund = reaction('tell-staff-of-failed-refund', {
  on: [PaymentRefundFailed],
  async run({ data }, work) {
    const { paymentId, refundId, amount, currency, code } = data
    const said = [
      `${formatAmount(amount, currency)} of payment ${paymentId} could not be refunded by refund ${refundId} (${code}).`,
      'The customer has not received the money: refund it again or in another way.',
    ]
    await mailPaymentStaff(work, 'A refund failed', said, data)
  },
})

const tellStaffOfOtherSum = reaction('tell-staff-of-other-sum', {
  on: [PaymentSumDiffered],
  async run({ data }, work) {
    const { paymentId, amount, currency, provider, providerRef, taken } = data
    const said = [
      `For payment ${paymentId} of ${formatAmount(amount, currency)} ${provider} took ${formatAmount(taken.amount, taken.currency || currency)} (${providerRef ?? 'nothing was charged'}).`,
      'The payment does not count as paid, and nothing is refunded automatically: correct it at the provider.',
    ]
    await mailPaymentStaff(work, 'A payment differs from its requested amount', said, data)
  },
})

type DisputeSummary = Omit<DataOf<typeof PaymentDisputeClosed>, 'outcome'>

const disputedOf = ({ amount, currency, paymentId, reason, providerRef }: DisputeSummary): string =>
  `The customer’s bank disputes ${formatAmount(amount, currency)} of payment ${paymentId} (${reason}), ${providerRef} at the provider.`

const tellStaffOfDispute = reaction('tell-staff-of-dispute', {
  on: [PaymentDisputed],
  async run({ data }, work) {
    const said = [disputedOf(data), 'Answer it at the provider before the deadline.']
    await mailPaymentStaff(work, 'A payment is disputed', said, data)
  },
})

const tellStaffOfOutcome = reaction('tell-staff-of-dispute-closed', {
  on: [PaymentDisputeClosed],
  async run({ data }, work) {
    const outcome = data.outcome.toLowerCase()
    const said = [
      disputedOf(data),
      `That is ${outcome}. Subscription and license stay unchanged until you decide otherwise.`,
    ]
    await mailPaymentStaff(work, `A dispute is ${outcome}`, said, data)
  },
})

export const paymentReactions = [
  collectPayment,
  giveBack,
  forgiveDebts,
  sendInvoice,
  tellOfFailure,
  tellStaffOfRefund,
  tellStaffOfOtherSum,
  tellStaffOfDispute,
  tellStaffOfOutcome,
]

const renewals = timer('renew-subscriptions', {
  due: ({ read, until, limit }) => renewalsDue(read, { until, limit, aheadMs: RENEWAL_AHEAD_MS }),
  run: ({ key }, work) => work.run((unit) => renew(unit, work, key)),
})

const trials = timer('end-trials', {
  due: ({ read, until, limit }) => trialsDue(read, { until, limit }),
  run: ({ key }, work) => work.run((unit) => convertTrial(unit, work, key)),
})

const retries = timer('charge-again', {
  outside: true,
  due: ({ read, until, limit }) => retriesDue(read, { until, limit }),
  run: ({ key }, work) => retryFailedCharges(work, key),
})

const unpaid = timer('expire-unpaid', {
  outside: true,
  due: ({ read, until, limit }) => unpaidDue(read, { until, limit, afterMs: CHECKOUT_EXPIRY_MS }),
  run: async ({ key }, work) => expireIncomplete(work, key, await openPayments(work.read, key)),
})

export const paymentTimers = [renewals, trials, retries, unpaid]
