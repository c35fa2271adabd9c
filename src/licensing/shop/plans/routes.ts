import { z } from 'zod'
import { pagination, listReply } from '#kernel/http/pagination'
import { everyone, route } from '#kernel/http/route'
import { planTable } from '#projections/licensing/plans'
import { minorUnits } from '../../payments/events.ts'

const Feature = z.object({
  key: z.string(),
  value: z.union([z.boolean(), z.int(), z.string()]),
  validFrom: z.iso.datetime().optional(),
  validTo: z.iso.datetime().optional(),
})

/** Without fields that only the back office needs. */
const Offer = z
  .object({
    slug: z.string(),
    name: z.string(),
    currency: z.string(),
    /** For one seat. null: not offered monthly, or the plan is free. */
    priceMonthly: minorUnits.nullable(),
    priceYearly: minorUnits.nullable(),
    free: z.boolean(),
    trialDays: z.int(),
    maxActivations: z.int(),
    maxSeats: z.int().nullable(),
    features: z.array(Feature),
  })
  .meta({ id: 'ShopPlan' })

const offerList = pagination({ filters: {}, sort: ['createdAt'] })

export const shopPlanRoutes = [
  route('GET /api/shop/plans', {
    does: 'List the plans that can be bought: public and open ones, with their prices and features.',
    access: everyone,
    query: offerList.query,
    reply: listReply(Offer),
    handle: ({ read, query }) =>
      offerList.list(planTable.queryIn(read).selectAll().where('active', '=', true).where('public', '=', true), query),
  }),
]
