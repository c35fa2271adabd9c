/** The terms of a subscription: plan, seats, cycle and period, and which of them may change. */
import type { DataOf } from '#kernel/events/event'
import type { States } from '#kernel/lib/record-states'
import { found, reject } from '#kernel/lib/rejection'
import { unixSeconds } from '#kernel/lib/timestamps'
import { yearsAfter } from '../licenses/rules.ts'
import type { License } from '../licenses/rules.ts'
import { priceIn } from '../plans/rules.ts'
import type { Plan } from '../plans/rules.ts'
import { SUBSCRIPTION_STATUSES } from './events.ts'
import type { SubscriptionChanged, SubscriptionChangeScheduled, SubscriptionCreated } from './events.ts'

const YEARS_MAX = 10
const DAY_MS = 86_400_000

export type SubscriptionCreatedData = DataOf<typeof SubscriptionCreated>
type Status = (typeof SUBSCRIPTION_STATUSES)[number]
type ScheduledChange = Omit<DataOf<typeof SubscriptionChangeScheduled>, 'subscriptionId' | 'customerId'>

/** A cancellation for the end of the period, and the terms that its withdrawal restores. */
interface PendingCancellation {
  readonly reason: string
  readonly comment: string | null
  readonly endsAt: string
  readonly license: Pick<License, 'expiresAt' | 'graceDays'> | undefined
}

export interface Subscription extends Omit<SubscriptionCreatedData, 'subscriptionId' | 'status'> {
  readonly id: string
  readonly status: Status
  /** Oldest first; only the last one can be active. */
  readonly licenses: readonly License[]
  readonly cancellation: PendingCancellation | null
  readonly cancelledAt: string | null
  readonly scheduledChange: ScheduledChange | null
  /** Nothing has been paid yet. */
  readonly isTrial: boolean
  /** Settlements of changes within the present period, oldest first; a trial has none. */
  readonly billed: readonly DataOf<typeof SubscriptionChanged>['settlement'][]
  /** Consecutive failed charges. */
  readonly failedPayments: number
  /** The next attempt; null: none is planned. */
  readonly nextAttemptAt: string | null
}

export interface TermsChange {
  readonly planSlug?: string | undefined
  /** The plan version whose price was promised. */
  readonly planVersion?: number | undefined
  readonly seats?: number | undefined
  readonly billingCycle?: SubscriptionCreatedData['billingCycle'] | undefined
  readonly proration: ScheduledChange['proration']
}

/** The end of what was sold: an unpaid trial ends on its last day, even if the period is longer. */
export const entitledUntil = ({ isTrial, trialEndsAt, currentPeriodEnd }: Subscription): string =>
  (isTrial ? trialEndsAt : null) ?? currentPeriodEnd

/** Statuses in which money is due at the end of a period and the terms may change. */
export const RUNNING_STATUSES: readonly Status[] = ['TRIALING', 'ACTIVE', 'PAST_DUE']

export const subscriptionIds = ({ id, customerId }: Subscription) => ({ subscriptionId: id, customerId })

export const isOver = ({ status }: Pick<Subscription, 'status'>): boolean =>
  status === 'CANCELLED' || status === 'EXPIRED'

/** Whether this status suspends the license. */
export const isLicenseHeld = ({ status }: Pick<Subscription, 'status'>): boolean =>
  status === 'PAUSED' || status === 'UNPAID'

export const ACTIVE_SUBSCRIPTION = { status: ['ACTIVE'] } as const satisfies States<Subscription>
export const PAUSED_SUBSCRIPTION = { status: ['PAUSED'] } as const satisfies States<Subscription>
export const LIVE_SUBSCRIPTION = {
  status: SUBSCRIPTION_STATUSES.filter((status) => !isOver({ status })),
} as const satisfies States<Subscription>

/** As a reply shows it: a pending cancellation is a promise, which no other change may break. */
export const CHANGEABLE_SUBSCRIPTION = { status: RUNNING_STATUSES, cancelAtPeriodEnd: [false] } as const
export const LEAVING_SUBSCRIPTION = { cancelAtPeriodEnd: [true] } as const

/** @throws Rejection 404, or 409 in any other status */
export function requireStatus(state: Subscription | undefined, allowed: readonly Status[]): Subscription {
  const subscription = found(state)
  const { status } = subscription
  if (!allowed.includes(status))
    reject('conflict', `The subscription is ${status.toLowerCase()}`, 'SUBSCRIPTION_STATUS')
  return subscription
}

/** @throws Rejection 404, or 409 for one that is over */
export function requireLive(state: Subscription | undefined): Subscription {
  const subscription = found(state)
  if (isOver(subscription))
    reject('conflict', `The subscription is ${subscription.status.toLowerCase()}`, 'SUBSCRIPTION_NOT_RUNNING')
  return subscription
}

export const ABOUT_TO_END = 'about to be cancelled'

/** @throws Rejection 409 if a cancellation is pending: its end is a promise */
export function requireNoCancellation(subscription: Subscription): Subscription {
  if (subscription.cancellation) reject('conflict', `The subscription is ${ABOUT_TO_END}`, 'CANCELLATION_PENDING')
  return subscription
}

export const requireChangeable = (state: Subscription | undefined): Subscription =>
  requireNoCancellation(requireStatus(state, RUNNING_STATUSES))

