/** A plan is what a customer subscribes to: its price, its caps and the terms of its licenses. */
import { z } from 'zod'
import { event, stream } from '#kernel/events/event'
import type { JsonObject } from '#kernel/events/event'
import { featureKey } from '../features/events.ts'

const DAYS_MAX = 3_650
const days = z.int().min(0).max(DAYS_MAX)
const instant = z.iso.datetime({ offset: true })

export const slug = z
  .string()
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be lower-case letters, digits and single dashes')
  .max(64)

export const planFeature = z.strictObject({
  key: featureKey,
  value: z.union([z.boolean(), z.int(), z.string().max(200)]),
  validFrom: instant.optional(),
  validTo: instant.optional(),
})

const price = z
  .int()
  .min(1, 'must be above 0: set free for a plan without cost, null for a cycle that is not offered')
  .nullable()

/**
 * Terms that can change. Prices are in minor units; heartbeatSeconds, graceDays and offlineDays
 * become claims of the license.
 */
export const planTerms = {
  name: z.string().trim().min(1).max(100),
  currency: z.string().regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code'),
  /** For one seat and one cycle. null: the cycle is not offered, or the plan is free. */
  priceMonthly: price,
  priceYearly: price,
  /** Costs nothing in either cycle; the prices are null then. */
  free: z.boolean(),
  /** Whether the shop offers the plan while it is active. */
  public: z.boolean(),
  trialDays: days,
  maxActivations: z.int().min(1).max(1_000_000),
  /** null: no limit. */
  maxSeats: z.int().min(1).nullable(),
  graceDays: days,
  offlineDays: z.int().min(1).max(DAYS_MAX),
  heartbeatSeconds: z.int().min(60).max(604_800),
  /** 0: never. */
  reclaimStaleAfterDays: days,
  features: z
    .array(planFeature)
    .max(200)
    .refine((all) => new Set(all.map(({ key }) => key)).size === all.length, 'must not name a key twice'),
}

/** Version 1 wrote 0 for an absent price. In it, only a plan without any price was free. */
const upcastPrice = (price: unknown): unknown => (price === 0 ? null : price)

/** In version 1 the shop offered every active plan. */
function upcastPlanCreated({ priceMonthly, priceYearly, ...plan }: JsonObject): JsonObject {
  const prices = { priceMonthly: upcastPrice(priceMonthly), priceYearly: upcastPrice(priceYearly) }
  return { ...plan, ...prices, free: priceMonthly === 0 && priceYearly === 0, public: true } as JsonObject
}

/** A single price of 0 does not mean free: the cycle is not offered any more. */
function upcastPlanChanged({ changes, ...change }: JsonObject): JsonObject {
  const named = Object.entries(changes as JsonObject)
  const prices = named.flatMap(([term, value]) => (term.startsWith('price') ? [value] : []))
  const repriced = named.map(([term, value]) => [term, term.startsWith('price') ? upcastPrice(value) : value])
  const free = prices.some((price) => price !== 0) ? { free: false } : prices.length === 2 ? { free: true } : {}
  return { ...change, changes: { ...Object.fromEntries(repriced), ...free } }
}

export const PlanCreated = event(
  'PlanCreated',
  'planId',
  { planId: z.uuid(), slug, active: z.boolean(), ...planTerms },
  ({ planId, slug }) => `created plan ${planId} (${slug})`,
  { takes: ({ slug }) => [{ scope: 'planSlug', key: slug }], upcasters: [upcastPlanCreated] },
)

export const PlanChanged = event(
  'PlanChanged',
  'planId',
  { planId: z.uuid(), version: z.int(), changes: z.strictObject(planTerms).partial() },
  ({ planId, changes }) => `changed ${Object.keys(changes).join(', ')} of plan ${planId}`,
  { upcasters: [upcastPlanChanged] },
)

export const PlanActivated = event(
  'PlanActivated',
  'planId',
  { planId: z.uuid() },
  ({ planId }) => `activated plan ${planId}`,
)

export const PlanDeactivated = event(
  'PlanDeactivated',
  'planId',
  { planId: z.uuid() },
  ({ planId }) => `deactivated plan ${planId}`,
  { strict: true },
)

/** One stream per plan: no rule spans two plans, and the slug is a unique constraint. */
export const planEvents = stream('plan', [PlanCreated, PlanChanged, PlanActivated, PlanDeactivated])
