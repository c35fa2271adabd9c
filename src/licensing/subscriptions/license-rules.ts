/** The licenses inside a subscription: which one counts, and what becomes of it when the subscription changes. */
import type { DataOf } from '#kernel/events/event'
import { found, reject } from '#kernel/lib/rejection'
import { effectiveStatus, resignLicense } from '../licenses/rules.ts'
import type { License, LicenseTerms } from '../licenses/rules.ts'
import { LicenseIssued, LicenseRevoked } from '../licenses/events.ts'
import type { Plan } from '../plans/rules.ts'
import { SubscriptionChanged, SubscriptionChangeWithdrawn, SubscriptionRenewed } from './events.ts'
import { settlementOf } from './pricing-rules.ts'
import { cycleAfter, hasOtherTerms, futureEnd, isLicenseHeld, termsAfterChange, subscriptionIds } from './term-rules.ts'
import type { TermsChange, Subscription } from './term-rules.ts'

type LicenseIssuedData = DataOf<typeof LicenseIssued>

/** What a pure rule cannot make itself. */
export type LicenseIdentity = Pick<LicenseIssuedData, 'licenseId' | 'keyId' | 'kid' | 'k' | 'iss'>

export interface LicenseOptions extends LicenseIdentity {
  /** RFC 3339 with any offset; the end of the subscription's period when absent. */
  readonly expiresAt?: string | undefined
  readonly maxActivations?: number | undefined
}

type ScheduledChange = NonNullable<Subscription['scheduledChange']>

export interface ChangeSubscription {
  readonly change: TermsChange
  /** What the slug of the change, or the present one, names at this moment. */
  readonly plan: Plan | undefined
  /** What the present slug names. */
  readonly present: Plan
  /** The moment that the price was promised for; now, when absent. */
  readonly pricedAt?: Date | undefined
  /** Used when the plan is another one. */
  readonly license: LicenseIdentity
}

/** The license that no command has ended; time may have. */
export const unrevokedLicense = ({ licenses }: Subscription): License | undefined =>
  licenses.find(({ status }) => status !== 'REVOKED')

/** @throws Rejection 404 */
export const licenseIn = ({ licenses }: Subscription, licenseId: string): License =>
  found(licenses.find(({ id }) => id === licenseId))

/** The license that a customer can use at a moment, in its grace included. */
export function usableLicense(subscription: Subscription, at: Date): License | undefined {
  const license = unrevokedLicense(subscription)
  if (!license) return undefined
  return ['ACTIVE', 'GRACE'].includes(effectiveStatus(license, at, isLicenseHeld(subscription))) ? license : undefined
}

/**
 * A change whose time has come begins the next period where the present one ends. Where that was renewed meanwhile, the period
 * that follows has been paid at the old price, and the difference is due.
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
 * Another cycle begins at once, so that what is paid for and what lasts are the same.
 * @param renewedFrom where the next period begins with the change: the end of the one before
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

/** What a change would make of a subscription, and what it would cost. */
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

/** From `start`, unless that is so long ago that nothing would be left of it. */
function periodFrom(start: Date, cycle: Subscription['billingCycle'], at: Date) {
  const from = cycleAfter(start, cycle) > at ? start : at
  return { currentPeriodStart: from.toISOString(), currentPeriodEnd: cycleAfter(from, cycle).toISOString() }
}

/** A license never lasts longer because its subscription ends. */
export function earlierEnd(subscription: Subscription, end: string): string {
  const expiresAt = unrevokedLicense(subscription)?.expiresAt ?? end
  return Date.parse(expiresAt) < Date.parse(end) ? expiresAt : end
}

/** A new license would be a way around the suspension of the old one. */
function refuseSuspended(subscription: Subscription): void {
  if (unrevokedLicense(subscription)?.status === 'SUSPENDED')
    reject('conflict', 'The license is suspended', 'LICENSE_SUSPENDED')
}

/** Never a day less than it lasts already, and not beyond a cancellation: that end is a promise. */
export function keepLicenseUntil(
  subscription: Subscription,
  { until, kid }: { readonly until: string; readonly kid: string },
) {
  const license = unrevokedLicense(subscription)
  if (!license || subscription.cancellation || Date.parse(license.expiresAt) >= Date.parse(until)) return []
  return resignUnrevokedLicense(subscription, { expiresAt: until }, kid, 'payment outstanding')
}

/** Whether its license is in full effect, as it is while a charge is tried again. */
export function isInUse(subscription: Subscription, at: Date): boolean {
  const license = unrevokedLicense(subscription)
  return license !== undefined && effectiveStatus(license, at, isLicenseHeld(subscription)) === 'ACTIVE'
}

/** An end that was extended by hand stays where it lies further ahead. */
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

/** Seats, cycle and features as they were sold; caps and times as the plan says them now, the cap never lower than before. */
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
  return reject('invalid', 'The period of the subscription has ended, so expiresAt must be given', 'PERIOD_ENDED')
}
