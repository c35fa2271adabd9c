/** The money that a decision about a subscription moves, in the same append. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { reject } from '#kernel/lib/rejection'
import { requestPayment, recordChangeSettlement } from './request-payment.ts'
import { isOpen, hasReturnedMoney, payments } from '../../payments/decider.ts'
import type { Payment } from '../../payments/decider.ts'
import type { Settlement } from '../../subscriptions/pricing-rules.ts'
import { carriedOver } from '../../subscriptions/pricing-rules.ts'
import type { Subscription } from '../../subscriptions/term-rules.ts'

/** Charges of a period are told by the number of its changes: 0 opened it. */
const changeOccurrence = ({ currentPeriodStart }: Subscription, change: number): string =>
  `change/${currentPeriodStart}/${change}`
const carriedOccurrence = (subscription: Subscription): string =>
  `${changeOccurrence(subscription, subscription.billed.length)}/carried`

/** What a change costs is requested, and what it gives back becomes credit. @throws Rejection as refuseUnpaidCredit does */
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

/** What was left for the next invoice, where none will be written. */
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

/** Nobody is credited what he has not paid: debts are forgiven with the subscription, and the credit would stay. @throws Rejection 409 */
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
      'Money of this period was given back or is disputed: change without proration, or when it ends',
      'PAYMENT_RETURNED',
    )
}

/** A period that was not charged here was paid elsewhere, if at all: its money is not given to a customer who asks. @throws Rejection 409 */
export async function refuseForeignCredit(
  unit: UnitOfWork,
  before: Subscription,
  { amount }: Pick<Settlement, 'amount'>,
) {
  if (amount >= 0 || (await openingOf(unit, before))) return
  reject(
    'conflict',
    'This period was not paid in the shop, which credits nothing for it: ask the seller, or change when it ends',
    'PERIOD_NOT_PAID_HERE',
  )
}

/** What the present period was opened with; undefined where that was not asked for here. */
async function openingOf(unit: UnitOfWork, before: Subscription): Promise<Payment | undefined> {
  const { currentPeriodStart, trialEndsAt } = before
  const renewed = await chargeOf(unit, before, `period/${currentPeriodStart}`)
  return renewed ?? (await chargeOf(unit, before, `trial/${trialEndsAt}`)) ?? chargeOf(unit, before, 'FIRST')
}

async function chargeOf(unit: UnitOfWork, { id }: Subscription, occurrence: string): Promise<Payment | undefined> {
  const paymentId = await unit.holderOf('charge', `${id}/${occurrence}`)
  return paymentId === undefined ? undefined : unit.look(payments, paymentId)
}
