/**
 * A payment is money that is owed, was paid, failed to be paid or was refunded. Amounts are whole
 * minor units of one currency.
 */
import { z } from 'zod'
import { event, sealed, stream } from '#kernel/events/event'
import { customerSubject } from '../customers/events.ts'

/** 10,000,000,000 main units: above any price, and well below the limit of exact integers. */
export const AMOUNT_MAX = 1_000_000_000_000

export const PAYMENT_TYPES = ['CHARGE', 'REFUND', 'CREDIT'] as const
export const PAYMENT_STATUSES = ['PENDING', 'PAID', 'FAILED', 'REFUNDED', 'PARTIALLY_REFUNDED'] as const
/**
 * FIRST opens a subscription; TRIAL starts a trial with a means of payment and CONVERSION ends it;
 * RENEWAL pays the next period.
 */
export const PAYMENT_PURPOSES = ['FIRST', 'TRIAL', 'CONVERSION', 'RENEWAL', 'CHANGE', 'MANUAL'] as const

/** ISO 4217. */
export const currency = z.string().regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code')
/** An amount in whole minor units. The document says so: a page shows it as money. */
export const minorUnits = z.int().meta({ unit: 'minor' })
const amount = z.int().min(0).max(AMOUNT_MAX)
const instant = z.iso.datetime()
export const lines = z.array(z.strictObject({ label: z.string(), amount: z.int() }))

const idFields = { paymentId: z.uuid(), customerId: z.uuid(), subscriptionId: z.uuid() }

const requestFields = {
  ...idFields,
  purpose: z.enum(PAYMENT_PURPOSES),
  /** The amount to pay, without what the customer's credit has paid. */
  amount,
  credited: amount,
  currency,
  lines,
  /** The collector: `stripe`, or `manual` for an invoice that staff follow up. */
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

/** One trial per customer and plan. */
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

/** The plan of the trial, for a trial's checkout. */
const trialOf = z.string().nullable()

export const PaymentRequested = event(
  'PaymentRequested',
  'paymentId',
  {
    ...requestFields,
    /**
     * A charge that may happen only once, such as the period that ends at a given time; null: may
     * be charged again.
     */
    occurrence: z.string().nullable(),
    /** True: the customer pays at the provider's page. False: the stored means of payment is charged. */
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
  /** For a payment recorded by staff, such as BANK_TRANSFER. */
  method: z.string().nullable(),
  /** A note of staff. */
  note: sealed(z.string().nullable()),
  providerRef: z.string().nullable(),
  paidAt: instant,
}

/** The provider's own id of a charge: one charge pays once, however often and by whom it is reported. */
function providerChargeConstraint({
  provider,
  providerRef,
}: {
  readonly provider: string
  readonly providerRef: string | null
}) {
  return providerRef === null ? [] : [{ scope: 'charged', key: `${provider}/${providerRef}` }]
}

/** A requested payment was paid. */
export const PaymentSettled = event(
  'PaymentSettled',
  'paymentId',
  { ...idFields, amount, currency, provider: z.string(), ...settlementFields },
  ({ amount, currency, paymentId }) => `settled payment ${paymentId} of ${amount} ${currency}`,
  { sealedFor, takes: providerChargeConstraint },
)

/** Paid without a request. */
export const PaymentRecorded = event(
  'PaymentRecorded',
  'paymentId',
  { ...requestFields, ...settlementFields },
  ({ amount, currency, subscriptionId }) => `recorded ${amount} ${currency} paid for subscription ${subscriptionId}`,
  { sealedFor, takes: providerChargeConstraint },
)

/** A payment has one invoice. */
export const PaymentInvoiced = event(
  'PaymentInvoiced',
  'paymentId',
  { ...idFields, invoiceId: z.uuid(), invoiceNumber: z.string() },
  ({ paymentId, invoiceNumber }) => `billed payment ${paymentId} by invoice ${invoiceNumber}`,
)

/** One failed attempt. A later attempt may still succeed. */
export const PaymentFailed = event(
  'PaymentFailed',
  'paymentId',
  { ...idFields, attempt: z.int(), code: z.string() },
  ({ paymentId, attempt, code }) => `could not collect payment ${paymentId}, attempt ${attempt} (${code})`,
)

/**
 * The payment does not count as paid: the provider that took the wrong sum must correct it.
 * Recorded once for each sum.
 */
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

/** The payment is no longer owed, and its occurrence may be charged again. */
export const PaymentCancelled = event(
  'PaymentCancelled',
  'paymentId',
  { ...idFields, occurrence: z.string().nullable(), trialOf, reason: z.string() },
  ({ paymentId, reason }) => `cancelled payment ${paymentId} (${reason})`,
  { releases: paymentConstraints },
)

/** Reserves the amount, so that concurrent refunds never exceed the paid amount. */
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
    /** The remaining amount of the payment. */
    left: amount,
    providerRef: z.string().nullable(),
    /** The number of the credit note. */
    invoiceNumber: z.string(),
  },
  ({ amount, currency, paymentId }) => `gave back ${amount} ${currency} of payment ${paymentId}`,
)

