import { decider } from '#kernel/decider'
import type { DataOf } from '#kernel/event'
import { found, reject } from '#kernel/rejection'
import { effectiveStatus, licenseOf } from '../licenses/decider.ts'
import type { License } from '../licenses/decider.ts'
import { LicenseIssued, LicenseRevoked } from '../licenses/events.ts'
import type { Plan } from '../plans/decider.ts'
import { SubscriptionCancelled, SubscriptionCreated, subscriptionEvents } from './events.ts'

const YEARS_MAX = 10
const DAY_MS = 86_400_000

type Created = DataOf<typeof SubscriptionCreated>
type Issued = DataOf<typeof LicenseIssued>

export interface Subscription extends Omit<Created, 'subscriptionId' | 'status'> {
  readonly id: string
  readonly status: Created['status'] | 'CANCELLED'
  /** Oldest first; only the last can be active. */
  readonly licenses: readonly License[]
}

interface CreateSubscription extends Pick<
  Created,
  | 'subscriptionId'
  | 'customerId'
  | 'reference'
  | 'referenceKey'
  | 'requestHash'
  | 'planSlug'
  | 'seats'
  | 'billingCycle'
  | 'status'
> {
  /** What the slug names at this moment, if anything. */
  readonly plan: Plan | undefined
  /** RFC 3339 with any offset; a year from now when absent. */
  readonly currentPeriodEnd?: string | undefined
}

interface IssueLicense extends Pick<Issued, 'licenseId' | 'keyId' | 'kid' | 'k' | 'iss'> {
  /** The subscription's plan as it is at this moment. */
  readonly plan: Plan | undefined
  /** RFC 3339 with any offset; the end of the subscription's period when absent. */
  readonly expiresAt?: string | undefined
  readonly maxActivations?: number | undefined
}

export const subscriptions = decider(subscriptionEvents, {
  initial: undefined as Subscription | undefined,
  evolve: {
    SubscriptionCreated: (_none, { subscriptionId, ...subscription }) => ({
      ...subscription,
      id: subscriptionId,
      licenses: [],
    }),
    SubscriptionCancelled: (subscription) => ({ ...subscription!, status: 'CANCELLED' as const }),
    LicenseIssued: (subscription, issued) => ({
      ...subscription!,
      maxActivations: issued.maxActivations,
      licenses: [...subscription!.licenses, licenseOf(issued)],
    }),
    LicenseRevoked: (subscription, { licenseId, reason, supersededBy = null }, at) => ({
      ...subscription!,
      licenses: subscription!.licenses.map((license) =>
        license.id === licenseId
          ? { ...license, status: 'REVOKED' as const, revokedAt: at.toISOString(), reason, replacedBy: supersededBy }
          : license,
      ),
    }),
  },
  commands: {
    CreateSubscription: (_none, { plan: named, currentPeriodEnd, ...ask }: CreateSubscription, { at }) => {
      const plan = openPlan(named, ask.planSlug)
      refuseSeats(ask.seats, plan)
      const end =
        currentPeriodEnd === undefined ? yearsAfter(at, 1) : futureEnd('currentPeriodEnd', currentPeriodEnd, at)
      return [
        SubscriptionCreated({
          ...ask,
          planVersion: plan.version,
          features: featureClaims(plan),
          currentPeriodStart: at.toISOString(),
          currentPeriodEnd: end.toISOString(),
          trialEndsAt: ask.status === 'TRIALING' ? trialEnd(plan, at, end) : null,
          maxActivations: plan.maxActivations,
        }),
      ]
    },
    /** A second time changes nothing. */
    CancelSubscription: (state, { reason }: { reason: string }) => {
      const subscription = found(state)
      const { id: subscriptionId, customerId, status } = subscription
      if (status === 'CANCELLED') return []
      const license = unrevoked(subscription)
      const cancelled = SubscriptionCancelled({ subscriptionId, customerId, reason })
      return license ? [cancelled, revoked(subscription, license.id, reason)] : [cancelled]
    },
    IssueLicense: (state, ask: IssueLicense, { at }) => {
      const subscription = found(state)
      if (subscription.status === 'CANCELLED')
        reject('conflict', 'The subscription is cancelled', 'SUBSCRIPTION_CANCELLED')
      const plan = openPlan(ask.plan, subscription.planSlug)
      const issued = LicenseIssued(issuedOf(subscription, plan, ask, at))
      const previous = unrevoked(subscription)
      return previous ? [revoked(subscription, previous.id, 'superseded', ask.licenseId), issued] : [issued]
    },
    RevokeLicense: (state, { licenseId, reason }: { licenseId: string; reason: string }) => {
      const subscription = found(state)
      const license = licenseIn(subscription, licenseId)
      if (license.status === 'REVOKED') reject('conflict', 'The license is already revoked', 'LICENSE_REVOKED')
      return [revoked(subscription, licenseId, reason)]
    },
  },
})

