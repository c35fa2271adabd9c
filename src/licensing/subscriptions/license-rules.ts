/** The licenses of a subscription: which one is in force, and how changes of the subscription alter it. */
import type { DataOf } from '#kernel/events/event'
import { found, reject } from '#kernel/lib/rejection'
import { LicenseIssued, LicenseRevoked } from '../licenses/events.ts'
import { effectiveStatus, resignLicense } from '../licenses/rules.ts'
import type { License, LicenseTerms } from '../licenses/rules.ts'
import type { Plan } from '../plans/rules.ts'
import { SubscriptionChanged, SubscriptionChangeWithdrawn, SubscriptionRenewed } from './events.ts'
import { settlementOf } from './pricing-rules.ts'
import { cycleAfter, hasOtherTerms, futureEnd, isLicenseHeld, termsAfterChange, subscriptionIds } from './term-rules.ts'
import type { TermsChange, Subscription } from './term-rules.ts'

type LicenseIssuedData = DataOf<typeof LicenseIssued>

/** Random values and signing data, which a pure rule cannot create. */
export type LicenseIdentity = Pick<LicenseIssuedData, 'licenseId' | 'keyId' | 'kid' | 'k' | 'iss'>

export interface LicenseOptions extends LicenseIdentity {
  /** RFC 3339 with any offset; the end of the subscription's period if absent. */
  readonly expiresAt?: string | undefined
  readonly maxActivations?: number | undefined
}

type ScheduledChange = NonNullable<Subscription['scheduledChange']>

export interface ChangeSubscription {
  readonly change: TermsChange
  /** The plan of the change, or the present plan, as it is now. */
  readonly plan: Plan | undefined
  /** The present plan. */
  readonly present: Plan
  /** The time of the promised price; now if absent. */
  readonly pricedAt?: Date | undefined
  /** Used if the plan changes. */
  readonly license: LicenseIdentity
}

/** The license that is not revoked; it may have expired. */
export const unrevokedLicense = ({ licenses }: Subscription): License | undefined =>
  licenses.find(({ status }) => status !== 'REVOKED')

/** @throws Rejection 404 */
export const licenseIn = ({ licenses }: Subscription, licenseId: string): License =>
  found(licenses.find(({ id }) => id === licenseId))

/** The license in effect at a given time, grace included. */
export function usableLicense(subscription: Subscription, at: Date): License | undefined {
  const license = unrevokedLicense(subscription)
  if (!license) return undefined
  return ['ACTIVE', 'GRACE'].includes(effectiveStatus(license, at, isLicenseHeld(subscription))) ? license : undefined
}

/**
 * A due change starts the next period at the end of the present one. If the present period was
 * renewed meanwhile, the next one is paid at the old price and the difference is due.
 */
export function applyScheduledTerms(
  subscription: Subscription,
  { change, ...ask }: ChangeSubscription & { change: ScheduledChange },
  at: Date,
) {
  const end = new Date(subscription.currentPeriodEnd)
  if (end <= at) return applyTermsChange(subscription, { ...ask, change }, at, end)
  const proration = subscription.status === 'PAST_DUE' ? 'none' : 'invoice'
  return applyTermsChange(
    subscription,
    { ...ask, change: { ...change, proration }, pricedAt: new Date(change.effectiveAt) },
    at,
  )
}

/**
 * Another cycle starts a new period at once, so that the paid period and the cycle agree.
 * @param renewedFrom the end of the previous period, if the next one starts with the change
 */
export function applyTermsChange(subscription: Subscription, ask: ChangeSubscription, at: Date, renewedFrom?: Date) {
  const { plan, license: made } = ask
  const quote = quoteChange(subscription, ask, at, renewedFrom)
  const { terms, settlement } = quote
  if (!hasOtherTerms(subscription, terms)) return []
  const isOtherPlan = terms.planSlug !== subscription.planSlug
  if (isOtherPlan) refuseSuspended(subscription)
  const period = quote.period === 'within' ? undefined : periodFrom(renewedFrom ?? at, terms.billingCycle, at)
  const said = {
    seats: terms.seats,
    billingCycle: terms.billingCycle,
    ...(period ? { expiresAt: period.currentPeriodEnd } : {}),
  }
  return [
    SubscriptionChanged({ ...subscriptionIds(subscription), ...terms, settlement }),
    ...(subscription.scheduledChange
      ? [SubscriptionChangeWithdrawn({ ...subscriptionIds(subscription), reason: 'a change took effect' })]
      : []),
    ...(period ? [SubscriptionRenewed({ ...subscriptionIds(subscription), ...period })] : []),
    ...(isOtherPlan && plan && unrevokedLicense(subscription)
      ? replaceLicense({ ...subscription, ...terms, ...period }, plan, made, at)
      : resignUnrevokedLicense(subscription, said, made.kid, 'subscription changed')),
  ]
}

