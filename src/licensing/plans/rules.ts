import type { z } from 'zod'
import type { BILLING_CYCLES } from '../licenses/events.ts'
import type { planTerms } from './events.ts'

export type PlanTerms = { [Term in keyof typeof planTerms]: z.output<(typeof planTerms)[Term]> }

/** Edits of these make a new version; live subscriptions keep the one they were sold. */
export const VERSIONED = ['currency', 'priceMonthly', 'priceYearly', 'free', 'features'] as const

export type PlanVersion = Pick<PlanTerms, (typeof VERSIONED)[number]>

export interface Plan extends PlanTerms {
  readonly id: string
  readonly slug: string
  readonly active: boolean
  readonly version: number
  /** By number, the present one included: what was sold is billed as it was sold. */
  readonly versions: Readonly<Record<number, PlanVersion>>
  readonly createdAt: string
}

/** What a version costs for one seat and one cycle, in minor units: 0 where it is free, null where that cycle is not offered. */
export function priceIn(
  { free, priceMonthly, priceYearly }: Pick<PlanVersion, 'free' | 'priceMonthly' | 'priceYearly'>,
  cycle: (typeof BILLING_CYCLES)[number],
): number | null {
  if (free) return 0
  return cycle === 'MONTHLY' ? priceMonthly : priceYearly
}
