/** A subscription is what a customer has of a plan: seats, a period, and the license that follows from them. */
import { z } from 'zod'
import { event, internal, sealed, stream } from '#kernel/event'
import { customerSubject } from '../customers/events.ts'
import { BILLING_CYCLES, features, LicenseIssued, LicenseRevoked } from '../licenses/events.ts'

const instant = z.iso.datetime()

export const SUBSCRIPTION_STATUSES = [
  'INCOMPLETE',
  'TRIALING',
  'ACTIVE',
  'PAST_DUE',
  'UNPAID',
  'PAUSED',
  'CANCELLED',
  'EXPIRED',
] as const
export const SubscriptionCreated = event(
  'SubscriptionCreated',
  'subscriptionId',
  {
    subscriptionId: z.uuid(),
    customerId: z.uuid(),
    reference: sealed(z.string().nullable()),
    /** HMAC of the reference, which its owner may have filled with a name. */
    referenceKey: internal(z.string().nullable()),
    /** Hash of the provisioning request, by which a replay tells whether it asks the same again. */
    requestHash: internal(z.string().nullable()),
    planSlug: z.string(),
    planVersion: z.int(),
    /** The plan's at this version: later versions change nothing for what was sold. */
    features,
    status: z.enum(['ACTIVE', 'TRIALING']),
    seats: z.int(),
    billingCycle: z.enum(BILLING_CYCLES),
    currentPeriodStart: instant,
    currentPeriodEnd: instant,
    trialEndsAt: instant.nullable(),
    maxActivations: z.int(),
  },
  ({ subscriptionId, customerId, planSlug }) =>
    `created subscription ${subscriptionId} of customer ${customerId} to plan ${planSlug}`,
  {
    sealedFor: ({ customerId }) => customerSubject(customerId),
    takes: ({ referenceKey }) => (referenceKey === null ? [] : [{ scope: 'reference', key: referenceKey }]),
  },
)

/** At once and for good. The reason is kept in clear, so it names nobody. */
export const SubscriptionCancelled = event(
  'SubscriptionCancelled',
  'subscriptionId',
  { subscriptionId: z.uuid(), customerId: z.uuid(), reason: z.string() },
  ({ subscriptionId, reason }) => `cancelled subscription ${subscriptionId} (${reason})`,
  { strict: true },
)

/** One stream a subscription, its licenses inside: at most one of them is active, and their cap is never lowered. */
export const subscriptionEvents = stream('subscription', [
  SubscriptionCreated,
  SubscriptionCancelled,
  LicenseIssued,
  LicenseRevoked,
])