/**
 * The refund failed at once, or days after it seemed to succeed. Another refund may use its
 * reserved amount.
 */
export const PaymentRefundFailed = event(
  'PaymentRefundFailed',
  'paymentId',
  {
    ...idFields,
    refundId: z.uuid(),
    amount,
    currency,
    code: z.string(),
    /** What other refunds have returned. */
    refunded: amount,
    /** The invoice that reverses the credit note; null if there was no credit note yet. */
    invoiceNumber: z.string().nullable(),
  },
  ({ refundId, amount, currency, code }) => `could not give back ${amount} ${currency} by refund ${refundId} (${code})`,
)

/** DROPPED: only an inquiry of the customer's bank. */
export const DISPUTE_OUTCOMES = ['WON', 'LOST', 'DROPPED'] as const
export const DISPUTE_STATUSES = ['OPEN', ...DISPUTE_OUTCOMES] as const

const disputeFields = {
  ...idFields,
  disputeId: z.uuid(),
  /** May differ from the payment's amount, for example if only a part is disputed. */
  amount,
  currency,
  /** The provider's code, such as `fraudulent`. */
  reason: z.string(),
  providerRef: z.string(),
  /** When it was first reported. */
  openedAt: instant,
}

/**
 * The customer's bank withholds the money until the dispute is decided. Recorded again if its
 * details change.
 */
export const PaymentDisputed = event(
  'PaymentDisputed',
  'paymentId',
  {
    ...disputeFields,
    /** Whether refunds are refused until the decision. */
    holdsRefunds: z.boolean(),
  },
  ({ amount, currency, paymentId, reason }) =>
    `learnt that ${amount} ${currency} of ${paymentId} is disputed (${reason})`,
)

/** Staff decide what happens to the license. */
export const PaymentDisputeClosed = event(
  'PaymentDisputeClosed',
  'paymentId',
  { ...disputeFields, outcome: z.enum(DISPUTE_OUTCOMES) },
  ({ disputeId, paymentId, outcome }) => `learnt that dispute ${disputeId} of ${paymentId} is ${outcome.toLowerCase()}`,
)

/** One stream per payment with its refunds and disputes: together they never exceed the paid amount. */
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

/** A unique constraint on its id makes a repeated notice detectable. */
export const PaymentNoticed = event(
  'PaymentNoticed',
  'paymentId',
  { paymentId: z.uuid(), provider: z.string(), notice: z.string(), kind: z.string() },
  ({ provider, kind, paymentId }) => `heard ${kind} from ${provider} about payment ${paymentId}`,
  { takes: ({ provider, notice }) => [{ scope: 'paymentNotice', key: `${provider}/${notice}` }] },
)

/** A separate stream: a provider may repeat notices often, and the payments' streams must stay short. */
export const paymentNotices = stream('paymentNotices', [PaymentNoticed])
