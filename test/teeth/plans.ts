import type { Break } from './breaks.ts'

const PRICING = 'src/licensing/subscriptions/pricing-rules.ts'
const prices = 'test/licensing/plans/prices.test.ts'
const pricing = 'test/licensing/subscriptions/pricing.test.ts'

/** What plans cost, who may have them, and what becomes of what was sold. */
export const planBreaks: readonly Break[] = [
  {
    promise: 'a cycle without a price is not sold',
    file: 'src/licensing/workflows/subscriptions/sell.ts',
    find: 'if (plan && priceIn(plan, billingCycle) === null)',
    replace: 'if (plan && priceIn(plan, billingCycle) === undefined)',
    test: prices,
    named: 'buys by the year',
  },
  {
    promise: 'no subscription is changed into a cycle without a price',
    file: 'src/licensing/subscriptions/term-rules.ts',
    find: '  if (!isOffered(subscription, change, named)) refuseCycle(slug, billingCycle)\n',
    replace: '',
    test: pricing,
    named: 'is not changed into',
  },
  {
    promise: 'a plan that is not public is nothing in the shop',
    file: 'src/licensing/workflows/billing/checkout.ts',
    find: '  refuseHiddenPlan(await planBySlug(unit, planSlug), planSlug)\n',
    replace: '',
    test: prices,
    named: 'neither sees nor buys',
  },
  {
    promise: 'a customer changes to no plan that is not public',
    file: 'src/licensing/workflows/subscriptions/change.ts',
    find: '  if (planSlug !== subscription.planSlug) refuseHiddenPlan(asking.plan, planSlug)\n',
    replace: '',
    test: prices,
    named: 'neither sees nor buys',
  },
  {
    promise: 'a customer adds nothing to what has no price',
    file: 'src/licensing/workflows/subscriptions/change.ts',
    find: 'if (soldPriceOf(plan, terms) === null)',
    replace: 'if (soldPriceOf(plan, terms) === undefined)',
    test: prices,
    named: 'nobody adds to it but staff',
  },
  {
    promise: 'a year that is billed by the month is twelve months',
    file: PRICING,
    find: '  while (at(whole + 1) <= lengthMs) whole += 1\n',
    replace: '',
    test: pricing,
    named: 'is worth twelve months',
  },
  {
    promise: 'a trial of what has no price becomes nothing for nothing',
    file: 'src/licensing/workflows/billing/renew.ts',
    find: '(await isFree(unit, subscription)) ||',
    replace: '(await renewalPrice(unit, subscription)).amount === 0 || (await isFree(unit, subscription)) ||',
    test: prices,
    named: 'becomes nothing for nothing',
  },
  {
    promise: 'a plan of release 0.1.0 stays in the shop',
    file: 'src/licensing/plans/events.ts',
    find: 'priceMonthly === 0 && priceYearly === 0, public: true }',
    replace: 'priceMonthly === 0 && priceYearly === 0, public: false }',
    test: 'test/licensing/plans/plans.test.ts',
    named: 'stays in the shop',
  },
]
