/** Monthly recurring revenue, from prices as sold; yearly prices count a twelfth. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { priceIn } from '../plans/rules.ts'
import { planBySlug } from '../workflows/subscriptions/issue-license.ts'

const MONTHS = 12n

/** What a price depends on. */
interface SoldTerms {
  readonly planSlug: string
  readonly planVersion: number
  readonly billingCycle: 'MONTHLY' | 'YEARLY'
}

interface Price {
  readonly currency: string
  /** Of one seat, for twelve months, in minor units. */
  readonly yearly: bigint
}

/** @returns undefined for a version that no plan has */
export async function priceOf(
  unit: UnitOfWork,
  { planSlug, planVersion, billingCycle }: SoldTerms,
): Promise<Price | undefined> {
  const version = (await planBySlug(unit, planSlug))?.versions[planVersion]
  if (!version) return undefined
  const one = BigInt(priceIn(version, billingCycle) ?? 0)
  return { currency: version.currency, yearly: one * (billingCycle === 'YEARLY' ? 1n : MONTHS) }
}

interface Priced {
  readonly price: Price | undefined
  readonly subscriptions?: number
  readonly seats: number
}

export function recurringByCurrency(sold: readonly Priced[]) {
  const byCurrency = Map.groupBy(sold, ({ price }) => price?.currency ?? '')
  byCurrency.delete('')
  return [...byCurrency]
    .map(([currency, all]) => ({
      currency,
      amount: Number(all.reduce((sum, { price, seats }) => sum + price!.yearly * BigInt(seats), 0n) / MONTHS),
      subscriptions: all.reduce((sum, { subscriptions = 0 }) => sum + subscriptions, 0),
      seats: all.reduce((sum, { seats }) => sum + seats, 0),
    }))
    .toSorted((one, other) => (one.currency < other.currency ? -1 : 1))
}
