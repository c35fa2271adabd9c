import type { ReadDatabase } from '#kernel/projections/read-database'
import {
  id,
  integer,
  json,
  key,
  nullable,
  oneOf,
  readModel,
  sealedText,
  sql,
  text,
  timestamptz,
} from '#kernel/projections/read-model'
import type { RowOf } from '#kernel/projections/read-model'
import { customerSubject } from '#licensing/customers/events'
import { billingEvents } from '#licensing/payments/billing/events'
import { creditEvents } from '#licensing/payments/credits/events'
import { paymentEvents } from '#licensing/payments/events'
import type { DISPUTE_STATUSES, PAYMENT_STATUSES, PAYMENT_TYPES } from '#licensing/payments/events'
import { invoiceEvents, invoiceSubject } from '#licensing/payments/invoices/events'
import type { INVOICE_KINDS } from '#licensing/payments/invoices/events'
import { subscriptionTable } from '#projections/licensing/subscriptions'

const columns = {
  id: key,
  type: oneOf<(typeof PAYMENT_TYPES)[number]>(),
  customerId: id,
  /** null: credit granted by staff. */
  subscriptionId: nullable(id),
  /** The charge that this refund belongs to. */
  refundOf: nullable(id),
  amount: integer,
  currency: text,
  status: oneOf<(typeof PAYMENT_STATUSES)[number]>(),
  provider: text,
  providerRef: nullable(text),
  invoiceNumber: nullable(text),
  paidAt: nullable(timestamptz),
  createdAt: timestamptz,
}

export type PaymentRow = RowOf<typeof columns>

const UNPAID = { providerRef: null, invoiceNumber: null, paidAt: null, refundOf: null }

export const paymentTable = readModel('payments', 2, columns, [
  '(subscription_id, created_at, id)',
  '(customer_id, created_at, id)',
  '(refund_of) WHERE refund_of IS NOT NULL',
])
  .from(paymentEvents, {
    PaymentRequested: (table, { paymentId, customerId, subscriptionId, amount, currency, provider }, { at }) =>
      table.insert({
        ...UNPAID,
        id: paymentId,
        type: 'CHARGE',
        customerId,
        subscriptionId,
        amount,
        currency,
        provider,
        status: 'PENDING',
        createdAt: at,
      }),
    PaymentCheckoutOpened: (table, { paymentId, providerRef }) => table.update({ id: paymentId }, { providerRef }),
    PaymentSettled: (table, { paymentId, provider, providerRef, paidAt }) =>
      table.update({ id: paymentId }, { status: 'PAID', provider, providerRef, paidAt }),
    PaymentRecorded: (table, recorded, { at }) => {
      const { paymentId, customerId, subscriptionId, amount, currency, provider, providerRef, paidAt } = recorded
      return table.insert({
        id: paymentId,
        type: 'CHARGE',
        customerId,
        subscriptionId,
        refundOf: null,
        amount,
        currency,
        status: 'PAID',
        provider,
        providerRef,
        invoiceNumber: null,
        paidAt,
        createdAt: at,
      })
    },
    PaymentInvoiced: (table, { paymentId, invoiceNumber }) => table.update({ id: paymentId }, { invoiceNumber }),
    PaymentFailed: (table, { paymentId }) => table.update({ id: paymentId }, { status: 'FAILED' }),
    PaymentCancelled: (table, { paymentId }) => table.update({ id: paymentId }, { status: 'FAILED' }),
    PaymentRefundRequested: (table, refund, { at }) => {
      const { refundId, paymentId, customerId, subscriptionId, amount, currency, provider } = refund
      return table.insert({
        ...UNPAID,
        id: refundId,
        type: 'REFUND',
        customerId,
        subscriptionId,
        refundOf: paymentId,
        amount,
        currency,
        provider,
        status: 'PENDING',
        createdAt: at,
      })
    },
    PaymentRefunded: (table, { paymentId, refundId, left, providerRef, invoiceNumber }, { at }) => {
      table.update({ id: paymentId }, { status: left === 0 ? 'REFUNDED' : 'PARTIALLY_REFUNDED' })
      return table.update({ id: refundId }, { status: 'PAID', providerRef, invoiceNumber, paidAt: at })
    },
    PaymentRefundFailed: (table, { paymentId, refundId, refunded }) => {
      table.update({ id: paymentId }, { status: refunded === 0 ? 'PAID' : 'PARTIALLY_REFUNDED' })
      return table.update({ id: refundId }, { status: 'FAILED', paidAt: null })
    },
  })
  .from(creditEvents, {
    CreditGranted: (table, { paymentId, customerId, subscriptionId, amount, currency }, { at }) =>
      table.insert({
        ...UNPAID,
        id: paymentId,
        type: 'CREDIT',
        customerId,
        subscriptionId,
        amount,
        currency,
        provider: 'credit',
        status: 'PAID',
        paidAt: at,
        createdAt: at,
      }),
  })