/** The license that no command has ended; time may have. */
export const unrevoked = ({ licenses }: Subscription): License | undefined =>
  licenses.find(({ status }) => status === 'ACTIVE')

/** @throws Rejection 404 */
export const licenseIn = ({ licenses }: Subscription, licenseId: string): License =>
  found(licenses.find(({ id }) => id === licenseId))

/** The license that a customer can use at a moment, in its grace included. */
export function usableLicense(subscription: Subscription, at: Date): License | undefined {
  const license = unrevoked(subscription)
  return license && effectiveStatus(license, at) !== 'EXPIRED' ? license : undefined
}

/** Seats, cycle and features as they were sold; caps and times as the plan says them now, the cap never lower than before. */
function issuedOf(subscription: Subscription, plan: Plan, ask: IssueLicense, at: Date): Issued {
  const { id: subscriptionId, customerId, planSlug, planVersion, features, seats, billingCycle } = subscription
  const { licenseId, keyId, kid, k, iss } = ask
  return {
    licenseId,
    subscriptionId,
    customerId,
    keyId,
    seq: 1,
    kid,
    k,
    iss,
    planSlug,
    planVersion,
    features,
    seats,
    billingCycle,
    maxActivationsAsked: ask.maxActivations ?? null,
    maxActivations: Math.max(plan.maxActivations, subscription.maxActivations),
    graceDays: plan.graceDays,
    offlineDays: plan.offlineDays,
    heartbeatSeconds: plan.heartbeatSeconds,
    issuedAt: at.toISOString(),
    expiresAt: licenseEnd(subscription, ask, at).toISOString(),
  }
}

function revoked({ id: subscriptionId }: Subscription, licenseId: string, reason: string, supersededBy?: string) {
  return LicenseRevoked({ licenseId, subscriptionId, reason, ...(supersededBy === undefined ? {} : { supersededBy }) })
}

function openPlan(plan: Plan | undefined, slug: string): Plan {
  if (!plan) return reject('invalid', `Plan ${slug} does not exist`, 'PLAN_UNKNOWN')
  return plan.active ? plan : reject('invalid', `Plan ${slug} is not active`, 'PLAN_INACTIVE')
}

function refuseSeats(seats: number, { slug, maxSeats }: Plan): void {
  if (maxSeats !== null && seats > maxSeats)
    reject('invalid', `Plan ${slug} has at most ${maxSeats} seats`, 'SEATS_BEYOND_PLAN')
}

function licenseEnd({ currentPeriodEnd }: Subscription, { expiresAt }: IssueLicense, at: Date): Date {
  if (expiresAt !== undefined) return futureEnd('expiresAt', expiresAt, at)
  const end = new Date(currentPeriodEnd)
  if (end > at) return end
  return reject('invalid', 'The period of the subscription has ended, so expiresAt must be given', 'PERIOD_ENDED')
}

function futureEnd(field: string, text: string, at: Date): Date {
  const end = new Date(text)
  if (end <= at) reject('invalid', `${field} must be in the future`, 'DATE_NOT_ACCEPTED')
  if (end > yearsAfter(at, YEARS_MAX))
    reject('invalid', `${field} must be at most ${YEARS_MAX} years ahead`, 'DATE_NOT_ACCEPTED')
  return end
}

/** The same day and time; 29 February leads to 1 March. */
function yearsAfter(at: Date, years: number): Date {
  const later = new Date(at)
  later.setUTCFullYear(at.getUTCFullYear() + years)
  return later
}

/** A plan without trial days does not end the trial before the period. */
function trialEnd({ trialDays }: Plan, at: Date, periodEnd: Date): string {
  const end = at.getTime() + trialDays * DAY_MS
  return new Date(trialDays === 0 ? periodEnd : Math.min(end, periodEnd.getTime())).toISOString()
}

const unixSeconds = (instant: string | undefined): number | null =>
  instant === undefined ? null : Math.floor(Date.parse(instant) / 1000)

function featureClaims({ features }: Plan): Created['features'] {
  return Object.fromEntries(
    features.map(({ key, value, validFrom, validTo }) => [
      key,
      validFrom === undefined && validTo === undefined ? value : [value, unixSeconds(validFrom), unixSeconds(validTo)],
    ]),
  )
}
