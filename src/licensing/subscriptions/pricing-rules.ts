/**
 * The price of a subscription: the price of its plan in the version sold, times its seats, for one
 * cycle. A period of another length costs its share: each whole calendar cycle in it counts once,
 * the rest in proportion. A sale in a cycle without a price costs nothing here: its price was
 * agreed elsewhere. Amounts are whole minor units of one currency.
 *
 * A change within a period is settled to the millisecond. The charges of the period so far are
 * compared with its cost when every price counts for the time that it applied. Only that sum is
 * rounded, half to even. After any number of changes a period therefore costs its exact value, and
 * changing back and forth gains nothing.
 */
import type { DataOf } from '#kernel/events/event'
import { reject } from '#kernel/lib/rejection'
import { priceIn } from '../plans/rules.ts'
import type { Plan } from '../plans/rules.ts'
import type { SubscriptionChanged } from './events.ts'
import { cycleAfter } from './term-rules.ts'
import type { Subscription, SubscriptionTerms } from './term-rules.ts'

export interface Price {
  /** ISO 4217. */
  readonly currency: string
  /** In minor units, for one period. */
  readonly amount: number
}

type PricedTerms = Pick<SubscriptionTerms, 'planVersion' | 'billingCycle' | 'seats'>

/** The settlement of a change within a period. */
export type Settlement = DataOf<typeof SubscriptionChanged>['settlement']

type Line = Settlement['lines'][number]

/** 10,000,000,000 main units: above any price, and well below the limit of exact integers. */
const AMOUNT_MAX = 1_000_000_000_000

/** @throws Rejection 400 if the price is too large to count exactly */
export function priceOf(plan: Plan, { planVersion, billingCycle, seats }: PricedTerms): Price {
  const version = plan.versions[planVersion]!
  const one = priceIn(version, billingCycle) ?? 0
  return { currency: version.currency, amount: toAmount(BigInt(one) * BigInt(seats)) }
}

export interface SettlementInput {
  readonly subscription: Subscription
  readonly terms: SubscriptionTerms
  /** The present plan and the next one, often the same. */
  readonly present: Plan
  readonly next: Plan
  readonly proration: Settlement['proration']
  /**
   * `within` the present period; a new period that starts `now`; or a `following` period at the end
   * of the present one.
   */
  readonly period: 'within' | 'now' | 'following'
  /** When the new price begins. */
  readonly from: Date
}

/**
 * A trial has no payments, so nothing is settled.
 * @throws Rejection 400 if the currency changes before the period ends
 */
export function settlementOf(changing: SettlementInput): Settlement {
  const { subscription, terms, present, next, proration, period } = changing
  const price = priceOf(next, terms)
  const sold = priceOf(present, subscription)
  const isTrial = subscription.status === 'TRIALING'
  if (price.currency !== sold.currency && period !== 'following' && !isTrial) refuseCurrency(price, sold)
  const ledger = ledgerAt(subscription, sold.amount, changing.from)
  const lines = isTrial ? [] : linesOf(changing, price.amount, ledger)
  const isFree = proration === 'none' && period === 'within' && !isTrial
  const total = toAmount(lines.reduce((sum, line) => sum + BigInt(line.amount), 0n))
  return {
    proration,
    currency: price.currency,
    before: ledger.price,
    after: isFree ? ledger.price : price.amount,
    from: ledger.from,
    total,
    lines,
    ...duesOf(changing, total),
  }
}

/** The amount carried to the next invoice is offset first, so that nothing unpaid is credited. */
function duesOf(
  { subscription, proration, period }: SettlementInput,
  total: number,
): Pick<Settlement, 'amount' | 'due' | 'carried'> {
  const carried = carriedOver(subscription)
  if (period !== 'within') return { amount: total, due: 'now', carried: 0 }
  if (total > 0)
    return proration === 'prorate'
      ? { amount: total, due: 'next_invoice', carried: toAmount(BigInt(carried) + BigInt(total)) }
      : { amount: total, due: 'now', carried }
  const setOff = Math.min(carried, -total)
  return { amount: total + setOff, due: 'now', carried: carried - setOff }
}

function linesOf({ subscription, terms, proration, period }: SettlementInput, price: number, ledger: Ledger): Line[] {
  const whole = [
    { label: 'Changes of the period before', amount: carriedOver(subscription) },
    { label: `A new period: ${termsLabel(terms)}`, amount: price },
  ]
  if (period === 'following') return withoutZeroLines(whole)
  if (proration === 'none') return withoutZeroLines(period === 'now' ? whole : [])
  const unused = `Unused time: ${termsLabel(subscription)}`
  const used = ledger.worth(ledger.usedMs)
  if (period === 'now') return withoutZeroLines([{ label: unused, amount: toAmount(used - ledger.paid) }, ...whole])
  if (price === ledger.price) return []
  const rest = -ledger.worth(BigInt(ledger.price) * ledger.restMs)
  const due = ledger.worth(ledger.usedMs + BigInt(price) * ledger.restMs) - ledger.paid
  return withoutZeroLines([
    { label: unused, amount: toAmount(rest) },
    { label: `Remaining time: ${termsLabel(terms)}`, amount: toAmount(due - rest) },
  ])
}

