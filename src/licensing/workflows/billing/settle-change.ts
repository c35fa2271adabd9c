/** Records the payments and credits of a decision about a subscription, in the same append. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { reject } from '#kernel/lib/rejection'
import { isOpen, hasReturnedMoney, payments } from '../../payments/decider.ts'
import type { Payment } from '../../payments/decider.ts'
import type { Settlement } from '../../subscriptions/pricing-rules.ts'
import { carriedOver } from '../../subscriptions/pricing-rules.ts'
import type { Subscription } from '../../subscriptions/term-rules.ts'
import { requestPayment, recordChangeSettlement } from './request-payment.ts'

/** Charges of a period are identified by the number of its changes: 0 is its first charge. */
const changeOccurrence = ({ currentPeriodStart }: Subscription, change: number): string =>
  `change/${currentPeriodStart}/${change}`
const carriedOccurrence = (subscription: Subscription): string =>
  `${changeOccurrence(subscription, subscription.billed.length)}/carried`

/**
 * The cost of a change is requested, and its savings become credit.
 * @throws Rejection as refuseUnpaidCredit does
 */
export async function settleSubscriptionChange(
  unit: UnitOfWork,
  before: Subscription,
  after: Subscription,
  settlement: Settlement,
) {
  await refuseUnpaidCredit(unit, before, settlement)
  await recordChangeSettlement(
    unit,
    { ...after, subscriptionId: after.id, settlement },
    changeOccurrence(after, after.billed.length),
  )
}

/** Requests the amount carried to the next invoice, if none will be issued. */
export async function requestCarriedAmount(unit: UnitOfWork, before: Subscription): Promise<void> {
  const { id: subscriptionId, customerId, billed } = before
  const amount = carriedOver(before)
  if (amount === 0) return
  await requestPayment(unit, {
    customerId,
    subscriptionId,
    purpose: 'CHANGE',
    currency: billed.at(-1)!.currency,
    lines: [{ label: 'Changes of the period', amount }],
    occurrence: carriedOccurrence(before),
  })
}

/**
 * Refuses credit for unpaid charges: debts end with the subscription, but the credit would remain.
 * @throws Rejection 409
 */
export async function refuseUnpaidCredit(
  unit: UnitOfWork,
  before: Subscription,
  { amount }: Pick<Settlement, 'amount'>,
) {
  if (amount >= 0) return
  const changes = Array.from({ length: before.billed.length + 1 }, (_none, change) => changeOccurrence(before, change))
  const charges = [await openingOf(unit, before)]
  for (const occurrence of changes.flatMap((each) => [each, `${each}/carried`]))
    charges.push(await chargeOf(unit, before, occurrence))
  if (charges.some((payment) => payment && isOpen(payment)))
    reject('conflict', 'A charge is outstanding: settle it first, or change without proration', 'PAYMENT_OUTSTANDING')
  if (charges.some((payment) => payment && hasReturnedMoney(payment)))
    reject(
      'conflict',
      'Money of this period was refunded or is disputed: change without proration, or at the end of the period',
      'PAYMENT_RETURNED',
    )
}

/**
 * A period that was not charged here was paid elsewhere, if at all, so a customer's change does not
 * credit it.
 * @throws Rejection 409
 */
export async function refuseForeignCredit(
  unit: UnitOfWork,
  before: Subscription,
  { amount }: Pick<Settlement, 'amount'>,
) {
  if (amount >= 0 || (await openingOf(unit, before))) return
  reject(
    'conflict',
    'This period was not paid in the shop, so it gives no credit: ask the seller, or change at the end of the period',
    'PERIOD_NOT_PAID_HERE',
  )
}

/** The payment that opened the present period; undefined if it was not requested here. */
async function openingOf(unit: UnitOfWork, before: Subscription): Promise<Payment | undefined> {
  const { currentPeriodStart, trialEndsAt } = before
  const renewed = await chargeOf(unit, before, `period/${currentPeriodStart}`)
  return renewed ?? (await chargeOf(unit, before, `trial/${trialEndsAt}`)) ?? chargeOf(unit, before, 'FIRST')
}

async function chargeOf(unit: UnitOfWork, { id }: Subscription, occurrence: string): Promise<Payment | undefined> {
  const paymentId = await unit.holderOf('charge', `${id}/${occurrence}`)
  return paymentId === undefined ? undefined : unit.look(payments, paymentId)
}
