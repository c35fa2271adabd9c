/**
 * Records paid, failed and refunded payments: the effects on the payment, its invoice and its
 * subscription.
 */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { found, reject } from '#kernel/lib/rejection'
import type { ServiceRegistry } from '#kernel/lib/services'
import { daysAfter } from '#kernel/lib/timestamps'
import { findRow } from '#kernel/projections/lookup'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { paymentTable } from '#projections/licensing/payments'
import { customers } from '../../customers/decider.ts'
import { billings } from '../../payments/billing/decider.ts'
import { credits } from '../../payments/credits/decider.ts'
import { isOpen, payments } from '../../payments/decider.ts'
import type { Payment, RequestRefund } from '../../payments/decider.ts'
import { invoiceSeller } from '../../payments/provider.ts'
import type { ProviderReport } from '../../payments/provider.ts'
import { currentSigningKey } from '../../signing-keys/signing-key.ts'
import { subscriptions } from '../../subscriptions/decider.ts'
import { entitledUntil } from '../../subscriptions/term-rules.ts'
import type { Subscription } from '../../subscriptions/term-rules.ts'
import { decideSubscription } from '../subscriptions/decide.ts'
import { issueLicense, planBySlug } from '../subscriptions/issue-license.ts'
import { issueCreditNote, invoicePayment, withdrawCreditNote } from './issue-invoice.ts'
import type { Seller } from './issue-invoice.ts'

/** The call of a route, or the context of a job. */
export interface BillingContext {
  run<Result>(work: (unit: UnitOfWork) => Promise<Result>): Promise<Result>
  readonly read: ReadDatabase
  readonly service: ServiceRegistry
  readonly baseUrl: string
}

/** Days after the first failed attempt (licensing.md 3). */
const RETRY_DAYS = [2, 7, 14, 21]
/**
 * A PAST_DUE subscription stays in full effect (licensing.md 3), so its license lasts until the
 * last attempt, at most one day late.
 */
const PAST_DUE_LICENSE_DAYS = 22
const NOTHING_TO_PAY_FOR = 'nothing is left to pay for'

export const sellerFrom = ({ service, baseUrl }: Pick<BillingContext, 'service' | 'baseUrl'>): Seller => ({
  seller: service(invoiceSeller),
  baseUrl,
})

export interface PaymentSource {
  readonly provider: string
  readonly providerRef: string | null
  readonly method: string | null
  readonly note: string | null
}

/**
 * Payments of a subscription with a failed attempt: while there are any, the subscription is not
 * recovered.
 */
export async function failedPayments(read: ReadDatabase, subscriptionId: string): Promise<string[]> {
  const rows = paymentTable.queryIn(read).select('id').where('subscriptionId', '=', subscriptionId)
  const failed = await rows.where('status', '=', 'FAILED').where('type', '=', 'CHARGE').orderBy('id').execute()
  return failed.map(({ id }) => id)
}

/**
 * A requested payment was paid. Repeating it changes nothing.
 * @throws Rejection 404
 */
export async function settlePayment(
  unit: UnitOfWork,
  place: BillingContext,
  payment: Payment,
  by: PaymentSource,
  failed: readonly string[],
): Promise<void> {
  const events = await unit.decide(payments, payment.id, 'SettlePayment', by)
  if (events.length === 0) return
  await invoicePayment(unit, payment.id, sellerFrom(place))
  await fulfillPayment(unit, place, payment, failed)
}

/** Delivers what was paid. If that is no longer possible, the money is refunded. */
export async function fulfillPayment(
  unit: UnitOfWork,
  { baseUrl }: Pick<BillingContext, 'baseUrl'>,
  payment: Payment,
  failed: readonly string[],
): Promise<void> {
  const { subscriptionId, purpose } = payment
  const subscription = found(await unit.load(subscriptions, subscriptionId))
  if (!canFulfill(subscription, payment)) return refundPayment(unit, payment)
  const { kid } = await currentSigningKey(unit)
  if (subscription.status === 'INCOMPLETE') return activatePaidSubscription(unit, payment, subscription, baseUrl)
  if (subscription.status === 'TRIALING' && purpose !== 'CHANGE') {
    await decideSubscription(unit, subscriptionId, 'ActivateSubscription', { status: 'ACTIVE', plan: undefined, kid })
    return
  }
  const isOver = Date.parse(entitledUntil(subscription)) <= unit.at.getTime()
  const isNextPeriod = purpose === 'RENEWAL' || purpose === 'CONVERSION'
  if (isNextPeriod || (purpose === 'MANUAL' && (subscription.status === 'ACTIVE' || isOver)))
    await decideSubscription(unit, subscriptionId, 'RenewSubscription', { kid })
  // Last: if the license was held, the paid period begins now.
  if (!(await isStillOwed(unit, payment, failed))) await decideSubscription(unit, subscriptionId, 'RecoverPayment', {})
}

/**
 * Whether the paid item can still be delivered: not if the change was made already, nor for a
 * period after a cancellation.
 */