const withoutZeroLines = (lines: readonly Line[]): Line[] => lines.filter(({ amount }) => amount !== 0)

const termsLabel = ({ planSlug, seats, billingCycle }: SubscriptionTerms): string =>
  `${planSlug}, ${seats} ${seats === 1 ? 'seat' : 'seats'}, ${billingCycle.toLowerCase()}`

interface Ledger {
  /** The bill of a whole cycle, as of the last known change of the present period. */
  readonly price: number
  readonly from: string
  /** The sum of prices times the milliseconds for which each applied. */
  worth(priceMs: bigint): bigint
  readonly restMs: bigint
  /** Price times milliseconds, up to `from`. */
  readonly usedMs: bigint
  /** The charges of the period so far, paid or carried to the next invoice. */
  readonly paid: bigint
}

/**
 * How the present period was billed until a given time. A time before the last change or outside
 * the period counts as the nearest valid one.
 */
function ledgerAt({ billed, ...subscription }: Subscription, sold: number, at: Date): Ledger {
  const start = Date.parse(subscription.currentPeriodStart)
  const end = Math.max(Date.parse(subscription.currentPeriodEnd), start)
  const cycles = cyclesIn(new Date(start), end - start, subscription.billingCycle)
  const worth = (priceMs: bigint) => halfEven(priceMs * cycles.number, cycles.ms)
  const changes = billed.map(({ from, after }) => ({ since: Date.parse(from), price: after }))
  const prices = [{ since: start, price: billed[0]?.before ?? sold }, ...changes]
  const from = Math.min(Math.max(at.getTime(), prices.at(-1)!.since), end)
  const lasting = prices.map(
    ({ since, price }, nth) => BigInt(price) * BigInt((prices[nth + 1]?.since ?? from) - since),
  )
  const first = worth(BigInt(prices[0]!.price) * BigInt(end - start))
  return {
    price: prices.at(-1)!.price,
    from: new Date(from).toISOString(),
    worth,
    restMs: BigInt(end - from),
    usedMs: lasting.reduce((sum, each) => sum + each, 0n),
    paid: billed.reduce((sum, { total }) => sum + BigInt(total), first),
  }
}

/**
 * The number of cycles in a number of milliseconds, as a fraction: `number` / `ms` is the share of
 * a cycle in one millisecond of the period. A year billed monthly has twelve cycles, in whichever
 * month it begins.
 */
function cyclesIn(
  start: Date,
  lengthMs: number,
  cycle: SubscriptionTerms['billingCycle'],
): { number: bigint; ms: bigint } {
  const at = (count: number) => cycleAfter(start, cycle, count).getTime() - start.getTime()
  let whole = 0
  while (at(whole + 1) <= lengthMs) whole += 1
  const nextMs = BigInt(at(whole + 1) - at(whole))
  // A period of zero length costs nothing in any cycle.
  if (lengthMs === 0) return { number: 1n, ms: nextMs }
  return { number: BigInt(whole) * nextMs + BigInt(lengthMs - at(whole)), ms: BigInt(lengthMs) * nextMs }
}

/** The amount that changes of the present period carry to the next invoice. */
export const carriedOver = ({ billed }: Pick<Subscription, 'billed'>): number => billed.at(-1)?.carried ?? 0

function refuseCurrency(price: Price, sold: Price): never {
  return reject(
    'invalid',
    `The plan is sold in ${price.currency}, the subscription in ${sold.currency}: change it at the end of the period`,
    'CURRENCY_DIFFERS',
  )
}

export function toAmount(amount: bigint): number {
  const number = Number(amount)
  return Math.abs(number) <= AMOUNT_MAX
    ? number
    : reject('invalid', 'The price is too large: reduce the seats or the price of the plan', 'PRICE_TOO_LARGE')
}

/**
 * The nearest whole number; a tie goes to the even one.
 * @param denominator above zero
 */
export function halfEven(numerator: bigint, denominator: bigint): bigint {
  const magnitude = numerator < 0n ? -numerator : numerator
  const whole = magnitude / denominator
  const twice = (magnitude % denominator) * 2n
  const rounded = twice > denominator || (twice === denominator && whole % 2n === 1n) ? whole + 1n : whole
  return numerator < 0n ? -rounded : rounded
}
