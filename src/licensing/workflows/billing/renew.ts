/** Automatic charges: renewals, ends of trials, repeated attempts, and the expiry of unpaid checkouts. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { customers } from '../../customers/decider.ts'
import { billings } from '../../payments/billing/decider.ts'
import { isOpen, payments } from '../../payments/decider.ts'
import { paymentProvider } from '../../payments/provider.ts'
import type { ProviderReport } from '../../payments/provider.ts'
import { currentSigningKey } from '../../signing-keys/signing-key.ts'
import { subscriptions } from '../../subscriptions/decider.ts'
import { carriedOver } from '../../subscriptions/pricing-rules.ts'
import type { Subscription } from '../../subscriptions/term-rules.ts'
import { isFree, renewalPrice } from '../subscriptions/change.ts'
import { decideSubscription } from '../subscriptions/decide.ts'
import { invoicePayment } from './issue-invoice.ts'
import {
  cancelPayment,
  failedPayments,
  applyProviderReport,
  canFulfill,
  sellerFrom,
  fulfillPayment,
} from './record-payment.ts'
import type { BillingContext } from './record-payment.ts'
import { requestPayment } from './request-payment.ts'
import type { PaymentRequest } from './request-payment.ts'

/** How early a subscription is charged for its next period, so that its license never lapses in between. */
export const RENEWAL_AHEAD_MS = 3_600_000
/** licensing.md 3: when an unpaid checkout expires. */
export const CHECKOUT_EXPIRY_MS = 23 * 3_600_000

type ChargeReason = Pick<PaymentRequest, 'purpose' | 'occurrence' | 'checkoutAt' | 'trialOf'>

export const subscriptionLabel = ({ planSlug, seats, billingCycle }: Subscription): string =>
  `${planSlug}, ${seats} ${seats === 1 ? 'seat' : 'seats'}, ${billingCycle.toLowerCase()}`

/** The price of the next period, with the amounts carried over from changes. */
export async function periodLines(unit: UnitOfWork, subscription: Subscription) {
  const { currency, amount } = await renewalPrice(unit, subscription)
  const carried = carriedOver(subscription)
  const lines = [{ label: `A period: ${subscriptionLabel(subscription)}`, amount }]
  if (carried > 0) lines.push({ label: 'Changes of the period before', amount: carried })
  return { currency, lines }
}

/** Requests the price of a period. If nothing is left to pay, the period starts at once. */
export async function chargePeriod(
  unit: UnitOfWork,
  place: BillingContext,
  subscription: Subscription,
  { purpose, ...reason }: ChargeReason,
) {
  const { id: subscriptionId, customerId } = subscription
  const price = await periodLines(unit, subscription)
  const free = { ...price, lines: [] }
  const asked = purpose === 'TRIAL' ? free : price
  const payment = await requestPayment(unit, { ...asked, ...reason, purpose, subscriptionId, customerId })
  if (payment.status !== 'PAID') return payment
  await invoicePayment(unit, payment.id, sellerFrom(place))
  await fulfillPayment(unit, place, payment, [])
  return payment
}

/** Charges a subscription for its next period, shortly before the present one ends; once per period. */
export async function renew(unit: UnitOfWork, place: BillingContext, subscriptionId: string): Promise<void> {
  const subscription = (await unit.load(subscriptions, subscriptionId))!
  const { status, cancellation, scheduledChange, currentPeriodEnd } = subscription
  const occurrence = `period/${currentPeriodEnd}`
  if (status !== 'ACTIVE' || cancellation || scheduledChange) return
  if (Date.parse(currentPeriodEnd) - RENEWAL_AHEAD_MS > unit.at.getTime()) return
  if (!(await unit.look(billings, subscriptionId)) || (await isCharged(unit, subscriptionId, occurrence))) return
  if (!(await isActive(unit, subscription))) return
  await chargePeriod(unit, place, subscription, { purpose: 'RENEWAL', occurrence })
}

/**
 * Ends a trial: charges it, or ends the subscription if it has no means of payment. A cycle without
 * a price is not free.
 */
