/** What may become of a payment. No sum of refunds is larger than what was paid, however many ask at once. */
import { decider } from '#kernel/decider'
import type { DataOf } from '#kernel/event'
import { found, reject } from '#kernel/rejection'
import {
  PaymentCancelled,
  PaymentCheckoutOpened,
  PaymentFailed,
  PaymentInvoiced,
  PaymentRecorded,
  PaymentRefundFailed,
  PaymentRefundRequested,
  PaymentRefunded,
  PaymentRequested,
  PaymentSettled,
  paymentEvents,
} from './events.ts'

type Requested = DataOf<typeof PaymentRequested>
type Recorded = DataOf<typeof PaymentRecorded>
type RefundRequested = DataOf<typeof PaymentRefundRequested>

export interface Refund extends Pick<RefundRequested, 'amount' | 'reason'> {
  readonly id: string
  readonly status: 'PENDING' | 'PAID' | 'FAILED'
}

export interface Payment extends Omit<Requested, 'paymentId'> {
  readonly id: string
  /** OPEN: owed, whether or not an attempt has failed. */
  readonly status: 'OPEN' | 'PAID' | 'CANCELLED'
  /** Attempts that failed. */
  readonly failed: number
  readonly firstFailedAt: string | null
  readonly providerRef: string | null
  readonly invoiceNumber: string | null
  readonly refunds: readonly Refund[]
}

type Settlement = Omit<
  DataOf<typeof PaymentSettled>,
  'paymentId' | 'customerId' | 'subscriptionId' | 'amount' | 'currency' | 'paidAt'
>

const which = ({ id: paymentId, customerId, subscriptionId }: Payment) => ({ paymentId, customerId, subscriptionId })

/** Whether money is still expected. */
export const isOpen = (payment: Payment): boolean => payment.status === 'OPEN'

/** What no refund has asked for yet. */
export const refundable = ({ amount, refunds }: Payment): number =>
  refunds.reduce((left, refund) => (refund.status === 'FAILED' ? left : left - refund.amount), amount)

