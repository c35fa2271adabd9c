/** A subscription is a customer's purchase of a plan: seats, a period and the resulting license. */
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
    /** HMAC of the reference, which may contain personal data. */
    referenceKey: internal(z.string().nullable()),
    /** Hash of the provisioning request, to detect that a replay differs. */
    requestHash: internal(z.string().nullable()),
    planSlug: z.string(),
    planVersion: z.int(),
    /** The features of the plan at this version; later versions do not change them. */
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

/**
 * The reason is stored in plain text, so it must not contain personal data; the comment is the
 * customer's own words.
 */
const cancellationFields = { ...idFields, reason: z.string(), comment: sealed(z.string().nullable()) }
const sealedFor = ({ customerId }: { readonly customerId: string }): string => customerSubject(customerId)

/** Effective at once and permanent. */
export const SubscriptionCancelled = event(
  'SubscriptionCancelled',
  'subscriptionId',
  cancellationFields,
  ({ subscriptionId, reason }) => `cancelled subscription ${subscriptionId} (${reason})`,
  { sealedFor, strict: true },
)

/** Requested now, effective at the end of the period. */
export const SubscriptionCancellationScheduled = event(
  'SubscriptionCancellationScheduled',
  'subscriptionId',
  {
    ...cancellationFields,
    endsAt: instant,
    /** The amount carried to the next invoice, which will not be issued. */
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

/** The license is suspended during the pause. */
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

/** Terms that a change may alter. */
export const subscriptionTerms = {
  planSlug: z.string(),
  planVersion: z.int(),
  features: licenseFeatures,
  maxActivations: z.int(),
  seats: z.int(),
  billingCycle: z.enum(BILLING_CYCLES),
}

/** The cost of a change, in minor units. */
const settlement = z.strictObject({
  proration: z.enum(PRORATIONS),
  currency: z.string(),
  /**
   * The bill of a whole cycle before and after the change; without proration it stays unchanged
   * until the next period.
   */
  before: z.int(),
  after: z.int(),
  /** When the new price begins. */
  from: instant,
  /** The value of the change for the rest of the period, and its parts. */
  total: z.int(),
  lines: z.array(z.strictObject({ label: z.string(), amount: z.int() })),
  /** The amount to pay; if negative, the credit less what was carried to the next invoice before. */
  amount: z.int(),
  due: z.enum(['now', 'next_invoice']),
  /** The amount carried to the next invoice after the change. */
  carried: z.int(),
})

/** With all terms from now on, not only the changed ones. */
export const SubscriptionChanged = event(
  'SubscriptionChanged',
  'subscriptionId',
  { ...idFields, ...subscriptionTerms, settlement },
  ({ subscriptionId, planSlug, seats }) =>
    `changed subscription ${subscriptionId} to plan ${planSlug}, seats: ${seats}`,
)

/** Only the requested terms: their effects are decided when the change takes effect. */
const scheduledChangeFields = {
  planSlug: z.string().optional(),
  /** The plan version whose price was promised; absent: the version at that time. */
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

/** Paid for the first time, or started as a trial. */
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
    /** null: no attempt is planned. */
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

/** The license is suspended until the payment. */
export const SubscriptionUnpaid = event(
  'SubscriptionUnpaid',
  'subscriptionId',
  idFields,
  ({ subscriptionId }) => `gave up charging for subscription ${subscriptionId}`,
  { strict: true },
)

/** Never paid, or a trial that was not converted. */
export const SubscriptionExpired = event(
  'SubscriptionExpired',
  'subscriptionId',
  { ...idFields, reason: z.string() },
  ({ subscriptionId, reason }) => `subscription ${subscriptionId} expired (${reason})`,
  { strict: true },
)

/**
 * One stream per subscription with its licenses: at most one license is active, and its cap is
 * never lowered.
 */
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
