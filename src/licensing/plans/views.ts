import { z } from 'zod'
import { nameSchema } from '#kernel/lib/display-text'
import { planTerms, slug } from './events.ts'

export const name = nameSchema(100)

const inMinorUnits = { unit: 'minor' }

/** The terms, whose prices are amounts of money. Events describe them without it. */
export const shownTerms = {
  ...planTerms,
  priceMonthly: planTerms.priceMonthly.meta(inMinorUnits),
  priceYearly: planTerms.priceYearly.meta(inMinorUnits),
}

export const NewPlan = z.strictObject({
  slug,
  active: z.boolean().default(true),
  name,
  currency: planTerms.currency.default('EUR'),
  priceMonthly: shownTerms.priceMonthly
    .default(null)
    .describe('Without a price, the monthly cycle is not offered.')
    .meta({ examples: [490] }),
  priceYearly: shownTerms.priceYearly
    .default(null)
    .describe('Without a price, the yearly cycle is not offered.')
    .meta({ examples: [4_900] }),
  free: planTerms.free.default(false).describe('Costs nothing in either cycle. Cannot be combined with a price.'),
  public: planTerms.public.default(false).describe('Offered in the shop while the plan is active.'),
  trialDays: planTerms.trialDays.default(0),
  maxActivations: planTerms.maxActivations.default(1),
  maxSeats: planTerms.maxSeats.default(null),
  graceDays: planTerms.graceDays.default(14),
  offlineDays: planTerms.offlineDays.default(14),
  heartbeatSeconds: planTerms.heartbeatSeconds.default(14_400),
  reclaimStaleAfterDays: planTerms.reclaimStaleAfterDays.default(0),
  features: planTerms.features.default([]),
})