export const payments = decider(paymentEvents, {
  initial: undefined as Payment | undefined,
  evolve: {
    PaymentRequested: (_none, { paymentId, ...requested }): Payment => ({
      ...requested,
      id: paymentId,
      status: 'OPEN',
      failed: 0,
      firstFailedAt: null,
      providerRef: null,
      invoiceNumber: null,
      refunds: [],
    }),
    PaymentCheckoutOpened: (payment, { providerRef }): Payment => ({ ...payment!, providerRef }),
    PaymentSettled: (payment, { provider, providerRef }): Payment => ({
      ...payment!,
      status: 'PAID',
      provider,
      providerRef,
    }),
    PaymentRecorded: (_none, { paymentId, method: _method, note: _note, paidAt: _at, ...recorded }): Payment => ({
      ...recorded,
      id: paymentId,
      status: 'PAID',
      occurrence: null,
      atCheckout: false,
      failed: 0,
      firstFailedAt: null,
      invoiceNumber: null,
      refunds: [],
    }),
    PaymentInvoiced: (payment, { invoiceNumber }): Payment => ({ ...payment!, invoiceNumber }),
    PaymentFailed: (payment, { attempt }, at): Payment => ({
      ...payment!,
      failed: attempt,
      firstFailedAt: payment!.firstFailedAt ?? at.toISOString(),
    }),
    PaymentCancelled: (payment): Payment => ({ ...payment!, status: 'CANCELLED' }),
    PaymentRefundRequested: (payment, { refundId, amount, reason }): Payment => ({
      ...payment!,
      refunds: [...payment!.refunds, { id: refundId, amount, reason, status: 'PENDING' }],
    }),
    PaymentRefunded: (payment, { refundId }): Payment => withRefund(payment!, refundId, 'PAID'),
    PaymentRefundFailed: (payment, { refundId }): Payment => withRefund(payment!, refundId, 'FAILED'),
  },
  commands: {
    RequestPayment: (_none, ask: Requested) => {
      refuseWrongSum(ask)
      return [PaymentRequested(ask)]
    },

    OpenCheckout: (state, { providerRef }: { providerRef: string }) => {
      const payment = found(state)
      return isOpen(payment) ? [PaymentCheckoutOpened({ ...which(payment), providerRef })] : []
    },

    /** What was requested is paid. A second time changes nothing; one that was cancelled is paid all the same, once. */
    SettlePayment: (state, ask: Settlement, { at }) => {
      const payment = found(state)
      if (payment.status === 'PAID') return []
      const { amount, currency } = payment
      return [PaymentSettled({ ...which(payment), amount, currency, ...ask, paidAt: at.toISOString() })]
    },

    /** Paid without having been requested. */
    RecordPayment: (_none, ask: Omit<Recorded, 'paidAt'>, { at }) => {
      refuseWrongSum(ask)
      return [PaymentRecorded({ ...ask, paidAt: at.toISOString() })]
    },

    /** A second time is a mistake of whoever asks: he has taken a number for it. */
    InvoicePayment: (state, { invoiceId, invoiceNumber }: { invoiceId: string; invoiceNumber: string }) => {
      const payment = found(state)
      if (payment.invoiceNumber !== null) throw new Error(`Payment ${payment.id} has an invoice`)
      return [PaymentInvoiced({ ...which(payment), invoiceId, invoiceNumber })]
    },

    /** An attempt that is known already changes nothing. */
    FailPayment: (state, { attempt, code }: { attempt: number; code: string }) => {
      const payment = found(state)
      return isOpen(payment) && attempt === payment.failed + 1
        ? [PaymentFailed({ ...which(payment), attempt, code })]
        : []
    },

    CancelPayment: (state, { reason }: { reason: string }) => {
      const payment = found(state)
      const { occurrence } = payment
      return isOpen(payment) ? [PaymentCancelled({ ...which(payment), occurrence, reason })] : []
    },

    /** @param ask amount absent: all that is left */
    RequestRefund: (
      state,
      { refundId, amount, reason }: { refundId: string; amount?: number | undefined; reason: string | null },
    ) => {
      const payment = found(state)
      if (payment.status !== 'PAID') reject('conflict', 'The payment is not paid', 'NOT_PAID')
      const left = refundable(payment)
      const asked = amount ?? left
      if (left === 0) reject('conflict', 'Nothing is left of the payment', 'NOTHING_LEFT')
      if (asked > left)
        reject('conflict', `Only ${left} ${payment.currency} is left of the payment`, 'MORE_THAN_IS_LEFT')
      const { currency, provider } = payment
      return [PaymentRefundRequested({ ...which(payment), refundId, amount: asked, currency, provider, reason })]
    },

    /** The money is on its way back. A second time changes nothing. */
    SettleRefund: (state, ask: { refundId: string; providerRef: string | null; invoiceNumber: string }) => {
      const payment = found(state)
      const refund = payment.refunds.find(({ id }) => id === ask.refundId)
      if (refund?.status !== 'PENDING') return []
      const { amount } = refund
      const left = leftOver(payment) - amount
      return [PaymentRefunded({ ...which(payment), ...ask, amount, currency: payment.currency, left })]
    },

    FailRefund: (state, { refundId, code }: { refundId: string; code: string }) => {
      const payment = found(state)
      const refund = payment.refunds.find(({ id }) => id === refundId)
      return refund?.status === 'PENDING' ? [PaymentRefundFailed({ ...which(payment), refundId, code })] : []
    },
  },
})

const withRefund = (payment: Payment, refundId: string, status: Refund['status']): Payment => ({
  ...payment,
  refunds: payment.refunds.map((refund) => (refund.id === refundId ? { ...refund, status } : refund)),
})

/** What is left of the amount after all refunds that went through. */
const leftOver = ({ amount, refunds }: Payment): number =>
  refunds.reduce((left, refund) => (refund.status === 'PAID' ? left - refund.amount : left), amount)

/** The lines are what the amount is made of; anything else would be a lie on an invoice. */
function refuseWrongSum({ lines, amount, credited }: Pick<Requested, 'lines' | 'amount' | 'credited'>): void {
  const sum = lines.reduce((total, line) => total + line.amount, 0)
  if (sum !== amount + credited) throw new Error(`Lines of ${sum} do not make ${amount + credited}`)
}
