/** A payment is money that is owed, was paid, failed to be paid, or was given back. Amounts are whole minor units of one currency. */
import { z } from 'zod'
import { event, sealed, stream } from '#kernel/events/event'
import { customerSubject } from '../customers/events.ts'

/** Ten thousand million of the main unit: beyond any price, and far from where numbers stop being exact. */
export const AMOUNT_MAX = 1_000_000_000_000

export const PAYMENT_TYPES = ['CHARGE', 'REFUND', 'CREDIT'] as const
export const PAYMENT_STATUSES = ['PENDING', 'PAID', 'FAILED', 'REFUNDED', 'PARTIALLY_REFUNDED'] as const
/** FIRST opens a subscription, TRIAL begins a trial with a means of payment, CONVERSION ends it, RENEWAL is a next period. */
export const PAYMENT_PURPOSES = ['FIRST', 'TRIAL', 'CONVERSION', 'RENEWAL', 'CHANGE', 'MANUAL'] as const

/** ISO 4217. */
export const currency = z.string().regex(/^[A-Z]{3}$/)
const amount = z.int().min(0).max(AMOUNT_MAX)
const instant = z.iso.datetime()
export const lines = z.array(z.strictObject({ label: z.string(), amount: z.int() }))

const idFields = { paymentId: z.uuid(), customerId: z.uuid(), subscriptionId: z.uuid() }

const requestFields = {
  ...idFields,
  purpose: z.enum(PAYMENT_PURPOSES),
  /** To be paid; what the customer's credit has paid of it is not in it. */
  amount,
  credited: amount,
  currency,
  lines,
  /** Who collects it: `stripe`, or `manual` where somebody sends an invoice and waits. */
  provider: z.string(),
}

interface Owner {
  readonly customerId: string
}
const sealedFor = ({ customerId }: Owner): string => customerSubject(customerId)

interface Occurrence {
  readonly subscriptionId: string
  readonly occurrence: string | null
}
function chargeConstraint({ occurrence, subscriptionId }: Occurrence) {
  return occurrence === null ? [] : [{ scope: 'charge', key: `${subscriptionId}/${occurrence}` }]
}

/** One trial for a customer and a plan. */
export const trialConstraint = (customerId: string, planSlug: string) => ({
  scope: 'trial',
  key: `${customerId}/${planSlug}`,
})

interface Trying extends Owner {
  readonly trialOf: string | null
}
const paymentConstraints = (payment: Occurrence & Trying) => [
  ...chargeConstraint(payment),
  ...(payment.trialOf === null ? [] : [trialConstraint(payment.customerId, payment.trialOf)]),
]

/** The plan that is tried, for the checkout of a trial. */
const trialOf = z.string().nullable()

export const PaymentRequested = event(
  'PaymentRequested',
  'paymentId',
  {
    ...requestFields,
    /** What is charged for once, such as the period that ends at an instant; null: may be charged for again. */
    occurrence: z.string().nullable(),
    /** The customer pays at the provider's page, not the installation by what he has left there. */
    atCheckout: z.boolean(),
    trialOf,
  },
  ({ amount, currency, subscriptionId }) => `requested ${amount} ${currency} for subscription ${subscriptionId}`,
  { takes: paymentConstraints },
)

export const PaymentCheckoutOpened = event(
  'PaymentCheckoutOpened',
  'paymentId',
  { ...idFields, providerRef: z.string() },
  ({ paymentId }) => `opened a checkout for payment ${paymentId}`,
)

const settlementFields = {
  /** Of a payment that staff record, such as BANK_TRANSFER. */
  method: z.string().nullable(),
  /** What staff write beside it. */
  note: sealed(z.string().nullable()),
  providerRef: z.string().nullable(),
  paidAt: instant,
}

/** The provider's own id of a charge: one charge pays once, whoever tells of it and however often. */
function providerChargeConstraint({
  provider,
  providerRef,
}: {
  readonly provider: string
  readonly providerRef: string | null
}) {
  return providerRef === null ? [] : [{ scope: 'charged', key: `${provider}/${providerRef}` }]
}

/** What was requested is paid. */
export const PaymentSettled = event(
  'PaymentSettled',
  'paymentId',
  { ...idFields, amount, currency, provider: z.string(), ...settlementFields },
  ({ amount, currency, paymentId }) => `settled payment ${paymentId} of ${amount} ${currency}`,
  { sealedFor, takes: providerChargeConstraint },
)

/** Paid without having been requested. */
export const PaymentRecorded = event(
  'PaymentRecorded',
  'paymentId',
  { ...requestFields, ...settlementFields },
  ({ amount, currency, subscriptionId }) => `recorded ${amount} ${currency} paid for subscription ${subscriptionId}`,
  { sealedFor, takes: providerChargeConstraint },
)

/** Once: a payment has one invoice. */
export const PaymentInvoiced = event(
  'PaymentInvoiced',
  'paymentId',
  { ...idFields, invoiceId: z.uuid(), invoiceNumber: z.string() },
  ({ paymentId, invoiceNumber }) => `billed payment ${paymentId} by invoice ${invoiceNumber}`,
)

