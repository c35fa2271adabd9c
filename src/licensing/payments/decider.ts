/**
 * The rules of a payment. Refunds and lost disputes together never exceed the paid amount, also
 * under concurrent requests.
 */
import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { found, reject } from '#kernel/lib/rejection'
import {
  PaymentCancelled,
  PaymentCheckoutOpened,
  PaymentDisputeClosed,
  PaymentDisputed,
  PaymentFailed,
  PaymentInvoiced,
  PaymentRecorded,
  PaymentRefundFailed,
  PaymentRefundRequested,
  PaymentRefunded,
  PaymentRequested,
  PaymentSettled,
  PaymentSumDiffered,
  paymentEvents,
} from './events.ts'
import type { DISPUTE_OUTCOMES, DISPUTE_STATUSES } from './events.ts'

type PaymentRequestedData = DataOf<typeof PaymentRequested>
type PaymentRecordedData = DataOf<typeof PaymentRecorded>
type RefundRequestedData = DataOf<typeof PaymentRefundRequested>
type PaymentSumDifferedData = DataOf<typeof PaymentSumDiffered>
type PaymentDisputedData = DataOf<typeof PaymentDisputed>

export interface Refund extends Pick<RefundRequestedData, 'amount' | 'reason'> {
  readonly id: string
  readonly status: 'PENDING' | 'PAID' | 'FAILED'
  /** The number of the credit note; null until the refund is on its way. */
  readonly creditNote: string | null
}

type DisputeDetails = Pick<PaymentDisputedData, 'amount' | 'currency' | 'reason' | 'providerRef' | 'holdsRefunds'>

export interface Dispute extends DisputeDetails {
  readonly id: string
  readonly openedAt: string
  readonly status: (typeof DISPUTE_STATUSES)[number]
}

/** A dispute as a provider reports it. */
export type ReportedDispute = DisputeDetails & Pick<Dispute, 'status'>

export interface Payment extends Omit<PaymentRequestedData, 'paymentId'> {
  readonly id: string
  /** OPEN: owed, whether or not an attempt has failed. */
  readonly status: 'OPEN' | 'PAID' | 'CANCELLED'
  /** The number of failed attempts. */
  readonly failed: number
  readonly firstFailedAt: string | null
  readonly providerRef: string | null
  readonly invoiceNumber: string | null
  /** Sums other than the amount that a provider has taken, each listed once. */
  readonly otherSums: readonly Pick<PaymentSumDifferedData, 'providerRef' | 'taken'>[]
  readonly refunds: readonly Refund[]
  readonly disputes: readonly Dispute[]
}

type PaymentSource = Omit<
  DataOf<typeof PaymentSettled>,
  'paymentId' | 'customerId' | 'subscriptionId' | 'amount' | 'currency' | 'paidAt'
>

export interface RequestRefund {
  readonly refundId: string
  readonly amount?: number | undefined
  readonly reason: string | null
  readonly provider?: string | undefined
}

const paymentIds = ({ id: paymentId, customerId, subscriptionId }: Payment) => ({
  paymentId,
  customerId,
  subscriptionId,
})

/** Whether the payment is still owed. */
export const isOpen = (payment: Payment): boolean => payment.status === 'OPEN'

/** What no refund has requested and no dispute has taken. */
export function refundableAmount({ amount, currency, refunds, disputes }: Payment): number {
  const left = refunds.reduce((rest, refund) => (refund.status === 'FAILED' ? rest : rest - refund.amount), amount)
  const lost = disputes.filter(({ status }) => status === 'LOST')
  // A disputed sum in another currency cannot be converted, so it takes the whole amount.
  const taken = lost.reduce((sum, each) => sum + (each.currency === currency ? each.amount : amount), 0)
  return Math.max(0, left - taken)
}