/** The effect of a change on a subscription, and its cost. */
export function quoteChange(
  subscription: Subscription,
  { change, plan, present, pricedAt }: Omit<ChangeSubscription, 'license'>,
  at: Date,
  renewedFrom?: Date,
) {
  const terms = termsAfterChange(subscription, change, plan)
  const next = terms.planSlug === subscription.planSlug ? present : plan!
  const isOtherCycle = terms.billingCycle !== subscription.billingCycle
  const period = renewedFrom ? 'following' : isOtherCycle ? 'now' : 'within'
  const { proration } = change
  const settlement = settlementOf({ subscription, terms, present, next, proration, period, from: pricedAt ?? at })
  return { terms, period, settlement }
}

/** Starts at `start`, or now if that period would already be over. */
function periodFrom(start: Date, cycle: Subscription['billingCycle'], at: Date) {
  const from = cycleAfter(start, cycle) > at ? start : at
  return { currentPeriodStart: from.toISOString(), currentPeriodEnd: cycleAfter(from, cycle).toISOString() }
}

/** The end of a subscription never makes its license last longer. */
export function earlierEnd(subscription: Subscription, end: string): string {
  const expiresAt = unrevokedLicense(subscription)?.expiresAt ?? end
  return Date.parse(expiresAt) < Date.parse(end) ? expiresAt : end
}

/** A new license would bypass the suspension of the old one. */
function refuseSuspended(subscription: Subscription): void {
  if (unrevokedLicense(subscription)?.status === 'SUSPENDED')
    reject('conflict', 'The license is suspended: it must be resumed first', 'LICENSE_SUSPENDED')
}

/** Never shortens the license, and never extends it past a cancellation, whose end is a promise. */
export function keepLicenseUntil(
  subscription: Subscription,
  { until, kid }: { readonly until: string; readonly kid: string },
) {
  const license = unrevokedLicense(subscription)
  if (!license || subscription.cancellation || Date.parse(license.expiresAt) >= Date.parse(until)) return []
  return resignUnrevokedLicense(subscription, { expiresAt: until }, kid, 'payment outstanding')
}

/** Whether the license is in full effect, also during the attempts of a failed charge. */
export function isInUse(subscription: Subscription, at: Date): boolean {
  const license = unrevokedLicense(subscription)
  return license !== undefined && effectiveStatus(license, at, isLicenseHeld(subscription)) === 'ACTIVE'
}

/** An end that was extended by hand stays if it is later. */
export function renewPeriod(subscription: Subscription, start: Date, at: Date, kid: string) {
  const license = unrevokedLicense(subscription)
  const period = periodFrom(start, subscription.billingCycle, at)
  const expiresAt = period.currentPeriodEnd
  const isLater = license !== undefined && Date.parse(license.expiresAt) < Date.parse(expiresAt)
  return [
    SubscriptionRenewed({ ...subscriptionIds(subscription), ...period }),
    ...(isLater ? resignUnrevokedLicense(subscription, { expiresAt }, kid, 'renewed') : []),
  ]
}

export function resignUnrevokedLicense(subscription: Subscription, said: LicenseTerms, kid: string, reason: string) {
  const license = unrevokedLicense(subscription)
  return license ? [resignLicense(license, { kid, changes: said, reason })] : []
}

/** The previous license is superseded. */
export function replaceLicense(subscription: Subscription, plan: Plan, ask: LicenseOptions, at: Date) {
  const issued = LicenseIssued(licenseIssuedDataOf(subscription, plan, ask, at))
  const previous = unrevokedLicense(subscription)
  return previous ? [revokeLicense(subscription, previous.id, 'superseded', ask.licenseId), issued] : [issued]
}

/**
 * Seats, cycle and features as sold; caps and durations from the plan as it is now, the cap never
 * lower than before.
 */
export function licenseIssuedDataOf(
  subscription: Subscription,
  plan: Plan,
  ask: LicenseOptions,
  at: Date,
): LicenseIssuedData {
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
export function revokeLicense(
  { id: subscriptionId }: Subscription,
  licenseId: string,
  reason: string,
  supersededBy?: string,
) {
  return LicenseRevoked({ licenseId, subscriptionId, reason, ...(supersededBy === undefined ? {} : { supersededBy }) })
}

function licenseEnd({ currentPeriodEnd }: Subscription, { expiresAt }: LicenseOptions, at: Date): Date {
  if (expiresAt !== undefined) return futureEnd('expiresAt', expiresAt, at)
  const end = new Date(currentPeriodEnd)
  if (end > at) return end
  return reject('invalid', 'The period of the subscription has ended: send expiresAt', 'PERIOD_ENDED')
}