/** One attempt. It may be paid all the same, by the next. */
export const PaymentFailed = event(
  'PaymentFailed',
  'paymentId',
  { ...idFields, attempt: z.int(), code: z.string() },
  ({ paymentId, attempt, code }) => `could not collect payment ${paymentId}, attempt ${attempt} (${code})`,
)

/** It does not count as paid by that: whoever has taken the wrong sum has to put it right. Once for each sum. */
export const PaymentSumDiffered = event(
  'PaymentSumDiffered',
  'paymentId',
  {
    ...idFields,
    amount,
    currency,
    provider: z.string(),
    providerRef: z.string().nullable(),
    taken: z.strictObject({ amount: z.int().min(0), currency: z.string() }),
  },
  ({ paymentId, amount, currency, provider, taken }) =>
    `learnt that ${provider} took ${taken.amount} ${taken.currency} for payment ${paymentId} of ${amount} ${currency}`,
)

/** It is not owed any more, and what it was for may be charged for again. */
export const PaymentCancelled = event(
  'PaymentCancelled',
  'paymentId',
  { ...idFields, occurrence: z.string().nullable(), trialOf, reason: z.string() },
  ({ paymentId, reason }) => `cancelled payment ${paymentId} (${reason})`,
  { releases: paymentConstraints },
)

/** Reserved, so that several refunds together never give back more than was paid. */
export const PaymentRefundRequested = event(
  'PaymentRefundRequested',
  'paymentId',
  { ...idFields, refundId: z.uuid(), amount, currency, provider: z.string(), reason: sealed(z.string().nullable()) },
  ({ amount, currency, paymentId }) => `asked for ${amount} ${currency} of payment ${paymentId} to be given back`,
  { sealedFor },
)

export const PaymentRefunded = event(
  'PaymentRefunded',
  'paymentId',
  {
    ...idFields,
    refundId: z.uuid(),
    amount,
    currency,
    /** What is left of the payment. */
    left: amount,
    providerRef: z.string().nullable(),
    /** Of the credit note. */
    invoiceNumber: z.string(),
  },
  ({ amount, currency, paymentId }) => `gave back ${amount} ${currency} of payment ${paymentId}`,
)

/** At once, or days after the money seemed to be on its way. What was reserved can be given back by another refund. */
export const PaymentRefundFailed = event(
  'PaymentRefundFailed',
  'paymentId',
  {
    ...idFields,
    refundId: z.uuid(),
    amount,
    currency,
    code: z.string(),
    /** What other refunds have given back. */
    refunded: amount,
    /** Of the invoice that takes its credit note back; null where there was none yet. */
    invoiceNumber: z.string().nullable(),
  },
  ({ refundId, amount, currency, code }) => `could not give back ${amount} ${currency} by refund ${refundId} (${code})`,
)

/** DROPPED: no more than a question of the customer's bank. */
export const DISPUTE_OUTCOMES = ['WON', 'LOST', 'DROPPED'] as const
export const DISPUTE_STATUSES = ['OPEN', ...DISPUTE_OUTCOMES] as const

const disputeFields = {
  ...idFields,
  disputeId: z.uuid(),
  /** May differ from the payment's, as where only a part is disputed. */
  amount,
  currency,
  /** The provider's word for it, such as `fraudulent`. */
  reason: z.string(),
  providerRef: z.string(),
  /** When it was first heard of. */
  openedAt: instant,
}

/** The customer's bank takes the money back until it is decided; said again where it is not what it was before. */
export const PaymentDisputed = event(
  'PaymentDisputed',
  'paymentId',
  {
    ...disputeFields,
    /** Whether nothing can be given back meanwhile. */
    holdsRefunds: z.boolean(),
  },
  ({ amount, currency, paymentId, reason }) =>
    `learnt that ${amount} ${currency} of ${paymentId} is disputed (${reason})`,
)

/** What becomes of the license is for the staff to decide. */
export const PaymentDisputeClosed = event(
  'PaymentDisputeClosed',
  'paymentId',
  { ...disputeFields, outcome: z.enum(DISPUTE_OUTCOMES) },
  ({ disputeId, paymentId, outcome }) => `learnt that dispute ${disputeId} of ${paymentId} is ${outcome.toLowerCase()}`,
)

/** One stream a payment, its refunds and disputes inside: together they never take back more than was paid. */
export const paymentEvents = stream('payment', [
  PaymentRequested,
  PaymentCheckoutOpened,
  PaymentSettled,
  PaymentRecorded,
  PaymentInvoiced,
  PaymentFailed,
  PaymentSumDiffered,
  PaymentCancelled,
  PaymentRefundRequested,
  PaymentRefunded,
  PaymentRefundFailed,
  PaymentDisputed,
  PaymentDisputeClosed,
])

/** Its id is claimed, so that a notice that a provider repeats is known. */
export const PaymentNoticed = event(
  'PaymentNoticed',
  'paymentId',
  { paymentId: z.uuid(), provider: z.string(), notice: z.string(), kind: z.string() },
  ({ provider, kind, paymentId }) => `heard ${kind} from ${provider} about payment ${paymentId}`,
  { takes: ({ provider, notice }) => [{ scope: 'paymentNotice', key: `${provider}/${notice}` }] },
)

/** Apart from the payments, which must stay short: a provider may tell the same many times. */
export const paymentNotices = stream('paymentNotices', [PaymentNoticed])
