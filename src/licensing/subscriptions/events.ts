/** A subscription is what a customer has of a plan: seats, a period, and the license that follows from them. */
import { z } from 'zod'
import { event, internal, sealed, stream } from '#kernel/events/event'
import { customerSubject } from '../customers/events.ts'
import {
  BILLING_CYCLES,
  licenseFeatures,
  LicenseEnteredGrace,
  LicenseExpired,
  LicenseExtended,
  LicenseIssued,
  LicenseReissued,
  LicenseResigned,
  LicenseResumed,
  LicenseRevoked,
  LicenseSuspended,
} from '../licenses/events.ts'

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
    features: licenseFeatures,
    /** INCOMPLETE: bought in the shop and not paid yet. */
    status: z.enum(['ACTIVE', 'TRIALING', 'INCOMPLETE']),
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

const idFields = { subscriptionId: z.uuid(), customerId: z.uuid() }

/** The reason is kept in clear, so it names nobody; the comment is the customer's own words. */
const cancellationFields = { ...idFields, reason: z.string(), comment: sealed(z.string().nullable()) }
const sealedFor = ({ customerId }: { readonly customerId: string }): string => customerSubject(customerId)

/** At once and for good. */
export const SubscriptionCancelled = event(
  'SubscriptionCancelled',
  'subscriptionId',
  cancellationFields,
  ({ subscriptionId, reason }) => `cancelled subscription ${subscriptionId} (${reason})`,
  { sealedFor, strict: true },
)

/** Asked now, for the end of the period. */
export const SubscriptionCancellationScheduled = event(
  'SubscriptionCancellationScheduled',
  'subscriptionId',
  {
    ...cancellationFields,
    endsAt: instant,
    /** What was left for the next invoice, which will not be written. */
    carried: z.int(),
  },
  ({ subscriptionId, endsAt }) => `scheduled the cancellation of subscription ${subscriptionId} for ${endsAt}`,
  { sealedFor },
)

export const SubscriptionCancellationWithdrawn = event(
  'SubscriptionCancellationWithdrawn',
  'subscriptionId',
  { ...idFields, reason: z.string() },
  ({ subscriptionId, reason }) => `withdrew the cancellation of subscription ${subscriptionId} (${reason})`,
)

/** While it lasts, its license is suspended. */
export const SubscriptionPaused = event(
  'SubscriptionPaused',
  'subscriptionId',
  { ...idFields, reason: z.string() },
  ({ subscriptionId, reason }) => `paused subscription ${subscriptionId} (${reason})`,
  { strict: true },
)

export const SubscriptionResumed = event(
  'SubscriptionResumed',
  'subscriptionId',
  { ...idFields, reason: z.string() },
  ({ subscriptionId, reason }) => `resumed subscription ${subscriptionId} (${reason})`,
)

export const PRORATIONS = ['prorate', 'invoice', 'none'] as const

/** What a customer may have otherwise than before. */
export const subscriptionTerms = {
  planSlug: z.string(),
  planVersion: z.int(),
  features: licenseFeatures,
  maxActivations: z.int(),
  seats: z.int(),
  billingCycle: z.enum(BILLING_CYCLES),
}

/** What the change costs, in minor units. */
const settlement = z.strictObject({
  proration: z.enum(PRORATIONS),
  currency: z.string(),
  /** What a whole cycle is billed as before and after it; a change without proration leaves that as it was until the next period. */
  before: z.int(),
  after: z.int(),
  /** From when on the new price counts. */
  from: instant,
  /** What it is worth for the rest of the period, and what that is made of. */
  total: z.int(),
  lines: z.array(z.strictObject({ label: z.string(), amount: z.int() })),
  /** To be paid; below zero: credited, less what was left for the next invoice and is not any more. */
  amount: z.int(),
  due: z.enum(['now', 'next_invoice']),
  /** What is left for the next invoice after it. */
  carried: z.int(),
})

/** With everything that it is sold as from now on, not only what is new. */
export const SubscriptionChanged = event(
  'SubscriptionChanged',
  'subscriptionId',
  { ...idFields, ...subscriptionTerms, settlement },
  ({ subscriptionId, planSlug, seats }) =>
    `changed subscription ${subscriptionId} to plan ${planSlug}, seats: ${seats}`,
)