/** Whether any of it was, is being or may be returned, so that less than the amount remains paid. */
export const hasReturnedMoney = (payment: Payment): boolean =>
  refundableAmount(payment) < payment.amount || payment.disputes.some(({ holdsRefunds }) => holdsRefunds)

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
      otherSums: [],
      refunds: [],
      disputes: [],
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
      trialOf: null,
      failed: 0,
      firstFailedAt: null,
      invoiceNumber: null,
      otherSums: [],
      refunds: [],
      disputes: [],
    }),
    PaymentInvoiced: (payment, { invoiceNumber }): Payment => ({ ...payment!, invoiceNumber }),
    PaymentFailed: (payment, { attempt }, at): Payment => ({
      ...payment!,
      failed: attempt,
      firstFailedAt: payment!.firstFailedAt ?? at.toISOString(),
    }),
    PaymentSumDiffered: (payment, { providerRef, taken }): Payment => ({
      ...payment!,
      otherSums: [...payment!.otherSums, { providerRef, taken }],
    }),
    PaymentCancelled: (payment): Payment => ({ ...payment!, status: 'CANCELLED' }),
    PaymentRefundRequested: (payment, { refundId, amount, reason }): Payment => ({
      ...payment!,
      refunds: [...payment!.refunds, { id: refundId, amount, reason, status: 'PENDING', creditNote: null }],
    }),
    PaymentRefunded: (payment, { refundId, invoiceNumber }): Payment =>
      withRefund(payment!, refundId, { status: 'PAID', creditNote: invoiceNumber }),
    PaymentRefundFailed: (payment, { refundId }): Payment => withRefund(payment!, refundId, { status: 'FAILED' }),
    PaymentDisputed: (payment, disputed): Payment => withDispute(payment!, { ...disputed, status: 'OPEN' }),
    PaymentDisputeClosed: (payment, { outcome, ...disputed }): Payment =>
      withDispute(payment!, { ...disputed, status: outcome, holdsRefunds: false }),
  },
  commands: {
    RequestPayment: (_none, ask: PaymentRequestedData) => {
      refuseWrongSum(ask)
      return [PaymentRequested(ask)]
    },

    OpenCheckout: (state, { providerRef }: { providerRef: string }) => {
      const payment = found(state)
      return isOpen(payment) ? [PaymentCheckoutOpened({ ...paymentIds(payment), providerRef })] : []
    },

    /**
     * The requested payment is paid. Repeating it changes nothing. A cancelled payment can still be
     * paid, once.
     */
    SettlePayment: (state, ask: PaymentSource, { at }) => {
      const payment = found(state)
      if (payment.status === 'PAID') return []
      const { amount, currency } = payment
      return [PaymentSettled({ ...paymentIds(payment), amount, currency, ...ask, paidAt: at.toISOString() })]
    },

    /** Paid without a request. */
    RecordPayment: (_none, ask: Omit<PaymentRecordedData, 'paidAt'>, { at }) => {
      refuseWrongSum(ask)
      return [PaymentRecorded({ ...ask, paidAt: at.toISOString() })]
    },

    /** A second call is an error of the caller, which has already taken an invoice number. */
    InvoicePayment: (state, { invoiceId, invoiceNumber }: { invoiceId: string; invoiceNumber: string }) => {
      const payment = found(state)
      if (payment.invoiceNumber !== null) throw new Error(`Payment ${payment.id} already has an invoice`)
      return [PaymentInvoiced({ ...paymentIds(payment), invoiceId, invoiceNumber })]
    },

    /** An attempt that is already known changes nothing. */
    FailPayment: (state, { attempt, code }: { attempt: number; code: string }) => {
      const payment = found(state)
      return isOpen(payment) && attempt === payment.failed + 1
        ? [PaymentFailed({ ...paymentIds(payment), attempt, code })]
        : []
    },

    /** A repeated report changes nothing. */
    NoteOtherSum: (state, ask: Pick<PaymentSumDifferedData, 'provider' | 'providerRef' | 'taken'>) => {
      const payment = found(state)
      const isKnown = payment.otherSums.some(
        ({ providerRef, taken }) =>
          providerRef === ask.providerRef && taken.amount === ask.taken.amount && taken.currency === ask.taken.currency,
      )
      const { amount, currency } = payment
      return isKnown ? [] : [PaymentSumDiffered({ ...paymentIds(payment), amount, currency, ...ask })]
    },

    CancelPayment: (state, { reason }: { reason: string }) => {
      const payment = found(state)
      const { occurrence, trialOf } = payment
      return isOpen(payment) ? [PaymentCancelled({ ...paymentIds(payment), occurrence, trialOf, reason })] : []
    },

    /**
     * @param ask amount absent: the whole remainder; provider absent: the provider that collected
     * the money refunds it
     */
    RequestRefund: (state, { refundId, amount, reason, ...ask }: RequestRefund) => {
      const payment = found(state)
      if (payment.status !== 'PAID')
        reject('conflict', 'The payment is not paid: only a paid one can be refunded', 'NOT_PAID')
      if (payment.disputes.some(({ holdsRefunds }) => holdsRefunds))
        reject(
          'conflict',
          'The payment is disputed: it can be refunded after the dispute is decided',
          'PAYMENT_DISPUTED',
        )
      const left = refundableAmount(payment)
      const asked = amount ?? left
      if (left === 0) reject('conflict', 'Nothing of the payment is left to refund', 'NOTHING_LEFT')
      if (asked > left)
        reject('conflict', `Only ${left} ${payment.currency} of the payment can still be refunded`, 'MORE_THAN_IS_LEFT')
      const { currency } = payment
      const { provider = payment.provider } = ask
      return [PaymentRefundRequested({ ...paymentIds(payment), refundId, amount: asked, currency, provider, reason })]
    },

    /** The refund is on its way. Repeating it changes nothing. */
    SettleRefund: (state, ask: { refundId: string; providerRef: string | null; invoiceNumber: string }) => {
      const payment = found(state)
      const refund = payment.refunds.find(({ id }) => id === ask.refundId)
      if (refund?.status !== 'PENDING') return []
      const { amount } = refund
      const left = amountAfterRefunds(payment) - amount
      return [PaymentRefunded({ ...paymentIds(payment), ...ask, amount, currency: payment.currency, left })]
    },

    /** Also for a refund that seemed to have succeeded. Repeating it changes nothing. */
    FailRefund: (state, ask: Pick<DataOf<typeof PaymentRefundFailed>, 'refundId' | 'code' | 'invoiceNumber'>) => {
      const payment = found(state)
      const refund = payment.refunds.find(({ id }) => id === ask.refundId)
      if (!refund || refund.status === 'FAILED') return []
      const { amount, currency } = payment
      const refunded = amount - amountAfterRefunds(withRefund(payment, ask.refundId, { status: 'FAILED' }))
      return [PaymentRefundFailed({ ...paymentIds(payment), ...ask, amount: refund.amount, currency, refunded })]
    },

    /** A repeated report changes nothing. A late report does not reopen a decided dispute. */
    NoteDispute: (state, { status, ...told }: ReportedDispute & { disputeId: string }, { at }) => {
      const payment = found(state)
      if (payment.status !== 'PAID') reject('conflict', 'The payment is not paid, so it cannot be disputed', 'NOT_PAID')
      const known = payment.disputes.find(({ providerRef }) => providerRef === told.providerRef)
      const disputed = {
        ...paymentIds(payment),
        ...told,
        disputeId: known?.id ?? told.disputeId,
        openedAt: known?.openedAt ?? at.toISOString(),
      }
      const { holdsRefunds: _holds, ...closed } = disputed
      if (status !== 'OPEN' && known) return known.status === status ? [] : [disputeClosedEvent(closed, status)]
      if (known && (known.status !== 'OPEN' || isSame(known, told))) return []
      return [PaymentDisputed(disputed), ...(status === 'OPEN' ? [] : [disputeClosedEvent(closed, status)])]
    },
  },
})

