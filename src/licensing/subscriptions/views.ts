import { z } from 'zod'
import { recordVersion } from '#kernel/http/record-version'
import type { ReadDatabase } from '#kernel/projections/read-database'
import type { Vault } from '#kernel/vault/vault'
import { subscriptionTable, subscriptionsAt } from '#projections/licensing/subscriptions'
import { BILLING_CYCLES } from '../licenses/events.ts'
import { minorUnits } from '../payments/events.ts'
import { subscriptions } from './decider.ts'
import { PRORATIONS, SUBSCRIPTION_STATUSES } from './events.ts'
import { unrevokedLicense } from './license-rules.ts'
import type { Subscription as SubscriptionState } from './term-rules.ts'

const instant = z.iso.datetime()

const ScheduledChange = z
  .object({
    planSlug: z.string().optional(),
    /** The plan version whose price a preview promised. */
    planVersion: z.int().optional(),
    seats: z.int().optional(),
    billingCycle: z.enum(BILLING_CYCLES).optional(),
    proration: z.enum(PRORATIONS),
    effectiveAt: instant,
  })
  .meta({ id: 'ScheduledChange' })

export const Subscription = z
  .object({
    id: z.uuid(),
    customerId: z.uuid(),
    planSlug: z.string(),
    planVersion: z.int(),
    status: z.enum(SUBSCRIPTION_STATUSES),
    seats: z.int(),
    billingCycle: z.enum(BILLING_CYCLES),
    currentPeriodStart: instant,
    currentPeriodEnd: instant,
    trialEndsAt: instant.nullable(),
    cancelAtPeriodEnd: z.boolean(),
    cancelledAt: instant.nullable(),
    maxActivations: z.int(),
    reference: z.string().nullable(),
    scheduledChange: ScheduledChange.nullable(),
    /** The license that is not revoked. */
    licenseId: z.uuid().nullable(),
  })
  .meta({ id: 'Subscription' })

const Offer = z
  .object({
    planSlug: z.string(),
    planVersion: z.int(),
    seats: z.int(),
    billingCycle: z.enum(BILLING_CYCLES),
    maxActivations: z.int(),
    currency: z.string(),
    /** For one billing cycle. */
    price: minorUnits,
    currentPeriodEnd: instant,
  })
  .meta({ id: 'SubscriptionOffer' })

export const Preview = z
  .object({
    current: Offer,
    next: Offer,
    /** The parts of dueNow, creditAmount or the surplus of nextInvoice. */
    lines: z.array(z.object({ label: z.string(), amount: minorUnits })),
    creditAmount: minorUnits,
    dueNow: minorUnits,
    nextInvoice: z.object({ date: instant, amount: minorUnits }),
    license: z.object({
      willReissue: z.boolean(),
      /** Machines that would lose their slot. */
      slotsOverBy: z.int(),
    }),
    effectiveAt: instant,
    previewToken: z.string(),
  })
  .meta({ id: 'SubscriptionPreview' })

/** All subscriptions of a customer, oldest first. */
export async function subscriptionsOf(
  { read, vault, now }: { read: ReadDatabase; vault: Vault; now: Date },
  customerId: string,
): Promise<z.output<typeof Subscription>[]> {
  const all = subscriptionsAt(read, now).where('customerId', '=', customerId)
  const rows = await all.orderBy('createdAt').orderBy('id').execute()
  return await subscriptionTable.open(vault, rows)
}

/** The reply at a given time, from the state after a decision. */
export function toSubscriptionReply(subscription: SubscriptionState, at: Date): z.input<typeof Subscription> {
  const { status, cancellation, cancelledAt } = subscription
  const hasEnded = cancellation !== null && Date.parse(cancellation.endsAt) <= at.getTime()
  return {
    ...subscription,
    status: hasEnded ? 'CANCELLED' : status,
    cancelAtPeriodEnd: cancellation !== null && !hasEnded,
    cancelledAt: hasEnded ? cancellation.endsAt : cancelledAt,
    licenseId: unrevokedLicense(subscription)?.id ?? null,
  }
}

/** Of the terms, and of what ends them. Licenses and payments are records of their own. */
export const subscriptionVersion = recordVersion(
  Subscription.pick({
    planSlug: true,
    planVersion: true,
    seats: true,
    billingCycle: true,
    status: true,
    currentPeriodEnd: true,
    cancelAtPeriodEnd: true,
    cancelledAt: true,
    scheduledChange: true,
  }),
  async (unit, { params }) => {
    const subscription = await unit.look(subscriptions, params['id'])
    return subscription && toSubscriptionReply(subscription, unit.at)
  },
)
