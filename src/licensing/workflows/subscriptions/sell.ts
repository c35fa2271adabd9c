/** Sells a subscription to an existing customer, with or without a license. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { DataOf } from '#kernel/events/event'
import { customers } from '../../customers/decider.ts'
import { priceIn } from '../../plans/rules.ts'
import { subscriptions } from '../../subscriptions/decider.ts'
import type { SubscriptionCreated } from '../../subscriptions/events.ts'
import { cycleAfter, refuseCycle } from '../../subscriptions/term-rules.ts'
import type { Subscription } from '../../subscriptions/term-rules.ts'
import { decideSubscription } from './decide.ts'
import { issueLicense, planBySlug } from './issue-license.ts'

export interface Sale extends Pick<
  DataOf<typeof SubscriptionCreated>,
  'customerId' | 'planSlug' | 'seats' | 'billingCycle' | 'status'
> {
  /** RFC 3339 with any offset; one cycle from now if absent. */
  readonly currentPeriodEnd?: string | undefined
}

/** Without a reference, so a repeated call sells twice. */
const NO_REFERENCE = { reference: null, referenceKey: null, requestHash: null }

/**
 * One append. It includes an event in the customer's stream, so that a concurrent erasure
 * conflicts.
 * @param iss the base URL, for the license; absent: no license yet
 * @throws Rejection 404 for an unknown customer, 409 for a suspended or erased one. 400 for a plan
 * that cannot be sold or 409 for a cycle that is not offered
 */
export async function sellSubscription(unit: UnitOfWork, sale: Sale, iss?: string): Promise<Subscription> {
  const { customerId, planSlug, billingCycle } = sale
  const subscriptionId = unit.newId()
  await unit.decide(customers, customerId, 'SubscribeCustomer', { customerId, subscriptionId })
  const plan = await planBySlug(unit, planSlug)
  const currentPeriodEnd = sale.currentPeriodEnd ?? cycleAfter(unit.at, billingCycle).toISOString()
  await decideSubscription(unit, subscriptionId, 'CreateSubscription', {
    ...sale,
    ...NO_REFERENCE,
    subscriptionId,
    plan,
    currentPeriodEnd,
  })
  if (plan && priceIn(plan, billingCycle) === null) refuseCycle(planSlug, billingCycle)
  if (iss !== undefined) await issueLicense(unit, { subscriptionId, plan, iss })
  return (await unit.load(subscriptions, subscriptionId))!
}
