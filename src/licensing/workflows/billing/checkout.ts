/**
 * Buying in the shop: an incomplete subscription, a payment page of the provider, and the license
 * after the payment.
 */
import { z } from 'zod'
import { forgetIdleAttempts, isWithinLimit } from '#kernel/auth/caller-limits'
import type { CallerLimit } from '#kernel/auth/caller-limits'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { HandlerContext } from '#kernel/http/route'
import { found, reject } from '#kernel/lib/rejection'
import { customers } from '../../customers/decider.ts'
import type { BILLING_CYCLES } from '../../licenses/events.ts'
import { isOpen, payments } from '../../payments/decider.ts'
import type { Payment } from '../../payments/decider.ts'
import { trialConstraint } from '../../payments/events.ts'
import { requireProviderAnswer, ignoreOutage, paymentProvider } from '../../payments/provider.ts'
import type { CheckoutPageRequest as PageAsk, PaymentProvider } from '../../payments/provider.ts'
import { currentSigningKey } from '../../signing-keys/signing-key.ts'
import { subscriptions } from '../../subscriptions/decider.ts'
import type { Subscription } from '../../subscriptions/term-rules.ts'
import { renewalPrice } from '../subscriptions/change.ts'
import { decideSubscription } from '../subscriptions/decide.ts'
import { planBySlug, refuseHiddenPlan } from '../subscriptions/issue-license.ts'
import { sellSubscription } from '../subscriptions/sell.ts'
import { cancelPayment, applyProviderReport } from './record-payment.ts'
import { chargePeriod, subscriptionLabel, CHECKOUT_EXPIRY_MS } from './renew.ts'

export const CHECKOUT_STATUSES = ['OPEN', 'PAID', 'EXPIRED'] as const

export const Checkout = z.object({
  id: z.uuid(),
  status: z.enum(CHECKOUT_STATUSES),
  subscriptionId: z.uuid(),
})

export interface CheckoutOrder {
  readonly customerId: string
  readonly planSlug: string
  readonly seats: number
  readonly billingCycle: (typeof BILLING_CYCLES)[number]
  /**
   * A page of the shop, from the configuration. The provider returns the customer to it with
   * `?checkout=<id>`.
   */
  readonly returnUrl: string
  readonly cancelUrl: string
}

type CheckoutContext = Pick<HandlerContext, 'run' | 'read' | 'service' | 'baseUrl' | 'telemetry'>

/** The shop's page polls often. The provider's notice updates the checkout without these calls. */
const CHECKOUT_STATUS_LIMIT: CallerLimit = { name: 'checkout-look', windowMax: 1, windowSeconds: 5 }

/**
 * @returns the payment page; if nothing is to be paid (a free plan, enough credit), the purchase is
 * complete and the customer returns at once
 * @throws Rejection 400 or 409 by the rules of a sale; 409 without online payments, for too small
 * an amount, or if another checkout replaced this one; 503 if the provider does not answer
 */
export async function openCheckout(
  place: CheckoutContext,
  ask: CheckoutOrder,
): Promise<{ id: string; checkoutUrl: string }> {
  const provider =
    place.service(paymentProvider) ??
    reject('conflict', 'This installation has no online payments: ask its operator for an invoice', 'NO_PROVIDER')
  const { payment, replaced, email, description, at } = await place.run((unit) =>
    begin(unit, place, ask, provider.name),
  )
  if (replaced !== null) await provider.closeCheckout(replaced).catch(ignoreOutage)
  const { id: paymentId, amount, currency } = payment
  const back = new URL(ask.returnUrl)
  back.searchParams.set('checkout', paymentId)
  const returnUrl = back.href
  if (payment.status === 'PAID') return { id: paymentId, checkoutUrl: returnUrl }
  const expiresAt = new Date(at.getTime() + CHECKOUT_EXPIRY_MS)
  const asked = { paymentId, amount, currency, description, email, returnUrl, cancelUrl: ask.cancelUrl, expiresAt }
  return { id: paymentId, checkoutUrl: await pageOf(place, provider, asked) }
}

