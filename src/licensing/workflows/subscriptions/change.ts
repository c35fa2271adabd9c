/** Changes the terms of a subscription, or previews a change, together with the license and the payments. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { found, reject } from '#kernel/lib/rejection'
import type { Vault } from '#kernel/vault/vault'
import { requireActiveCustomer, customers } from '../../customers/decider.ts'
import { countTakenSlots } from '../../instances/slots.ts'
import { billings } from '../../payments/billing/decider.ts'
import { priceIn } from '../../plans/rules.ts'
import type { Plan } from '../../plans/rules.ts'
import { subscriptions } from '../../subscriptions/decider.ts'
import type { ChangeSubscription } from '../../subscriptions/license-rules.ts'
import { quoteChange, unrevokedLicense } from '../../subscriptions/license-rules.ts'
import { carriedOver, priceOf } from '../../subscriptions/pricing-rules.ts'
import { cycleAfter, entitledUntil, refuseCycle, termsAfterChange } from '../../subscriptions/term-rules.ts'
import type { TermsChange, Subscription, SubscriptionTerms } from '../../subscriptions/term-rules.ts'
import { refuseForeignCredit, refuseUnpaidCredit } from '../billing/settle-change.ts'
import { decideSubscription, simulateCommand } from './decide.ts'
import { newLicenseIdentity, planBySlug, refuseHiddenPlan } from './issue-license.ts'
import { createPreviewToken, refuseInvalidPromise } from './preview-token.ts'
import type { PricePromise } from './preview-token.ts'

export interface TermsChangeRequest extends Omit<TermsChange, 'planVersion'> {
  readonly effective: 'now' | 'period_end'
}

/** For previews, which store nothing. */
const NO_LICENSE = { licenseId: '', keyId: '', kid: '', k: '', iss: '' }

/**
 * Changes a subscription now, or schedules the change.
 * @param more.iss the base URL, for the license of another plan
 * @param more.promised the content of a preview's token, whose price is kept
 * @throws Rejection 400, 404 or 409 by the rules
 */
export async function changeSubscription(
  unit: UnitOfWork,
  subscriptionId: string,
  ask: TermsChangeRequest,
  { iss, promised }: { iss: string; promised?: PricePromise | undefined },
): Promise<Subscription> {
  const before = found(await unit.load(subscriptions, subscriptionId))
  requireActiveCustomer(await unit.look(customers, before.customerId))
  if (promised) refuseInvalidPromise(promised, before, ask, unit.at)
  const change = termsChangeOf(ask, before, promised?.planVersion)
  const plans = await plansOf(unit, before, change.planSlug)
  if (ask.effective === 'period_end')
    await decideSubscription(unit, subscriptionId, 'ScheduleChange', { change, ...plans })
  else {
    const { signedWith: _key, ...made } = await newLicenseIdentity(unit)
    const pricedAt = promised ? new Date(promised.at) : undefined
    const license = { ...made, iss }
    await decideSubscription(unit, subscriptionId, 'ChangeSubscription', { change, ...plans, pricedAt, license })
  }
  return (await unit.load(subscriptions, subscriptionId))!
}

/**
 * Changes nothing if no change is due.
 * @param iss the base URL, for the license of another plan
 */
export async function applyScheduledChange(unit: UnitOfWork, subscriptionId: string, iss: string): Promise<void> {
  const { scheduledChange, ...before } = found(await unit.load(subscriptions, subscriptionId))
  if (!scheduledChange) return
  const plans = await plansOf(unit, before, scheduledChange.planSlug)
  const { signedWith: _key, ...made } = await newLicenseIdentity(unit)
  await decideSubscription(unit, subscriptionId, 'ApplyScheduledChange', { ...plans, license: { ...made, iss } })
}

/** The price of the next period under the present terms, in minor units. */
export async function renewalPrice(unit: UnitOfWork, subscription: Subscription) {
  return priceOf(await planOf(unit, subscription), subscription)
}

/** Whether the cycle of the subscription is free; a cycle without a price is not. */
export const isFree = async (unit: UnitOfWork, subscription: Subscription): Promise<boolean> =>
  soldPriceOf(await planOf(unit, subscription), subscription) === 0

const soldPriceOf = (
  plan: Plan,
  { planVersion, billingCycle }: Pick<SubscriptionTerms, 'planVersion' | 'billingCycle'>,
) => priceIn(plan.versions[planVersion]!, billingCycle)

/**
 * Limits changes by customers: only plans of the shop, and only cycles with a price. A dearer plan
 * needs a means of payment, which only a purchase in the shop stores. A period that was not charged
 * here gives no credit.
 * @throws Rejection 404 · 400 · 409
 */
export async function refuseShopChange(
  unit: UnitOfWork,
  subscriptionId: string,
  ask: TermsChangeRequest,
  promised?: PricePromise,
): Promise<void> {
  const subscription = found(await unit.load(subscriptions, subscriptionId))
  if (promised) refuseInvalidPromise(promised, subscription, ask, unit.at)
  const change = termsChangeOf(ask, subscription)
  const asking = { change, ...(await plansOf(unit, subscription, change.planSlug)), license: NO_LICENSE }
  const { planSlug = subscription.planSlug } = change
  if (planSlug !== subscription.planSlug) refuseHiddenPlan(asking.plan, planSlug)
  const terms = termsAfterChange(subscription, change, asking.plan)
  const plan = planFor(terms, asking)
  if (soldPriceOf(plan, terms) === null) refuseCycle(terms.planSlug, terms.billingCycle)
  if (ask.effective === 'now') {
    simulateCommand(unit, subscription, 'ChangeSubscription', asking)
    await refuseForeignCredit(unit, subscription, quoteChange(subscription, asking, unit.at).settlement)
  }
  const isBought = (await unit.holderOf('charge', `${subscriptionId}/FIRST`)) !== undefined
  if (!isBought || (await unit.look(billings, subscriptionId))) return
  if (priceOf(plan, terms).amount > priceOf(asking.present, subscription).amount)
    reject('conflict', 'This subscription has no means of payment: buy the plan again', 'NO_MEANS_OF_PAYMENT')
}