export async function convertTrial(unit: UnitOfWork, place: BillingContext, subscriptionId: string): Promise<void> {
  const subscription = (await unit.load(subscriptions, subscriptionId))!
  const { status, cancellation, trialEndsAt } = subscription
  if (status !== 'TRIALING' || cancellation || trialEndsAt === null || Date.parse(trialEndsAt) > unit.at.getTime())
    return
  const occurrence = `trial/${trialEndsAt}`
  if ((await isCharged(unit, subscriptionId, occurrence)) || !(await isActive(unit, subscription))) return
  if ((await isFree(unit, subscription)) || (await unit.look(billings, subscriptionId)))
    return void (await chargePeriod(unit, place, subscription, { purpose: 'CONVERSION', occurrence }))
  const { kid } = await currentSigningKey(unit)
  await decideSubscription(unit, subscriptionId, 'ExpireSubscription', {
    reason: 'the trial ended without a means of payment',
    kid,
  })
}

/** A suspended customer could not use the paid period; the charge waits until the customer is active. */
const isActive = async (unit: UnitOfWork, { customerId }: Pick<Subscription, 'customerId'>): Promise<boolean> =>
  (await unit.look(customers, customerId))?.status === 'ACTIVE'

const isCharged = async (unit: UnitOfWork, subscriptionId: string, occurrence: string): Promise<boolean> =>
  (await unit.holderOf('charge', `${subscriptionId}/${occurrence}`)) !== undefined

/**
 * One automatic attempt. Running it twice charges once, because the provider knows the attempt by
 * its number.
 */
export async function attemptCharge(place: BillingContext, paymentId: string): Promise<void> {
  const provider = place.service(paymentProvider)
  const ready = await place.run((unit) => chargeable(unit, place, paymentId))
  if (!provider || !ready || ready.provider !== provider.name) return
  const { amount, currency, failed, lines, billing } = ready
  const description = lines
    .map(({ label }) => label)
    .join('; ')
    .slice(0, 500)
  const { customerRef, methodRef } = billing
  const ask = { paymentId, attempt: failed + 1, amount, currency, description, customerRef, methodRef }
  const seen: ProviderReport | undefined = await provider.charge(ask)
  if (seen) await applyProviderReport(place, provider.name, seen)
}

/** The payment if it is open and can be charged. A payment that is no longer owed is cancelled instead. */
async function chargeable(unit: UnitOfWork, place: BillingContext, paymentId: string) {
  const payment = await unit.load(payments, paymentId)
  if (!payment || !isOpen(payment)) return undefined
  if (!canFulfill((await unit.look(subscriptions, payment.subscriptionId))!, payment)) {
    await cancelPayment(unit, place, paymentId, 'nothing is left to pay for')
    return undefined
  }
  if (!(await isActive(unit, payment))) return undefined
  const billing = await unit.look(billings, payment.subscriptionId)
  return billing && { ...payment, billing }
}

/** Retries every payment with a failed attempt, when the day of the next attempt has come. */
export async function retryFailedCharges(place: BillingContext, subscriptionId: string): Promise<void> {
  const subscription = await place.run((unit) => unit.look(subscriptions, subscriptionId))
  if (subscription?.status !== 'PAST_DUE') return
  for (const paymentId of await failedPayments(place.read, subscriptionId)) await attemptCharge(place, paymentId)
}

/**
 * Ends a checkout that is unpaid after 23 hours. The provider is asked once more, since its notice
 * may be lost.
 * @param open the open payments of the subscription
 */
export async function expireIncomplete(
  place: BillingContext,
  subscriptionId: string,
  open: readonly { readonly id: string; readonly providerRef: string | null }[],
): Promise<void> {
  const provider = place.service(paymentProvider)
  for (const { providerRef } of open) {
    const seen = providerRef !== null && provider ? await provider.fetchReport(providerRef) : undefined
    if (provider && seen?.what === 'paid') await applyProviderReport(place, provider.name, seen)
  }
  await place.run(async (unit) => {
    const { status } = (await unit.load(subscriptions, subscriptionId))!
    if (status !== 'INCOMPLETE') return
    const { kid } = await currentSigningKey(unit)
    await decideSubscription(unit, subscriptionId, 'ExpireSubscription', { reason: 'nobody paid', kid })
    for (const { id } of open) await cancelPayment(unit, place, id, 'nobody paid')
  })
}