export const CREDIT_KINDS = ['GRANTED', 'SPENT', 'RETURNED'] as const

const creditColumns = {
  /** The event's id. */
  id: key,
  customerId: id,
  kind: oneOf<(typeof CREDIT_KINDS)[number]>(),
  /** Below 0: it was spent. */
  amount: integer,
  currency: text,
  /** Of granted credit its own record, else the payment that used it. */
  paymentId: id,
  reason: nullable(sealedText('reason', ({ customerId }: { customerId: string }) => customerSubject(customerId))),
  createdAt: timestamptz,
}

/** Every movement of customers' credit. Their sum is the balance. */
export const creditTable = readModel('credits', 1, creditColumns, ['(customer_id, created_at, id)']).from(
  creditEvents,
  {
    CreditGranted: (table, { customerId, amount, currency, paymentId, reason }, { id, at }) =>
      table.insert({ id, customerId, kind: 'GRANTED', amount, currency, paymentId, reason, createdAt: at }),
    CreditSpent: (table, { customerId, amount, currency, paymentId }, { id, at }) =>
      table.insert({
        id,
        customerId,
        kind: 'SPENT',
        amount: -amount,
        currency,
        paymentId,
        reason: null,
        createdAt: at,
      }),
    CreditReturned: (table, { customerId, amount, currency, paymentId }, { id, at }) =>
      table.insert({ id, customerId, kind: 'RETURNED', amount, currency, paymentId, reason: null, createdAt: at }),
  },
)

/** What is left of a customer's credit, by currency; without currencies of which nothing is left. */
export const creditBalances = (read: ReadDatabase, customerId: string) =>
  creditTable
    .queryIn(read)
    .select(['currency', sql<number>`sum(amount)::bigint`.as('amount')])
    .where('customerId', '=', customerId)
    .groupBy('currency')
    .having(sql<boolean>`sum(amount) <> 0`)
    .orderBy('currency')
    .execute()

const disputeColumns = {
  id: key,
  paymentId: id,
  status: oneOf<(typeof DISPUTE_STATUSES)[number]>(),
  amount: integer,
  currency: text,
  reason: text,
  providerRef: text,
  openedAt: timestamptz,
  closedAt: nullable(timestamptz),
}

export const disputeTable = readModel('disputes', 1, disputeColumns, ['(payment_id, opened_at, id)']).from(
  paymentEvents,
  {
    PaymentDisputed: (table, { disputeId, paymentId, amount, currency, reason, providerRef, openedAt }) => {
      table.remove({ id: disputeId })
      const open = { status: 'OPEN', openedAt, closedAt: null } as const
      return table.insert({ id: disputeId, paymentId, amount, currency, reason, providerRef, ...open })
    },
    PaymentDisputeClosed: (table, { disputeId, outcome, amount, currency, reason }, { at }) =>
      table.update({ id: disputeId }, { status: outcome, amount, currency, reason, closedAt: at }),
  },
)

/** Newest first. */
export const disputesOf = (read: ReadDatabase, paymentIds: readonly string[]) =>
  disputeTable
    .queryIn(read)
    .selectAll()
    .where('paymentId', 'in', paymentIds.length > 0 ? paymentIds : [null])
    .orderBy('openedAt', 'desc')
    .orderBy('id', 'desc')
    .execute()