async function pageOf(place: CheckoutContext, provider: PaymentProvider, ask: PageAsk): Promise<string> {
  const { paymentId } = ask
  const { ref, url } = await requireProviderAnswer(() => provider.createCheckout(ask)).catch(async (error: unknown) => {
    // The customer never got the page, so no payment is possible: release credit and trial for the
    // next attempt.
    await place.run((unit) => abandonCheckout(unit, place, paymentId, 'its page could not be made'))
    throw error
  })
  const opened = await place.run((unit) => unit.decide(payments, paymentId, 'OpenCheckout', { providerRef: ref }))
  if (opened.length > 0) return url
  await provider.closeCheckout(ref).catch(ignoreOutage)
  return reject('conflict', 'Another checkout has replaced this one: use that one', 'CHECKOUT_REPLACED')
}

async function begin(unit: UnitOfWork, place: CheckoutContext, ask: CheckoutOrder, checkoutAt: string) {
  const { customerId, planSlug, seats, billingCycle } = ask
  refuseHiddenPlan(await planBySlug(unit, planSlug), planSlug)
  const subscription = await sellSubscription(unit, { customerId, planSlug, seats, billingCycle, status: 'INCOMPLETE' })
  const { trialDays } = (await planBySlug(unit, planSlug))!
  const hasTrial = trialDays > 0 && (await renewalPrice(unit, subscription)).amount > 0
  const { trialOf, replaced } = hasTrial ? await availableTrial(unit, place, subscription) : NO_TRIAL
  const purpose = trialOf === null ? 'FIRST' : 'TRIAL'
  const reason = { purpose, occurrence: purpose, checkoutAt, trialOf } as const
  const payment: Payment = await chargePeriod(unit, place, subscription, reason)
  const { email } = found(await unit.look(customers, customerId))
  return { payment, replaced, email, description: subscriptionLabel(subscription), at: unit.at }
}

const NO_TRIAL = { trialOf: null, replaced: null }

/**
 * Each plan can be tried once. A customer who left the payment page of a trial gets a new checkout
 * for it.
 */
async function availableTrial(unit: UnitOfWork, place: CheckoutContext, { customerId, planSlug }: Subscription) {
  const { scope, key } = trialConstraint(customerId, planSlug)
  const holder = await unit.holderOf(scope, key)
  if (holder === undefined) return { trialOf: planSlug, replaced: null }
  const before = (await unit.load(payments, holder))!
  if (!isOpen(before)) return NO_TRIAL
  await abandonCheckout(unit, place, holder, 'another checkout was opened')
  return { trialOf: planSlug, replaced: before.providerRef }
}

/** Undoes the checkout; changes nothing if it is no longer open. */
async function abandonCheckout(
  unit: UnitOfWork,
  place: CheckoutContext,
  paymentId: string,
  reason: string,
): Promise<void> {
  const payment = (await unit.load(payments, paymentId))!
  if (!isOpen(payment)) return
  await cancelPayment(unit, place, paymentId, reason)
  const { kid } = await currentSigningKey(unit)
  await decideSubscription(unit, payment.subscriptionId, 'ExpireSubscription', { reason, kid })
}

/**
 * Reads one of the customer's checkouts. If it is open, the provider is asked, at most once per
 * interval: its notice may be late.
 * @throws Rejection 404
 */
export async function readCheckout(
  place: CheckoutContext,
  customerId: string,
  id: string,
): Promise<z.output<typeof Checkout>> {
  const known = await place.run((unit) => unit.look(payments, id))
  const payment = found(known?.customerId === customerId && known.atCheckout ? known : undefined)
  const provider = place.service(paymentProvider)
  if (
    payment.status === 'OPEN' &&
    payment.providerRef !== null &&
    provider &&
    (await isWithinLimit(place, CHECKOUT_STATUS_LIMIT, id))
  ) {
    const seen = await provider.fetchReport(payment.providerRef).catch(ignoreOutage)
    if (seen) await applyProviderReport(place, provider.name, seen)
    await forgetIdleAttempts(place, CHECKOUT_STATUS_LIMIT)
  }
  return place.run(async (unit) => {
    const { status, subscriptionId } = (await unit.look(payments, id))!
    const { licenses } = (await unit.look(subscriptions, subscriptionId))!
    // Paid, but the purchase can no longer be delivered: the money is refunded.
    const isTooLate = status === 'PAID' && licenses.length === 0
    return { id, subscriptionId, status: isTooLate || status === 'CANCELLED' ? 'EXPIRED' : status }
  })
}