/**
 * Previews a change as of now; nothing is recorded.
 * @throws Rejection as changeSubscription does
 */
export async function previewChange(unit: UnitOfWork, vault: Vault, subscriptionId: string, ask: TermsChangeRequest) {
  const subscription = found(await unit.look(subscriptions, subscriptionId))
  requireActiveCustomer(await unit.look(customers, subscription.customerId))
  const change = termsChangeOf(ask, subscription)
  const plans = await plansOf(unit, subscription, change.planSlug)
  const planVersion = (plans.plan ?? plans.present).version
  const asking = { change, ...plans, license: NO_LICENSE }
  const { next, ...rest } = (ask.effective === 'now' ? previewImmediateChange : previewScheduledChange)(
    unit,
    subscription,
    asking,
  )
  await refuseUnpaidCredit(unit, subscription, { amount: -rest.creditAmount })
  return {
    current: offerOf(subscription, subscription.currentPeriodEnd, plans.present),
    next,
    ...rest,
    license: {
      willReissue: unrevokedLicense(subscription) !== undefined && next.planSlug !== subscription.planSlug,
      slotsOverBy: Math.max(0, (await countTakenSlots(unit, subscriptionId)) - next.maxActivations),
    },
    previewToken: await createPreviewToken(vault, { subscription, ask, planVersion, at: unit.at }),
  }
}

function previewImmediateChange(unit: UnitOfWork, subscription: Subscription, asking: ChangeSubscription) {
  const after = simulateCommand(unit, subscription, 'ChangeSubscription', asking)
  const changes = after !== subscription
  const { settlement } = quoteChange(subscription, asking, unit.at)
  const { amount, lines } = changes ? settlement : { amount: 0, lines: [] }
  const next = offerOf(after, after.currentPeriodEnd, planFor(after, asking))
  return {
    next,
    lines,
    creditAmount: Math.max(0, -amount),
    dueNow: settlement.due === 'now' ? Math.max(0, amount) : 0,
    nextInvoice: { date: nextInvoiceDate(after, unit.at), amount: next.price + carriedOver(after) },
    effectiveAt: unit.at.toISOString(),
  }
}

/** A scheduled change settles nothing: it starts together with the next period. */
function previewScheduledChange(unit: UnitOfWork, subscription: Subscription, asking: ChangeSubscription) {
  simulateCommand(unit, subscription, 'ScheduleChange', asking)
  const effectiveAt = subscription.currentPeriodEnd
  const { terms } = quoteChange(subscription, asking, unit.at, new Date(effectiveAt))
  const end = cycleAfter(new Date(effectiveAt), terms.billingCycle).toISOString()
  const next = offerOf(terms, end, planFor(terms, asking))
  const isTrial = subscription.status === 'TRIALING'
  const price = isTrial ? priceOf(asking.present, subscription).amount : next.price
  return {
    next,
    lines: [],
    creditAmount: 0,
    dueNow: 0,
    nextInvoice: { date: nextInvoiceDate(subscription, unit.at), amount: price + carriedOver(subscription) },
    effectiveAt,
  }
}

const offerOf = (terms: SubscriptionTerms, currentPeriodEnd: string, plan: Plan) => {
  const { planSlug, planVersion, seats, billingCycle, maxActivations } = terms
  const { currency, amount: price } = priceOf(plan, terms)
  return { planSlug, planVersion, seats, billingCycle, maxActivations, currency, price, currentPeriodEnd }
}

const planFor = ({ planSlug }: SubscriptionTerms, { plan, present }: ChangeSubscription): Plan =>
  plan && plan.slug === planSlug ? plan : present

/** The end of the period, or now if it has passed without a renewal. */
const nextInvoiceDate = (subscription: Subscription, at: Date): string =>
  new Date(Math.max(Date.parse(entitledUntil(subscription)), at.getTime())).toISOString()

/** A promised version counts for another plan only: the present plan keeps its version. */
function termsChangeOf(
  { effective: _when, ...change }: TermsChangeRequest,
  { planSlug }: Subscription,
  planVersion?: number,
): TermsChange {
  const isOther = change.planSlug !== undefined && change.planSlug !== planSlug
  return isOther && planVersion !== undefined ? { ...change, planVersion } : change
}

async function plansOf(unit: UnitOfWork, subscription: Pick<Subscription, 'planSlug'>, slug = subscription.planSlug) {
  return { present: await planOf(unit, subscription), plan: await planBySlug(unit, slug) }
}

async function planOf(unit: UnitOfWork, { planSlug }: Pick<Subscription, 'planSlug'>): Promise<Plan> {
  const plan = await planBySlug(unit, planSlug)
  return plan ?? reject('invalid', `Plan ${planSlug} does not exist`, 'PLAN_UNKNOWN')
}
