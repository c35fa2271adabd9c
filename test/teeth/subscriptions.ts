/** Breaks of what the back office does to subscriptions and licenses, and of what changes cost. */
import type { Break } from './breaks.ts'

const RULES = 'src/licensing/subscriptions/decider.ts'
const LICENSED = 'src/licensing/subscriptions/license-rules.ts'
const PRICING = 'src/licensing/subscriptions/pricing-rules.ts'
const ROUTES = 'src/licensing/subscriptions/routes.ts'
const LICENSES = 'src/licensing/licenses/routes.ts'
const PROMISE = 'src/licensing/workflows/subscriptions/preview-token.ts'
const SELLING = 'src/licensing/workflows/subscriptions/sell.ts'
const CUSTOMERS = 'src/licensing/customers/decider.ts'

const PRICES = 'test/licensing/subscriptions/pricing.test.ts'
const CHANGES = 'test/licensing/subscriptions/changes.test.ts'
const COMMANDS = 'test/licensing/licenses/commands.test.ts'
const MACHINE = 'test/licensing/subscriptions/machine.test.ts'
const CUSTOMER_RULES = 'test/licensing/customers/erasure.test.ts'

export const subscriptionBreaks: readonly Break[] = [
  {
    promise: 'after any number of changes a period has cost what it is worth',
    file: PRICING,
    find: `- ledger.paid
  return withoutZeroLines([`,
    replace: `- ledger.paid + (ledger.restMs % 2n)
  return withoutZeroLines([`,
    test: PRICES,
    named: 'to the unit',
  },
  {
    promise: 'half a unit is rounded to the even one',
    file: PRICING,
    find: `whole % 2n === 1n`,
    replace: `whole >= 0n`,
    test: PRICES,
    named: 'rounds half a unit',
  },
  {
    promise: 'nobody is credited what is only left for the next invoice',
    file: PRICING,
    find: `Math.min(carried, -total)`,
    replace: `Math.min(0, -total)`,
    test: PRICES,
    named: 'sets off',
  },
  {
    promise: 'a change without proration gives nothing to whoever changes back',
    file: PRICING,
    find: `after: isFree ? ledger.price : price.amount`,
    replace: `after: price.amount`,
    test: PRICES,
    named: 'without proration, and gives nothing',
  },
  {
    promise: 'nobody is credited what he has not paid',
    file: RULES,
    find: `if (subscription.status === 'PAST_DUE' &&`,
    replace: `if (subscription.status === 'PAUSED' &&`,
    test: PRICES,
    named: 'while a charge is outstanding',
  },
  {
    promise: 'what was left for the next invoice is owed when there is none',
    file: RULES,
    find: `carried: carriedOver(subscription)`,
    replace: `carried: 0`,
    test: PRICES,
    named: 'owes it now',
  },
  {
    promise: 'a period that was renewed before its change is not charged twice',
    file: LICENSED,
    find: `if (end <= at) return applyTermsChange`,
    replace: `if (end >= new Date(0)) return applyTermsChange`,
    test: PRICES,
    named: 'paid at the old price',
  },
  {
    promise: 'a preview’s token is good for one subscription and one change',
    file: PROMISE,
    find: `promised.subscriptionId !== subscription.id || promised.change !== canonicalChange(ask)`,
    replace: `promised.change !== canonicalChange(ask)`,
    test: CHANGES,
    named: 'good for one change',
  },
  {
    promise: 'a preview’s token is signed',
    file: PROMISE,
    find: `given.length !== expected.length || !timingSafeEqual(given, expected)`,
    replace: `given === expected || timingSafeEqual(expected, Buffer.alloc(expected.length))`,
    test: CHANGES,
    named: 'good for one change',
  },
  {
    promise: 'a preview’s token is good for ten minutes',
    file: PROMISE,
    find: `> PROMISE_MS)`,
    replace: `> PROMISE_MS * 9)`,
    test: CHANGES,
    named: 'good for one change',
  },
  {
    promise: 'a preview’s token is good until something changes',
    file: PROMISE,
    find: `if (promised.state !== stateHashOf(subscription))`,
    replace: `if (promised.state === '')`,
    test: CHANGES,
    named: 'good for one change',
  },
  {
    promise: 'a preview’s token keeps the price when the plan has become dearer',
    file: 'src/licensing/workflows/subscriptions/change.ts',
    find: `return isOther && planVersion !== undefined ?`,
    replace: `return isOther && planVersion === 0 ?`,
    test: CHANGES,
    named: 'become dearer',
  },
  {
    promise: 'what is only tried out is not done',
    file: ROUTES,
    find: `if (query.dryRun)`,
    replace: `if (query.dryRun && mode === 'period_end')`,
    test: CHANGES,
    named: 'only tried out',
  },
  {
    promise: 'the customer’s stream learns of what he is sold by hand',
    file: SELLING,
    find: `  await unit.decide(customers, customerId, 'SubscribeCustomer', { customerId, subscriptionId })`,
    replace: `  await unit.look(customers, customerId)`,
    test: CHANGES,
    named: 'ended with the customer',
  },
  {
    promise: 'nothing is sold to who is suspended',
    file: CUSTOMERS,
    find: `if (status !== 'ACTIVE') reject(`,
    replace: `if (status === 'ERASED') reject(`,
    test: CUSTOMER_RULES,
    named: 'nothing is sold',
  },
  {
    promise: 'who has no license gets none by a change of plan',
    file: LICENSED,
    find: `isOtherPlan && plan && unrevokedLicense(subscription)`,
    replace: `isOtherPlan && plan`,
    test: MACHINE,
  },
  {
    promise: 'a cancellation is withdrawn only while it is pending',
    file: RULES,
    find: `if (!cancellation || Date.parse(cancellation.endsAt) <= at.getTime())`,
    replace: `if (!cancellation)`,
    test: MACHINE,
  },
  {
    promise: 'no new license while a cancellation is pending',
    file: RULES,
    find: `replaceLicense(
        requireNoCancellation(subscription)`,
    replace: `replaceLicense((subscription)`,
    test: MACHINE,
  },
  {
    promise: 'a license is not extended past the end of its subscription',
    file: RULES,
    find: `if (license.status !== 'REVOKED' && (cancellation || isOver({ status })))`,
    replace: `if (license.status !== 'REVOKED' && isOver({ status }))`,
    test: COMMANDS,
    named: 'not extended past it',
  },
  {
    promise: 'an answer says what a paused subscription’s license is worth',
    file: 'src/licensing/workflows/subscriptions/license-keys.ts',
    find: `const isHeld = isLicenseHeld(subscription) ||`,
    replace: `const isHeld =`,
    test: COMMANDS,
    named: 'say what it is worth',
  },
  {
    promise: 'a history tells of one license only',
    file: LICENSES,
    find: `.where('subjectId', '=', id)`,
    replace: ``,
    test: COMMANDS,
    named: 'to no other',
  },
  {
    promise: 'a reissued license has another secret',
    file: 'src/licensing/workflows/subscriptions/license-keys.ts',
    find: `...newKeyIdAndSecret(), kid`,
    replace: `...newKeyIdAndSecret(), k: 'the same as ever', kid`,
    test: COMMANDS,
    named: 'another key id and secret',
  },
  {
    promise: 'a replay finds nothing active of a suspended customer',
    file: 'src/licensing/workflows/provisioning/provision.ts',
    find: `customer.status === 'SUSPENDED' ? undefined :`,
    replace: ``,
    test: COMMANDS,
    named: 'sold and given nothing',
  },
  {
    promise: 'nothing is given back that was never paid',
    file: 'src/licensing/workflows/billing/settle-change.ts',
    find: 'if (charges.some((payment) => payment && isOpen(payment)))',
    replace: 'if (charges.some((payment) => !payment && !charges))',
    test: CHANGES,
    named: 'is not given back where it was never paid',
  },
  {
    promise: 'a period that a change began is not given back before it is paid',
    file: 'src/licensing/workflows/billing/settle-change.ts',
    find: `changeOccurrence(before, change))`,
    replace: `changeOccurrence(before, change + 1))`,
    test: CHANGES,
    named: 'of a period that a change began',
  },
  {
    promise: 'who cancels owes what was left for the next invoice',
    file: 'src/licensing/workflows/subscriptions/decide.ts',
    find: `await requestCarriedAmount(unit, before!)`,
    replace: `void requestCarriedAmount`,
    test: CHANGES,
    named: 'is owed when the subscription is cancelled',
  },
]