export function canFulfill(
  { status, cancellation }: Subscription,
  { status: paid, purpose }: Pick<Payment, 'status' | 'purpose'>,
): boolean {
  if (paid === 'CANCELLED' || status === 'CANCELLED' || status === 'EXPIRED') return false
  return purpose === 'CHANGE' || (status !== 'PAUSED' && cancellation === null)
}

async function activatePaidSubscription(
  unit: UnitOfWork,
  { purpose }: Payment,
  subscription: Subscription,
  iss: string,
): Promise<void> {
  const { id: subscriptionId, planSlug } = subscription
  const named = await planBySlug(unit, planSlug)
  // The plan was open at the time of the sale, so the payment is still honoured.
  const plan = named && { ...named, active: true }
  const { kid } = await currentSigningKey(unit)
  const status = purpose === 'TRIAL' ? 'TRIALING' : 'ACTIVE'
  await decideSubscription(unit, subscriptionId, 'ActivateSubscription', { status, plan, kid })
  await issueLicense(unit, { subscriptionId, plan, iss })
}

async function isStillOwed(unit: UnitOfWork, { id }: Payment, failed: readonly string[]): Promise<boolean> {
  for (const other of failed) {
    const payment = other === id ? undefined : await unit.look(payments, other)
    if (payment && isOpen(payment)) return true
  }
  return false
}

/** A reaction moves the money, because the provider is an outside system. */
async function refundPayment(unit: UnitOfWork, { id, amount }: Payment): Promise<void> {
  await returnCredit(unit, id)
  if (amount > 0) await requestRefund(unit, id, { reason: NOTHING_TO_PAY_FOR })
}

/**
 * @param ask amount absent: the whole remainder; the reason is sealed with the customer's key and
 * erased with it
 * @returns the refund's id.
 * @throws Rejection 404, or 409 if the remainder is smaller
 */
export async function requestRefund(
  unit: UnitOfWork,
  paymentId: string,
  ask: Pick<RequestRefund, 'amount' | 'provider'> & { readonly reason: string },
): Promise<string> {
  const { customerId } = found(await unit.load(payments, paymentId))
  const isErased = (await unit.look(customers, customerId))?.status === 'ERASED'
  const refundId = unit.newId()
  await unit.decide(payments, paymentId, 'RequestRefund', { ...ask, refundId, reason: isErased ? null : ask.reason })
  return refundId
}

async function returnCredit(unit: UnitOfWork, paymentId: string): Promise<void> {
  const { customerId } = (await unit.load(payments, paymentId))!
  await unit.decide(credits, customerId, 'ReturnCredit', { paymentId })
}

/** The payment is no longer owed: its invoice is corrected, and the credit that it used is returned. */
export async function cancelPayment(
  unit: UnitOfWork,
  place: BillingContext,
  paymentId: string,
  reason: string,
): Promise<void> {
  const payment = found(await unit.load(payments, paymentId))
  const events = await unit.decide(payments, paymentId, 'CancelPayment', { reason })
  if (events.length === 0) return
  await returnCredit(unit, paymentId)
  if (payment.invoiceNumber !== null)
    await issueCreditNote(unit, payment, payment.amount + payment.credited, sellerFrom(place))
}

/** Records a failed automatic attempt: the next one is planned, or charging stops (licensing.md 3). */
async function recordFailedAttempt(
  unit: UnitOfWork,
  paymentId: string,
  { attempt, code }: { attempt: number; code: string },
): Promise<void> {
  const events = await unit.decide(payments, paymentId, 'FailPayment', { attempt, code })
  if (events.length === 0) return
  const { subscriptionId, firstFailedAt } = (await unit.load(payments, paymentId))!
  const { status } = found(await unit.load(subscriptions, subscriptionId))
  if (!['TRIALING', 'ACTIVE', 'PAST_DUE'].includes(status)) return
  const nextAttemptAt = nextAttempt(firstFailedAt!, attempt)
  const { kid } = await currentSigningKey(unit)
  const kept = nextAttemptAt === null ? undefined : { until: daysAfter(firstFailedAt!, PAST_DUE_LICENSE_DAYS), kid }
  await decideSubscription(unit, subscriptionId, 'FailPayment', { nextAttemptAt, kept })
  if (nextAttemptAt === null) await decideSubscription(unit, subscriptionId, 'GiveUpCharging', {})
}

function nextAttempt(firstFailedAt: string, attempt: number): string | null {
  const days = RETRY_DAYS[attempt - 1]
  return days === undefined ? null : daysAfter(firstFailedAt, days)
}

/**
 * Records a provider's report. Repeating it changes nothing.
 * @throws Rejection 409 for a sum other than the requested one; the sum is recorded, the notice is
 * not
 */
export async function applyProviderReport(
  place: BillingContext,
  provider: string,
  seen: ProviderReport,
  noticed?: (unit: UnitOfWork, paymentId: string) => void,
): Promise<void> {
  const failed = await failedOfPayment(place.read, seen.paymentId)
  const isTaken = await place.run(async (unit) => {
    const payment = await unit.load(payments, await reportedPaymentId(unit, provider, seen))
    if (!payment) return true
    if (seen.what === 'paid' && !hasExpectedAmount(payment, seen)) {
      const { ref: providerRef, amount, currency } = seen
      await unit.decide(payments, payment.id, 'NoteOtherSum', { provider, providerRef, taken: { amount, currency } })
      return false
    }
    noticed?.(unit, payment.id)
    await applyReport(unit, place, { payment, provider, seen, failed })
    return true
  })
  if (!isTaken) reject('conflict', 'The provider took a sum other than the requested one', 'AMOUNT_DIFFERS')
}