/** Only what was asked: what follows from it is decided when it takes effect. */
const scheduledChangeFields = {
  planSlug: z.string().optional(),
  /** Of the plan that was asked for, where its price was promised; else the one of the day counts. */
  planVersion: z.int().optional(),
  seats: z.int().optional(),
  billingCycle: z.enum(BILLING_CYCLES).optional(),
  proration: z.enum(PRORATIONS),
}

export const SubscriptionChangeScheduled = event(
  'SubscriptionChangeScheduled',
  'subscriptionId',
  { ...idFields, ...scheduledChangeFields, effectiveAt: instant },
  ({ subscriptionId, effectiveAt }) => `scheduled a change of subscription ${subscriptionId} for ${effectiveAt}`,
)

export const SubscriptionChangeWithdrawn = event(
  'SubscriptionChangeWithdrawn',
  'subscriptionId',
  { ...idFields, reason: z.string() },
  ({ subscriptionId, reason }) => `withdrew the scheduled change of subscription ${subscriptionId} (${reason})`,
)

export const SubscriptionRenewed = event(
  'SubscriptionRenewed',
  'subscriptionId',
  { ...idFields, currentPeriodStart: instant, currentPeriodEnd: instant },
  ({ subscriptionId, currentPeriodEnd }) => `renewed subscription ${subscriptionId} until ${currentPeriodEnd}`,
)

/** Paid for the first time, or begun as a trial. */
export const SubscriptionActivated = event(
  'SubscriptionActivated',
  'subscriptionId',
  {
    ...idFields,
    status: z.enum(['ACTIVE', 'TRIALING']),
    currentPeriodStart: instant,
    currentPeriodEnd: instant,
    trialEndsAt: instant.nullable(),
  },
  ({ subscriptionId, status }) => `activated subscription ${subscriptionId} (${status})`,
)

export const SubscriptionPaymentFailed = event(
  'SubscriptionPaymentFailed',
  'subscriptionId',
  {
    ...idFields,
    attempt: z.int(),
    /** null: nothing is tried any more. */
    nextAttemptAt: instant.nullable(),
  },
  ({ subscriptionId, attempt }) => `could not charge for subscription ${subscriptionId}, attempt ${attempt}`,
)

export const SubscriptionRecovered = event(
  'SubscriptionRecovered',
  'subscriptionId',
  idFields,
  ({ subscriptionId }) => `subscription ${subscriptionId} was paid after all`,
)

/** Its license is suspended until it is paid. */
export const SubscriptionUnpaid = event(
  'SubscriptionUnpaid',
  'subscriptionId',
  idFields,
  ({ subscriptionId }) => `gave up charging for subscription ${subscriptionId}`,
  { strict: true },
)

/** Never paid, or a trial that nobody converted. */
export const SubscriptionExpired = event(
  'SubscriptionExpired',
  'subscriptionId',
  { ...idFields, reason: z.string() },
  ({ subscriptionId, reason }) => `subscription ${subscriptionId} expired (${reason})`,
  { strict: true },
)

/** One stream a subscription, its licenses inside: at most one of them is active, and their cap is never lowered. */
export const subscriptionEvents = stream('subscription', [
  SubscriptionCreated,
  SubscriptionCancelled,
  SubscriptionCancellationScheduled,
  SubscriptionCancellationWithdrawn,
  SubscriptionPaused,
  SubscriptionResumed,
  SubscriptionChanged,
  SubscriptionChangeScheduled,
  SubscriptionChangeWithdrawn,
  SubscriptionRenewed,
  SubscriptionActivated,
  SubscriptionPaymentFailed,
  SubscriptionRecovered,
  SubscriptionUnpaid,
  SubscriptionExpired,
  LicenseIssued,
  LicenseRevoked,
  LicenseSuspended,
  LicenseResumed,
  LicenseExtended,
  LicenseReissued,
  LicenseResigned,
  LicenseEnteredGrace,
  LicenseExpired,
])
