/**
 * What a subscription costs: the price of its plan in the version that was sold, times its seats, for one cycle. A period of another
 * length costs its share: each whole cycle that it holds by the calendar once, and the rest in proportion. What was sold in a cycle
 * that has no price costs nothing here: somebody has agreed elsewhere what it costs. Whole minor units of one currency.
 *
 * A change in the middle of a period is settled to the millisecond: what was charged for the period so far is compared with
 * what the period costs when every price counts for as long as it held. That sum is rounded once, half a unit to the even one.
 * So after any number of changes a period has cost what it is worth, to the unit, and nothing is gained by changing back and forth.
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

/** What a change in the middle of a period comes to. */
export type Settlement = DataOf<typeof SubscriptionChanged>['settlement']

type Line = Settlement['lines'][number]

/** Ten thousand million of the main unit: beyond any price, and far from where numbers stop being exact. */
const AMOUNT_MAX = 1_000_000_000_000

/** @throws Rejection 400 where that is more than can be counted exactly */
export function priceOf(plan: Plan, { planVersion, billingCycle, seats }: PricedTerms): Price {
  const version = plan.versions[planVersion]!
  const one = priceIn(version, billingCycle) ?? 0
  return { currency: version.currency, amount: toAmount(BigInt(one) * BigInt(seats)) }
}

export interface SettlementInput {
  readonly subscription: Subscription
  readonly terms: SubscriptionTerms
  /** The plan that it has, and the one that it gets: often the same. */
  readonly present: Plan
  readonly next: Plan
  readonly proration: Settlement['proration']
  /** `within` the present period, a new one that begins `now`, or one that follows on the end of the present one. */
  readonly period: 'within' | 'now' | 'following'
  /** From when on the new price counts. */
  readonly from: Date
}

/**
 * During a trial nothing was paid, so nothing is settled.
 * @throws Rejection 400 where the currency is another one and the period is not over
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

/** What was left for the next invoice is set off first: nobody is credited what he has not paid. */
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
  /** What a whole cycle is billed as at the end of what is known, as far as the present period is concerned. */
  readonly price: number
  readonly from: string
  /** What prices, each times the milliseconds that it held, come to. */
  worth(priceMs: bigint): bigint
  readonly restMs: bigint
  /** Price times milliseconds, up to `from`. */
  readonly usedMs: bigint
  /** What the period has come to so far, paid or left for the next invoice. */
  readonly paid: bigint
}

/** How the present period was billed until a moment; one before the last change, or outside the period, counts as its nearest. */
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
 * How many cycles lie in so many milliseconds, as a fraction: `number` / `ms` is how much of a cycle one millisecond of the period is.
 * A year that is billed by the month is twelve of them, whichever month it begins in.
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
  // A period without any length is worth nothing, whatever its cycle.
  if (lengthMs === 0) return { number: 1n, ms: nextMs }
  return { number: BigInt(whole) * nextMs + BigInt(lengthMs - at(whole)), ms: BigInt(lengthMs) * nextMs }
}

/** What changes of the present period have left for the next invoice. */
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
  return Math.abs(number) <= AMOUNT_MAX ? number : reject('invalid', 'The price is too large', 'PRICE_TOO_LARGE')
}

/** The nearest whole number, and of two that are as near, the even one. @param denominator above zero */
export function halfEven(numerator: bigint, denominator: bigint): bigint {
  const magnitude = numerator < 0n ? -numerator : numerator
  const whole = magnitude / denominator
  const twice = (magnitude % denominator) * 2n
  const rounded = twice > denominator || (twice === denominator && whole % 2n === 1n) ? whole + 1n : whole
  return numerator < 0n ? -rounded : rounded
}
