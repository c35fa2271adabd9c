/** Breaks of payments, credit, invoices and dunning. */
import type { Break } from './breaks.ts'

const RULES = 'src/licensing/payments/decider.ts'
const CREDIT = 'src/licensing/payments/credits/decider.ts'
const EVENTS = 'src/licensing/payments/events.ts'
const INVOICE_EVENTS = 'src/licensing/payments/invoices/events.ts'
const ROUTES = 'src/licensing/payments/routes.ts'
const COLLECTING = 'src/licensing/collecting.ts'
const CHARGING = 'src/licensing/charging.ts'
const BILLING = 'src/licensing/billing.ts'
const STRIPE = 'src/licensing/stripe.ts'

const SUMS = 'test/licensing/payments-rules.test.ts'
const PAYMENTS = 'test/licensing/payments.test.ts'
const PROVIDER = 'test/licensing/payments-provider.test.ts'
const INVOICES = 'test/licensing/invoices.test.ts'

export const paymentBreaks: readonly Break[] = [
  {
    promise: 'who came by a free plan gets nothing dearer on account',
    file: 'src/licensing/changing.ts',
    find: `  if (!isBought || (await unit.look(billings, subscriptionId))) return`,
    replace: `  if (isBought || (await unit.look(billings, subscriptionId))) return`,
    test: PROVIDER,
    named: 'nothing to charge it with',
  },
  {
    promise: 'refunds together are never more than was paid',
    file: RULES,
    find: `(refund.status === 'FAILED' ? rest : rest - refund.amount)`,
    replace: `(refund.status !== 'PAID' ? rest : rest - refund.amount)`,
    test: SUMS,
    named: 'gives back at most what was paid',
  },
  {
    promise: 'a refund that fails after it went through is not counted as given back',
    file: RULES,
    find: `if (!refund || refund.status === 'FAILED') return []`,
    replace: `if (refund?.status !== 'PENDING') return []`,
    test: SUMS,
    named: 'does not count as given back what failed',
  },
  {
    promise: 'such a refund is not shown as given back',
    file: 'projections/licensing/payments.ts',
    find: `{ status: refunded === 0 ? 'PAID' : 'PARTIALLY_REFUNDED' }`,
    replace: `refunded === 0 ? {} : { status: 'PARTIALLY_REFUNDED' }`,
    test: PROVIDER,
    named: 'is given back no more, and can be given back again',
  },
  {
    promise: 'the credit note of such a refund is taken back',
    file: COLLECTING,
    find: `refund?.status === 'PAID' ? await withdrawCreditNote(`,
    replace: `refund === undefined ? await withdrawCreditNote(`,
    test: PROVIDER,
    named: 'leaves the books right',
  },
  {
    promise: 'the staff is told of a refund that failed',
    file: 'src/licensing/payments/reactions.ts',
    find: `  tellStaffOfRefund,\n  tell`,
    replace: `  tell`,
    test: PROVIDER,
    named: 'is told to those who can give it back again',
  },
  {
    promise: 'mails about money go only to those of the staff who may see to it',
    file: 'src/licensing/responsible.ts',
    find: `    if (permissionsHeld(roles).includes(permission)) `,
    replace: `    if (permissionsHeld(roles)) `,
    test: PROVIDER,
    named: 'is told to those who can give it back again',
  },
  {
    promise: 'nothing is given back while it is disputed',
    file: RULES,
    find: `if (payment.disputes.some(({ holdsRefunds }) => holdsRefunds))`,
    replace: `if (payment.disputes.length < 0)`,
    test: PROVIDER,
    named: 'keeps the money from being given back twice',
  },
  {
    promise: 'what a lost dispute has taken is not given back',
    file: RULES,
    find: `  return Math.max(0, left - taken)`,
    replace: `  return Math.max(0, left - 0 * taken)`,
    test: SUMS,
    named: 'in any order',
  },
  {
    promise: 'news that was overtaken opens no dispute again',
    file: RULES,
    find: `if (known && (known.status !== 'OPEN' || isSame(known, told))) return []`,
    replace: `if (known && isSame(known, told)) return []`,
    test: SUMS,
    named: 'gives nothing back while it is disputed',
  },
  {
    promise: 'a dispute is about the charge that it names',
    file: COLLECTING,
    find: `seen.what === 'disputed' ? await unit.holderOf('charged'`,
    replace: `seen.what === 'failed' ? await unit.holderOf('charged'`,
    test: PROVIDER,
    named: 'of what was paid twice is about',
  },
  {
    promise: 'credit never falls below nothing',
    file: CREDIT,
    find: `const amount = Math.min(balanceOf(credit, ask.currency), ask.amount)`,
    replace: `const amount = ask.amount`,
    test: SUMS,
    named: 'pays as much as there is',
  },
  {
    promise: 'credit is spent before anything is charged',
    file: CHARGING,
    find: `const credited = spent?.data.amount ?? 0`,
    replace: `const credited = 0`,
    test: PROVIDER,
    named: 'takes the customer’s credit first',
  },
  {
    promise: 'what a change costs is recorded with it',
    file: 'src/licensing/ending.ts',
    find: `if (type === 'SubscriptionChanged') await settleChanged(unit, before!, after, data.settlement)`,
    replace: `void [settleChanged, before, after, data]`,
    test: PAYMENTS,
    named: 'is owed at once',
  },
  {
    promise: 'a notice that the provider has not signed is refused',
    file: STRIPE,
    find: `    const { id, type, data } = stripe.webhooks.constructEvent(`,
    replace: `    const { id, type, data } = ((text: Buffer, ..._signed: unknown[]) => JSON.parse(String(text)))(`,
    test: PROVIDER,
    named: '400 for what the provider has not signed',
  },
  {
    promise: 'a notice counts once',
    file: EVENTS,
    find: `{ takes: ({ provider, notice }) => [{ scope: 'paymentNotice', key: \`\${provider}/\${notice}\` }] }`,
    replace: `{}`,
    test: PROVIDER,
    named: 'counts each notice once',
  },
  {
    promise: 'another sum than was asked for is not taken for the payment',
    file: COLLECTING,
    find: `const isSame = seen.amount === payment.amount &&`,
    replace: `const isSame = payment.amount >= 0 &&`,
    test: PROVIDER,
    named: 'refuses another sum',
  },
  {
    promise: 'an occurrence is charged for once',
    file: EVENTS,
    find: `  { takes: charged },`,
    replace: `  {},`,
    test: PROVIDER,
    named: 'charges nothing for one occurrence twice',
  },
  {
    promise: 'an attempt that is made twice is one charge',
    file: STRIPE,
    find: '`charge-${paymentId}-${attempt}`',
    replace: '`charge-${paymentId}-${attempt}-${process.hrtime.bigint()}`',
    test: PROVIDER,
    named: 'charges once, though the worker dies',
  },
  {
    promise: 'a charge is tried again on days 2, 7, 14 and 21',
    file: COLLECTING,
    find: `const RETRY_DAYS = [2, 7, 14, 21]`,
    replace: `const RETRY_DAYS = [2, 7, 14, 28]`,
    test: PROVIDER,
    named: 'tries again on days',
  },
  {
    promise: 'money that nothing can be had for goes back',
    file: COLLECTING,
    find: `if (!isWelcome(subscription, payment)) return giveBack(unit, payment)`,
    replace: `if (!isWelcome(subscription, payment)) return`,
    test: PROVIDER,
    named: 'paid after it has expired',
  },
  {
    promise: 'who cancelled for the end of the period is not charged for the next',
    file: BILLING,
    find: `if (status !== 'ACTIVE' || cancellation || scheduledChange) return`,
    replace: `if (status !== 'ACTIVE' || scheduledChange) return`,
    test: PROVIDER,
    named: 'is not charged for where it was cancelled',
  },
  {
    promise: 'a trial without a means of payment ends',
    file: BILLING,
    find: `if (amount === 0 || (await unit.look(billings, subscriptionId)))`,
    replace: `if (amount >= 0)`,
    test: PROVIDER,
    named: 'without a means of payment ends',
  },
  {
    promise: 'invoices outlive the customer',
    file: INVOICE_EVENTS,
    find: `  { sealedFor: ({ invoiceId }) => invoiceSubject(invoiceId) },`,
    replace: `  { sealedFor: ({ customerId }) => \`customer/\${customerId}\` },`,
    test: INVOICES,
    named: 'outlives the customer',
  },
  {
    promise: 'a refund asks for a fresh second factor',
    file: ROUTES,
    find: `      requireStepUp(caller, now)`,
    replace: ``,
    test: PAYMENTS,
    named: '403 without step-up',
  },
]