const hasExpectedAmount = (payment: Payment, { amount, currency }: PaidReport): boolean =>
  amount === payment.amount && (amount === 0 || currency === payment.currency)

/** A second charge for a paid payment is a payment of its own, and its disputes belong to it. */
async function reportedPaymentId(unit: UnitOfWork, provider: string, seen: ProviderReport): Promise<string> {
  const holder = seen.what === 'disputed' ? await unit.holderOf('charged', `${provider}/${seen.ref}`) : undefined
  return holder ?? seen.paymentId
}

async function failedOfPayment(read: ReadDatabase, paymentId: string): Promise<string[]> {
  const row = await findRow(read, paymentTable, { id: paymentId })
  return row?.subscriptionId ? failedPayments(read, row.subscriptionId) : []
}

interface PaymentReport {
  readonly payment: Payment
  readonly provider: string
  readonly seen: ProviderReport
  readonly failed: readonly string[]
}

async function applyReport(
  unit: UnitOfWork,
  place: BillingContext,
  { payment, provider, seen, failed }: PaymentReport,
): Promise<void> {
  const { id } = payment
  if (seen.what === 'paid') await applyPaidReport(unit, place, { payment, provider, seen, failed })
  if (seen.what === 'failed' && !payment.atCheckout) await recordFailedAttempt(unit, id, seen)
  if (seen.what === 'expired') await cancelPayment(unit, place, id, 'the checkout expired')
  if (seen.what === 'refunded') await settleRefund(unit, place, id, seen)
  if (seen.what === 'refundFailed') await failRefund(unit, place, payment, seen)
  if (seen.what === 'disputed')
    await unit.decide(payments, id, 'NoteDispute', { ...seen.dispute, disputeId: unit.newId() })
}

type PaidReport = Extract<ProviderReport, { what: 'paid' }>

async function applyPaidReport(
  unit: UnitOfWork,
  place: BillingContext,
  { payment, provider, seen, failed }: PaymentReport & { seen: PaidReport },
): Promise<void> {
  const { customerId, subscriptionId } = payment
  if (seen.billing)
    await unit.decide(billings, subscriptionId, 'SetBilling', { subscriptionId, customerId, provider, ...seen.billing })
  const by = { provider, providerRef: seen.ref, method: null, note: null }
  if (payment.status !== 'PAID') return settlePayment(unit, place, payment, by, failed)
  const isKnown = seen.ref === null || (await unit.holderOf('charged', `${provider}/${seen.ref}`)) !== undefined
  if (!isKnown) await recordDuplicatePayment(unit, place, payment, by)
}

/**
 * A second payment of the same debt, for example a bank transfer that crossed with a charge:
 * recorded, invoiced and refunded.
 */
async function recordDuplicatePayment(
  unit: UnitOfWork,
  place: BillingContext,
  payment: Payment,
  by: PaymentSource,
): Promise<void> {
  const { customerId, subscriptionId, purpose, amount, currency, lines, credited } = payment
  const paymentId = unit.newId()
  const ids = { paymentId, customerId, subscriptionId }
  const once = [...lines, ...(credited > 0 ? [{ label: 'Credit', amount: -credited }] : [])]
  await unit.decide(payments, paymentId, 'RecordPayment', {
    ...ids,
    ...by,
    purpose,
    amount,
    currency,
    lines: once,
    credited: 0,
  })
  await invoicePayment(unit, paymentId, sellerFrom(place))
  await refundPayment(unit, (await unit.load(payments, paymentId))!)
}

/** The refund is on its way: a credit note is issued. Repeating it changes nothing. */
export async function settleRefund(
  unit: UnitOfWork,
  place: BillingContext,
  paymentId: string,
  { refundId, ref }: { refundId: string; ref: string | null },
): Promise<void> {
  const payment = found(await unit.load(payments, paymentId))
  const refund = payment.refunds.find(({ id }) => id === refundId)
  if (refund?.status !== 'PENDING') return
  const invoiceNumber = await issueCreditNote(unit, payment, refund.amount, sellerFrom(place))
  await unit.decide(payments, paymentId, 'SettleRefund', { refundId, providerRef: ref, invoiceNumber })
}

/**
 * Also for a refund that seemed to succeed: its credit note is reversed, and the amount can be
 * refunded again.
 */
async function failRefund(
  unit: UnitOfWork,
  place: BillingContext,
  payment: Payment,
  { refundId, code }: { refundId: string; code: string },
): Promise<void> {
  const refund = payment.refunds.find(({ id }) => id === refundId)
  const invoiceNumber =
    refund?.status === 'PAID' ? await withdrawCreditNote(unit, payment, refund, sellerFrom(place)) : null
  await unit.decide(payments, payment.id, 'FailRefund', { refundId, code, invoiceNumber })
}