const withRefund = (payment: Payment, refundId: string, change: Partial<Refund>): Payment => ({
  ...payment,
  refunds: payment.refunds.map((refund) => (refund.id === refundId ? { ...refund, ...change } : refund)),
})

function withDispute(payment: Payment, { disputeId: id, ...told }: Omit<Dispute, 'id'> & { disputeId: string }) {
  const { amount, currency, reason, providerRef, holdsRefunds, openedAt, status } = told
  const dispute = { id, amount, currency, reason, providerRef, holdsRefunds, openedAt, status }
  return { ...payment, disputes: [...payment.disputes.filter((other) => other.id !== id), dispute] }
}

const isSame = (known: Dispute, told: DisputeDetails): boolean =>
  (['amount', 'currency', 'reason', 'holdsRefunds'] as const).every((field) => known[field] === told[field])

const disputeClosedEvent = (
  disputed: Omit<DataOf<typeof PaymentDisputeClosed>, 'outcome'>,
  outcome: (typeof DISPUTE_OUTCOMES)[number],
) => PaymentDisputeClosed({ ...disputed, outcome })

/** The amount less all refunds that succeeded. */
const amountAfterRefunds = ({ amount, refunds }: Payment): number =>
  refunds.reduce((left, refund) => (refund.status === 'PAID' ? left - refund.amount : left), amount)

/** The lines must add up to the amount, because the invoice prints both. */
function refuseWrongSum({
  lines,
  amount,
  credited,
}: Pick<PaymentRequestedData, 'lines' | 'amount' | 'credited'>): void {
  const sum = lines.reduce((total, line) => total + line.amount, 0)
  if (sum !== amount + credited) throw new Error(`Lines of ${sum} do not add up to ${amount + credited}`)
}