export type SubscriptionTerms = Pick<
  Subscription,
  'planSlug' | 'planVersion' | 'features' | 'maxActivations' | 'seats' | 'billingCycle'
>

/** Without absent terms, so that an event contains only what was requested. */
export const definedTerms = ({ planSlug, planVersion, seats, billingCycle, proration }: TermsChange) => ({
  ...(planSlug === undefined ? {} : { planSlug }),
  ...(planVersion === undefined ? {} : { planVersion }),
  ...(seats === undefined ? {} : { seats }),
  ...(billingCycle === undefined ? {} : { billingCycle }),
  proration,
})

/** The terms after a change. Another plan brings its present version, features and cap. */
export function termsAfterChange(
  subscription: Subscription,
  change: TermsChange,
  named: Plan | undefined,
): SubscriptionTerms {
  const { planSlug, planVersion, features, maxActivations } = subscription
  const slug = change.planSlug ?? planSlug
  const isOther = slug !== planSlug
  const plan = isOther ? planAtVersion(requireActivePlan(named, slug), change.planVersion) : named
  const seats = change.seats ?? subscription.seats
  if (plan && (isOther || seats !== subscription.seats)) refuseSeats(seats, plan)
  const billingCycle = change.billingCycle ?? subscription.billingCycle
  if (!isOffered(subscription, change, named)) refuseCycle(slug, billingCycle)
  const ofPlan =
    isOther && plan
      ? {
          planSlug: slug,
          planVersion: plan.version,
          features: featureClaims(plan),
          maxActivations: Math.max(plan.maxActivations, maxActivations),
        }
      : { planSlug, planVersion, features, maxActivations }
  return { ...ofPlan, seats, billingCycle }
}

/**
 * Whether the requested plan or cycle is offered. The present terms may be kept even if they are no
 * longer offered.
 */
export function isOffered(subscription: Subscription, change: TermsChange, named: Plan | undefined): boolean {
  const isOther = change.planSlug !== undefined && change.planSlug !== subscription.planSlug
  const billingCycle = change.billingCycle ?? subscription.billingCycle
  if (!isOther && billingCycle === subscription.billingCycle) return true
  const version = named?.versions[isOther ? (change.planVersion ?? named.version) : subscription.planVersion]
  return version !== undefined && priceIn(version, billingCycle) !== null
}

/** @throws Rejection 409, always */
export const refuseCycle = (slug: string, billingCycle: SubscriptionCreatedData['billingCycle']): never =>
  reject('conflict', `Plan ${slug} is not offered ${billingCycle.toLowerCase()}`, 'CYCLE_NOT_OFFERED')

/**
 * A plan as sold in one of its versions: prices and features of that version, all other terms as
 * they are now.
 */
export const planAtVersion = (plan: Plan, version = plan.version): Plan => ({
  ...plan,
  ...plan.versions[version]!,
  version,
})

/** Whether terms differ from the present ones. */
export const hasOtherTerms = (subscription: Subscription, terms: SubscriptionTerms): boolean =>
  (['planSlug', 'seats', 'billingCycle'] as const).some((term) => terms[term] !== subscription[term])

export function requireActivePlan(plan: Plan | undefined, slug: string): Plan {
  if (!plan) return reject('invalid', `Plan ${slug} does not exist`, 'PLAN_UNKNOWN')
  return plan.active ? plan : reject('invalid', `Plan ${slug} is not active`, 'PLAN_INACTIVE')
}

export function refuseSeats(seats: number, { slug, maxSeats }: Plan): void {
  if (maxSeats !== null && seats > maxSeats)
    reject('invalid', `Plan ${slug} has at most ${maxSeats} seats`, 'SEATS_BEYOND_PLAN')
}

export function futureEnd(field: string, text: string, at: Date): Date {
  const end = new Date(text)
  if (end <= at) reject('invalid', `${field} must be in the future`, 'DATE_NOT_ACCEPTED')
  if (end > yearsAfter(at, YEARS_MAX))
    reject('invalid', `${field} must be at most ${YEARS_MAX} years ahead`, 'DATE_NOT_ACCEPTED')
  return end
}

/**
 * The same day of the month, or its last day if the month is shorter.
 * @param count the number of cycles to add
 */
export function cycleAfter(start: Date, cycle: SubscriptionCreatedData['billingCycle'], count = 1): Date {
  if (cycle === 'YEARLY') return yearsAfter(start, count)
  const end = new Date(start)
  end.setUTCDate(1)
  end.setUTCMonth(start.getUTCMonth() + count)
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate()
  end.setUTCDate(Math.min(start.getUTCDate(), lastDay))
  return end
}

/** A plan without trial days does not end the trial before the period. */
export function trialEnd({ trialDays }: Plan, at: Date, periodEnd: Date): string {
  const end = at.getTime() + trialDays * DAY_MS
  return new Date(trialDays === 0 ? periodEnd : Math.min(end, periodEnd.getTime())).toISOString()
}

const secondsOf = (instant: string | undefined): number | null => (instant === undefined ? null : unixSeconds(instant))

export function featureClaims({ features }: Plan): SubscriptionCreatedData['features'] {
  return Object.fromEntries(
    features.map(({ key, value, validFrom, validTo }) => [
      key,
      validFrom === undefined && validTo === undefined ? value : [value, secondsOf(validFrom), secondsOf(validTo)],
    ]),
  )
}