const invoiceColumns = {
  id: key,
  number: text,
  kind: oneOf<(typeof INVOICE_KINDS)[number]>(),
  corrects: nullable(text),
  customerId: id,
  subscriptionId: id,
  paymentId: id,
  currency: text,
  lines: json<{ label: string; amount: number }[]>(),
  credited: integer,
  total: integer,
  seller: text,
  buyerName: nullable(sealedText('buyerName', ({ id }: { id: string }) => invoiceSubject(id))),
  buyerCompany: nullable(sealedText('buyerCompany', ({ id }: { id: string }) => invoiceSubject(id))),
  buyerEmail: sealedText('buyerEmail', ({ id }: { id: string }) => invoiceSubject(id)),
  issuedAt: timestamptz,
  dueAt: nullable(timestamptz),
}

export type InvoiceRow = RowOf<typeof invoiceColumns>

export const invoiceTable = readModel('invoices', 1, invoiceColumns, [
  '(customer_id, issued_at, id)',
  '(issued_at, id)',
  '(number)',
]).from(invoiceEvents, {
  InvoiceIssued: (table, { invoiceId, ...invoice }) => table.insert({ ...invoice, id: invoiceId }),
})

const billingColumns = { subscriptionId: key, customerId: id, provider: text, customerRef: text, methodRef: text }

/** Subscriptions that are charged automatically. */
export const billingTable = readModel('billings', 1, billingColumns).from(billingEvents, {
  SubscriptionBillingSet: (table, billing) => {
    table.remove({ subscriptionId: billing.subscriptionId })
    return table.insert(billing)
  },
})

/** Open payments of a subscription, oldest first. */
export const openPayments = (read: ReadDatabase, subscriptionId: string) =>
  paymentTable
    .queryIn(read)
    .select(['id', 'status', 'amount', 'currency', 'providerRef'])
    .where('subscriptionId', '=', subscriptionId)
    .where('type', '=', 'CHARGE')
    .where('status', 'in', ['PENDING', 'FAILED'])
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

interface DueQuery {
  readonly until: Date
  readonly limit: number
}

type DueColumn = 'currentPeriodEnd' | 'trialEndsAt' | 'nextAttemptAt' | 'createdAt'

/** Subscriptions with a due date, the longest waiting first. Suspended customers are left out. */
const dueBy = (read: ReadDatabase, column: DueColumn, { until, limit }: DueQuery) =>
  subscriptionTable
    .queryIn(read)
    .select(['id as key', `${column} as at`])
    .where(column, '<=', until.toISOString())
    .where(
      sql<boolean>`NOT EXISTS (SELECT FROM read.customers AS c WHERE c.id = subscriptions.customer_id AND c.status <> 'ACTIVE')`,
    )
    .orderBy(column)
    .limit(limit)
    .$castTo<{ key: string; at: string }>()

const earlier = ({ at, ...due }: { key: string; at: string }, ms: number) => ({
  ...due,
  at: new Date(Date.parse(at) - ms),
})

/** Automatically charged subscriptions whose period ends within `aheadMs`. */
export async function renewalsDue(
  read: ReadDatabase,
  { until, limit, aheadMs }: DueQuery & { readonly aheadMs: number },
) {
  const ending = new Date(until.getTime() + aheadMs)
  const rows = await dueBy(read, 'currentPeriodEnd', { until: ending, limit })
    .where('status', '=', 'ACTIVE')
    .where('cancelAtPeriodEnd', '=', false)
    .where('scheduledChange', 'is', null)
    .where(sql<boolean>`EXISTS (SELECT FROM read.billings AS b WHERE b.subscription_id = subscriptions.id)`)
    .execute()
  return rows.map((row) => earlier(row, aheadMs))
}

export const trialsDue = (read: ReadDatabase, asked: DueQuery) =>
  dueBy(read, 'trialEndsAt', asked).where('status', '=', 'TRIALING').where('cancelAtPeriodEnd', '=', false).execute()

export const retriesDue = (read: ReadDatabase, asked: DueQuery) =>
  dueBy(read, 'nextAttemptAt', asked).where('status', '=', 'PAST_DUE').execute()

/** Subscriptions that are still unpaid `afterMs` after the payment was requested. */
export async function unpaidDue(
  read: ReadDatabase,
  { until, limit, afterMs }: DueQuery & { readonly afterMs: number },
) {
  const asked = { until: new Date(until.getTime() - afterMs), limit }
  const rows = await dueBy(read, 'createdAt', asked).where('status', '=', 'INCOMPLETE').execute()
  return rows.map((row) => earlier(row, -afterMs))
}
