/** Requests payments and credits, in the same append as their cause. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { DataOf } from '#kernel/events/event'
import { reject } from '#kernel/lib/rejection'
import { billings } from '../../payments/billing/decider.ts'
import { credits } from '../../payments/credits/decider.ts'
import { payments } from '../../payments/decider.ts'
import type { Payment } from '../../payments/decider.ts'
import type { PaymentRequested } from '../../payments/events.ts'
import { formatAmount } from '../../payments/money.ts'
import type { SubscriptionChanged } from '../../subscriptions/events.ts'

export interface PaymentLine {
  readonly label: string
  /** In minor units; negative: a deduction. */
  readonly amount: number
}

export interface PaymentRequest extends Pick<
  DataOf<typeof PaymentRequested>,
  'customerId' | 'subscriptionId' | 'purpose' | 'currency'
> {
  /** Their sum is the amount owed; not negative. */
  readonly lines: readonly PaymentLine[]
  /** A charge that may happen only once; null: repeatable. */
  readonly occurrence: string | null
  /** The plan of a trial without payment; absent: no trial. */
  readonly trialOf?: string | null
  /**
   * The page where the customer pays; absent: the stored means of payment is charged, or an invoice
   * is sent.
   */
  readonly checkoutAt?: string
}

/** The provider of payments without collection: the customer's credit covers them, or they cost nothing. */
export const CREDIT_PROVIDER = 'credit'
export const MANUAL_PROVIDER = 'manual'
/** The smallest charge of a card (https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts). */
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
 * Uses the customer's credit first. Reactions charge the rest or send an invoice; an amount too
 * small for a charge is invoiced.
 * @returns PAID if nothing is left to pay.
 * @throws UniqueConstraintViolation from the unit if this occurrence was already charged ·
 * Rejection 409 for an amount too small for a checkout
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

/** Leaves an amount that can be charged, or nothing. */
function spendableCredit(total: number, balance: number, currency: string): number {
  const left = total - balance
  const min = chargeMin(currency)
  return left > 0 && left < min ? Math.max(0, total - min) : total
}

/** First purchases cannot be invoiced. */
function refuseTooLittle(amount: number, currency: string): void {
  const min = chargeMin(currency)
  if (amount > 0 && amount < min)
    reject(
      'conflict',
      `Amounts below ${formatAmount(min, currency)} cannot be paid online: ask the operator for an invoice`,
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

/**
 * @returns the id of the record.
 * @throws Rejection 409 if the balance would exceed the maximum
 */
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
 * Records the settlement of a change: what is due now is requested, a refund becomes credit, and
 * the rest is added to the next invoice.
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
