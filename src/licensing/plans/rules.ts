import type { z } from 'zod'
import type { BILLING_CYCLES } from '../licenses/events.ts'
import type { planTerms } from './events.ts'

export type PlanTerms = { [Term in keyof typeof planTerms]: z.output<(typeof planTerms)[Term]> }

/** A change of these terms makes a new version; existing subscriptions keep their version. */
export const VERSIONED = ['currency', 'priceMonthly', 'priceYearly', 'free', 'features'] as const

export type PlanVersion = Pick<PlanTerms, (typeof VERSIONED)[number]>

export interface Plan extends PlanTerms {
  readonly id: string
  readonly slug: string
  readonly active: boolean
  readonly version: number
  /** By version number, the present one included: subscriptions are billed by the version that was sold. */
  readonly versions: Readonly<Record<number, PlanVersion>>
  readonly createdAt: string
}

/**
 * The price of a version for one seat and one cycle, in minor units: 0 if it is free, null if the
 * cycle is not offered.
 */
export function priceIn(
  { free, priceMonthly, priceYearly }: Pick<PlanVersion, 'free' | 'priceMonthly' | 'priceYearly'>,
  cycle: (typeof BILLING_CYCLES)[number],
): number | null {
  if (free) return 0
  return cycle === 'MONTHLY' ? priceMonthly : priceYearly
}
