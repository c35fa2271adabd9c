/** What is owed and what is given back, recorded in the same append as what it is for. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { DataOf } from '#kernel/events/event'
import { reject } from '#kernel/lib/rejection'
import { formatAmount } from '../../payments/money.ts'
import { billings } from '../../payments/billing/decider.ts'
import { credits } from '../../payments/credits/decider.ts'
import { payments } from '../../payments/decider.ts'
import type { Payment } from '../../payments/decider.ts'
import type { PaymentRequested } from '../../payments/events.ts'
import type { SubscriptionChanged } from '../../subscriptions/events.ts'

export interface PaymentLine {
  readonly label: string
  /** In minor units; below zero: taken off. */
  readonly amount: number
}

export interface PaymentRequest extends Pick<
  DataOf<typeof PaymentRequested>,
  'customerId' | 'subscriptionId' | 'purpose' | 'currency'
> {
  /** Their sum is what is owed; not below zero. */
  readonly lines: readonly PaymentLine[]
  /** What is charged for once; null: whenever it is asked. */
  readonly occurrence: string | null
  /** The plan that is tried without paying; absent: none is. */
  readonly trialOf?: string | null
  /** Where the customer pays himself; absent: by what the subscription is charged with, or else by invoice. */
  readonly checkoutAt?: string
}

/** Who has nothing to collect, because the customer's credit has paid for all of it, or it costs nothing. */
export const CREDIT_PROVIDER = 'credit'
export const MANUAL_PROVIDER = 'manual'
/** Less than that no card is charged (https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts). */
const CHARGE_MIN_BY_CURRENCY: Readonly<Record<string, number>> = {
  AED: 200,
  BGN: 100,
  CZK: 1_500,
  DKK: 250,
  GBP: 30,
  HKD: 400,
  HUF: 17_500,
  MXN: 1_000,
  MYR: 200,
  NOK: 300,
  PLN: 200,
  RON: 200,
  SEK: 300,
  THB: 1_000,
}
const chargeMin = (currency: string): number => CHARGE_MIN_BY_CURRENCY[currency] ?? 50

const sumOf = (lines: readonly PaymentLine[]): number => lines.reduce((sum, { amount }) => sum + amount, 0)

/**
 * The customer's credit pays first. What follows (charging, or an invoice) is left to reactions: what is too little to be charged goes
 * by invoice, so that no debt of cents is dunned.
 * @returns PAID where nothing was left to pay. @throws UniqueConstraintViolation from the unit where this occurrence was charged for already
 *   · Rejection 409 for what is too little to be paid at a checkout
 */
export async function requestPayment(
  unit: UnitOfWork,
  { lines, checkoutAt, trialOf = null, ...due }: PaymentRequest,
): Promise<Payment> {
  const { customerId, subscriptionId, currency } = due
  const paymentId = unit.newId()
  const total = sumOf(lines)
  const { balances } = await unit.load(credits, customerId)
  const spend = { customerId, paymentId, currency, amount: spendableCredit(total, balances[currency] ?? 0, currency) }
  const [spent] = await unit.decide(credits, customerId, 'SpendCredit', spend)
  const credited = spent?.data.amount ?? 0
  const amount = total - credited
  if (checkoutAt !== undefined) refuseTooLittle(amount, currency)
  const billing = await unit.look(billings, subscriptionId)
  const isCovered = amount === 0 && due.purpose !== 'TRIAL'
  await unit.decide(payments, paymentId, 'RequestPayment', {
    ...due,
    paymentId,
    lines: [...lines],
    amount,
    credited,
    provider: isCovered
      ? CREDIT_PROVIDER
      : (checkoutAt ?? (amount < chargeMin(currency) ? MANUAL_PROVIDER : (billing?.provider ?? MANUAL_PROVIDER))),
    atCheckout: checkoutAt !== undefined,
    trialOf,
  })
  if (isCovered) {
    const by = { provider: CREDIT_PROVIDER, providerRef: null, method: null, note: null }
    await unit.decide(payments, paymentId, 'SettlePayment', by)
  }
  return (await unit.load(payments, paymentId))!
}

/** Leaves enough to be charged, or nothing. */
function spendableCredit(total: number, balance: number, currency: string): number {
  const left = total - balance
  const min = chargeMin(currency)
  return left > 0 && left < min ? Math.max(0, total - min) : total
}

/** Nobody knows yet whether he pays invoices. */
function refuseTooLittle(amount: number, currency: string): void {
  const min = chargeMin(currency)
  if (amount > 0 && amount < min)
    reject(
      'conflict',
      `Less than ${formatAmount(min, currency)} cannot be paid online: ask the operator for an invoice`,
      'AMOUNT_TOO_SMALL',
    )
}

export interface CreditGrant {
  readonly customerId: string
  readonly subscriptionId: string | null
  readonly amount: number
  readonly currency: string
  readonly reason: string
}

/** @returns the id of the record. @throws Rejection 409 where that is more than can be counted */
export async function grantCredit(unit: UnitOfWork, grant: CreditGrant): Promise<string> {
  const paymentId = unit.newId()
  await unit.decide(credits, grant.customerId, 'GrantCredit', { ...grant, paymentId })
  return paymentId
}

type SettledChange = Pick<
  DataOf<typeof SubscriptionChanged>,
  'customerId' | 'subscriptionId' | 'settlement' | 'planSlug' | 'seats' | 'billingCycle'
>

/**
 * Records what a change of a subscription has come to: what is due now is requested, what is given back becomes credit, and what
 * is due with the next invoice is asked for with that.
 */
export async function recordChangeSettlement(
  unit: UnitOfWork,
  changed: SettledChange,
  occurrence: string,
): Promise<void> {
  const { customerId, subscriptionId, settlement, planSlug, seats, billingCycle } = changed
  const { amount, currency, due } = settlement
  const label = `${planSlug}, ${seats} ${seats === 1 ? 'seat' : 'seats'}, ${billingCycle.toLowerCase()}: change`
  if (amount < 0) await grantCredit(unit, { customerId, subscriptionId, amount: -amount, currency, reason: label })
  if (amount > 0 && due === 'now')
    await requestPayment(unit, {
      customerId,
      subscriptionId,
      purpose: 'CHANGE',
      currency,
      lines: [{ label, amount }],
      occurrence,
    })
}
