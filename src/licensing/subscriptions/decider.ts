/** The commands of a subscription and its licenses (licensing.md 2 and 3). */
import { decider } from '#kernel/events/decider'
import { fits } from '#kernel/lib/record-states'
import { found, reject } from '#kernel/lib/rejection'
import {
  noteLicenseEnd,
  extendLicense,
  licenseEvolutions,
  issuedLicense,
  reissueLicense,
  resignLicense,
  resumeLicense,
  UNREVOKED_LICENSE,
  suspendLicense,
  yearsAfter,
} from '../licenses/rules.ts'
import type { ExtendLicense, License, LicenseEvolutions, ReissueLicense } from '../licenses/rules.ts'
import type { Plan } from '../plans/rules.ts'
import {
  SubscriptionActivated,
  SubscriptionCancellationScheduled,
  SubscriptionCancellationWithdrawn,
  SubscriptionCancelled,
  SubscriptionChangeScheduled,
  SubscriptionChangeWithdrawn,
  SubscriptionCreated,
  SubscriptionExpired,
  SubscriptionPaused,
  SubscriptionPaymentFailed,
  SubscriptionRecovered,
  SubscriptionResumed,
  SubscriptionUnpaid,
  subscriptionEvents,
} from './events.ts'
import {
  applyTermsChange,
  earlierEnd,
  replaceLicense,
  licenseIn,
  isInUse,
  renewPeriod,
  keepLicenseUntil,
  resignUnrevokedLicense,
  revokeLicense,
  applyScheduledTerms,
  unrevokedLicense,
} from './license-rules.ts'
import type { ChangeSubscription, LicenseOptions } from './license-rules.ts'
import { carriedOver } from './pricing-rules.ts'
import {
  definedTerms,
  requireChangeable,
  ABOUT_TO_END,
  ACTIVE_SUBSCRIPTION,
  PAUSED_SUBSCRIPTION,
  RUNNING_STATUSES,
  cycleAfter,
  hasOtherTerms,
  featureClaims,
  futureEnd,
  entitledUntil,
  isOver,
  isOffered,
  requireActivePlan,
  refuseSeats,
  requireStatus,
  requireNoCancellation,
  termsAfterChange,
  trialEnd,
  subscriptionIds,
} from './term-rules.ts'
import type { SubscriptionCreatedData, Subscription } from './term-rules.ts'

interface CreateSubscription extends Pick<
  SubscriptionCreatedData,
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
  /** The plan of the slug now, if there is one. */
  readonly plan: Plan | undefined
  /** RFC 3339 with any offset; one year from now if absent. */
  readonly currentPeriodEnd?: string | undefined
}

interface IssueLicense extends LicenseOptions {
  /** The subscription's present plan. */
  readonly plan: Plan | undefined
}

/** Stored in plain text, so it must not contain personal data. */
const NOT_GIVEN = 'no reason given'

interface CancellationInput {
  readonly reason?: string | undefined
  /** The customer's own words. */
  readonly comment?: string | null | undefined
}

interface LicenseRef {
  readonly licenseId: string
}

export const subscriptions = decider(subscriptionEvents, {
  initial: undefined as Subscription | undefined,
  evolve: {
    SubscriptionCreated: (_none, { subscriptionId, ...subscription }): Subscription => ({
      ...subscription,
      id: subscriptionId,
      licenses: [],
      cancellation: null,
      cancelledAt: null,
      scheduledChange: null,
      isTrial: subscription.status === 'TRIALING',
      billed: [],
      failedPayments: 0,
      nextAttemptAt: null,
    }),
    SubscriptionCancelled: (state, _data, at): Subscription => ({
      ...state!,
      status: 'CANCELLED',
      cancellation: null,
      cancelledAt: at.toISOString(),
      scheduledChange: null,
    }),
    SubscriptionCancellationScheduled: (state, { reason, comment, endsAt }): Subscription => ({
      ...state!,
      billed: state!.billed.map((each) => ({ ...each, carried: 0 })),
      cancellation: { reason, comment, endsAt, license: unrevokedLicense(state!) },
    }),
    SubscriptionCancellationWithdrawn: (state): Subscription => ({ ...state!, cancellation: null }),
    SubscriptionPaused: (state): Subscription => ({ ...state!, status: 'PAUSED' }),
    SubscriptionResumed: (state): Subscription => ({ ...state!, status: 'ACTIVE' }),
    SubscriptionChanged: (
      state,
      { subscriptionId: _id, customerId: _customer, settlement, ...terms },
    ): Subscription => ({
      ...state!,
      ...terms,
      billed: state!.status === 'TRIALING' ? [] : [...state!.billed, settlement],
    }),
    SubscriptionChangeScheduled: (
      state,
      { subscriptionId: _id, customerId: _customer, ...scheduledChange },
    ): Subscription => ({
      ...state!,
      scheduledChange,
    }),
    SubscriptionChangeWithdrawn: (state): Subscription => ({ ...state!, scheduledChange: null }),
    SubscriptionRenewed: (state, { currentPeriodStart, currentPeriodEnd }): Subscription => ({
      ...state!,
      currentPeriodStart,
      currentPeriodEnd,
      isTrial: state!.status === 'TRIALING',
      billed: [],
    }),
    SubscriptionActivated: (state, { subscriptionId: _id, customerId: _customer, ...activated }): Subscription => ({
      ...state!,
      ...activated,
      isTrial: activated.status === 'TRIALING',
      billed: [],
    }),
    SubscriptionPaymentFailed: (state, { attempt, nextAttemptAt }): Subscription => ({
      ...state!,
      status: 'PAST_DUE',
      failedPayments: attempt,
      nextAttemptAt,
    }),
    SubscriptionRecovered: (state): Subscription => ({
      ...state!,
      status: 'ACTIVE',
      failedPayments: 0,
      nextAttemptAt: null,
    }),
    SubscriptionUnpaid: (state): Subscription => ({ ...state!, status: 'UNPAID', nextAttemptAt: null }),
    SubscriptionExpired: (state): Subscription => ({
      ...state!,
      status: 'EXPIRED',
      cancellation: null,
      scheduledChange: null,
    }),
    LicenseIssued: (state, issued): Subscription => ({
      ...state!,
      maxActivations: issued.maxActivations,
      licenses: [...state!.licenses, issuedLicense(issued)],
    }),
    LicenseRevoked: evolveLicense('LicenseRevoked'),
    LicenseSuspended: evolveLicense('LicenseSuspended'),
    LicenseResumed: evolveLicense('LicenseResumed'),
    LicenseExtended: evolveLicense('LicenseExtended'),
    LicenseReissued: evolveLicense('LicenseReissued'),
    LicenseResigned: evolveLicense('LicenseResigned'),
    LicenseEnteredGrace: evolveLicense('LicenseEnteredGrace'),
    LicenseExpired: evolveLicense('LicenseExpired'),
  },
  commands: {
    CreateSubscription: (_none, { plan: named, currentPeriodEnd, ...ask }: CreateSubscription, { at }) => {
      const plan = requireActivePlan(named, ask.planSlug)
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

    /** Effective at once. Repeating it changes nothing. */
    CancelSubscription: (state, { reason = NOT_GIVEN, comment = null }: CancellationInput) => {
      const subscription = found(state)
      if (isOver(subscription)) return []
      const license = unrevokedLicense(subscription)
      const cancelled = SubscriptionCancelled({ ...subscriptionIds(subscription), reason, comment })
      return license ? [cancelled, revokeLicense(subscription, license.id, reason)] : [cancelled]
    },

    /** The license then ends with the period, without grace. Repeating it changes nothing. */
    ScheduleCancellation: (state, { reason = NOT_GIVEN, comment = null, kid }: CancellationInput & { kid: string }) => {
      const subscription = requireStatus(state, RUNNING_STATUSES)
      if (subscription.cancellation) return []
      const endsAt = entitledUntil(subscription)
      return [
        SubscriptionCancellationScheduled({
          ...subscriptionIds(subscription),
          reason,
          comment,
          endsAt,
          carried: carriedOver(subscription),
        }),
        ...resignUnrevokedLicense(
          subscription,
          { expiresAt: earlierEnd(subscription, endsAt), graceDays: 0 },
          kid,
          'cancellation scheduled',
        ),
      ]
    },

    WithdrawCancellation: (
      state,
      { reason = NOT_GIVEN, kid }: { reason?: string | undefined; kid: string },
      { at },
    ) => {
      const subscription = found(state)
      const { cancellation } = subscription
      if (!cancellation || Date.parse(cancellation.endsAt) <= at.getTime())
        return reject('conflict', 'No cancellation is pending', 'NO_CANCELLATION_PENDING')
      const { expiresAt, graceDays } = cancellation.license ?? {}
      return [
        SubscriptionCancellationWithdrawn({ ...subscriptionIds(subscription), reason }),
        ...(expiresAt === undefined || graceDays === undefined
          ? []
          : resignUnrevokedLicense(subscription, { expiresAt, graceDays }, kid, 'cancellation withdrawn')),
      ]
    },

    /**
     * Effective when the period of a pending cancellation has ended; otherwise, and when repeated,
     * nothing happens.
     */
    EndSubscription: (state, _ask: object, { at }) => {
      const subscription = found(state)
      const { cancellation } = subscription
      if (!cancellation || Date.parse(cancellation.endsAt) > at.getTime()) return []
      const { reason, comment } = cancellation
      return [SubscriptionCancelled({ ...subscriptionIds(subscription), reason, comment })]
    },

    PauseSubscription: (state, { reason = NOT_GIVEN }: { reason?: string | undefined }) => [
      SubscriptionPaused({ ...subscriptionIds(requireStatus(state, ACTIVE_SUBSCRIPTION.status)), reason }),
    ],

    ResumeSubscription: (state, { reason = NOT_GIVEN }: { reason?: string | undefined }) => [
      SubscriptionResumed({ ...subscriptionIds(requireStatus(state, PAUSED_SUBSCRIPTION.status)), reason }),
    ],

    /**
     * Another plan issues a new license and supersedes the old one; seats and cycle only change the
     * token. A subscription without a license stays without one.
     */
    ChangeSubscription: (state, ask: ChangeSubscription, { at }) => {
      const subscription = requireChangeable(state)
      if (subscription.status === 'PAST_DUE' && ask.change.proration !== 'none')
        reject(
          'conflict',
          'A charge is outstanding: settle it first, or change without proration',
          'PAYMENT_OUTSTANDING',
        )
      return applyTermsChange(subscription, ask, at)
    },

    /** A change to the present terms withdraws the scheduled change. */
    ScheduleChange: (state, { change, plan }: Pick<ChangeSubscription, 'change' | 'plan'>) => {
      const subscription = requireChangeable(state)
      if (!hasOtherTerms(subscription, termsAfterChange(subscription, change, plan)))
        return subscription.scheduledChange
          ? [SubscriptionChangeWithdrawn({ ...subscriptionIds(subscription), reason: 'nothing is to change any more' })]
          : []
      const effectiveAt = subscription.currentPeriodEnd
      return [SubscriptionChangeScheduled({ ...subscriptionIds(subscription), ...definedTerms(change), effectiveAt })]
    },

    /**
     * @returns [] if nothing is scheduled, the time has not come or a trial has not ended. A plan
     * that was closed, or no longer has this cycle, withdraws the change.
     */
    ApplyScheduledChange: (state, ask: Omit<ChangeSubscription, 'change' | 'pricedAt'>, { at }) => {
      const subscription = found(state)
      const change = subscription.scheduledChange
      if (!change || Date.parse(change.effectiveAt) > at.getTime()) return []
      // A trial must end or convert first.
      if (subscription.status === 'TRIALING') return []
      const isOpen =
        (change.planSlug === undefined || ask.plan?.active === true) && isOffered(subscription, change, ask.plan)
      const isHeld = unrevokedLicense(subscription)?.status === 'SUSPENDED' && change.planSlug !== undefined
      if (!isOpen || isHeld || !RUNNING_STATUSES.includes(subscription.status) || subscription.cancellation)
        return [
          SubscriptionChangeWithdrawn({ ...subscriptionIds(subscription), reason: 'it can no longer take effect' }),
        ]
      const done = applyScheduledTerms(subscription, { ...ask, change }, at)
      const withdrawn = SubscriptionChangeWithdrawn({
        ...subscriptionIds(subscription),
        reason: 'it changes nothing any more',
      })
      return done.length > 0 ? done : [withdrawn]
    },

    /**
     * Starts the next period, paid by the caller. It begins at the end of the last period, or now
     * if the license was held meanwhile.
     */
    RenewSubscription: (state, { kid }: { kid: string }, { at }) => {
      const subscription = requireNoCancellation(requireStatus(state, [...RUNNING_STATUSES, 'UNPAID']))
      const end = new Date(entitledUntil(subscription))
      return renewPeriod(subscription, end > at || isInUse(subscription, at) ? end : at, at, kid)
    },

    /** After the first payment or a trial's conversion: a period starts now. */
    ActivateSubscription: (
      state,
      { status, plan, kid }: { status: 'ACTIVE' | 'TRIALING'; plan: Plan | undefined; kid: string },
      { at },
    ) => {
      const subscription = requireNoCancellation(requireStatus(state, ['INCOMPLETE', 'TRIALING']))
      if (status === 'TRIALING') requireStatus(state, ['INCOMPLETE'])
      const end = cycleAfter(at, subscription.billingCycle)
      const activated = SubscriptionActivated({
        ...subscriptionIds(subscription),
        status,
        currentPeriodStart: at.toISOString(),
        currentPeriodEnd: end.toISOString(),
        trialEndsAt: status === 'TRIALING' && plan ? trialEnd(plan, at, end) : subscription.trialEndsAt,
      })
      const expiresAt = end.toISOString()
      return [activated, ...resignUnrevokedLicense(subscription, { expiresAt }, kid, 'paid')]
    },

    /**
     * @param ask nextAttemptAt null: that was the last attempt; kept: how long the license lasts
     * during the attempts
     */
    FailPayment: (
      state,
      { nextAttemptAt, kept }: { nextAttemptAt: string | null; kept?: { until: string; kid: string } | undefined },
    ) => {
      const subscription = requireStatus(state, RUNNING_STATUSES)
      const attempt = subscription.failedPayments + 1
      const failed = SubscriptionPaymentFailed({ ...subscriptionIds(subscription), attempt, nextAttemptAt })
      return [failed, ...(kept ? keepLicenseUntil(subscription, kept) : [])]
    },

    /** Changes nothing if nothing was owed. */
    RecoverPayment: (state, _ask: object) => {
      const subscription = found(state)
      return ['PAST_DUE', 'UNPAID'].includes(subscription.status)
        ? [SubscriptionRecovered(subscriptionIds(subscription))]
        : []
    },

    GiveUpCharging: (state, _ask: object) => [SubscriptionUnpaid(subscriptionIds(requireStatus(state, ['PAST_DUE'])))],

    /** Repeating it changes nothing. The license ends with the subscription, without grace. */
    ExpireSubscription: (state, { reason, kid }: { reason: string; kid: string }, { at }) => {
      const subscription = found(state)
      if (isOver(subscription)) return []
      requireStatus(state, ['INCOMPLETE', 'TRIALING'])
      const expiresAt = at.toISOString()
      return [
        SubscriptionExpired({ ...subscriptionIds(subscription), reason }),
        ...resignUnrevokedLicense(subscription, { expiresAt, graceDays: 0 }, kid, reason),
      ]
    },

    IssueLicense: (state, ask: IssueLicense, { at }) => {
      const subscription = found(state)
      if (isOver(subscription) || subscription.status === 'INCOMPLETE')
        reject('conflict', `The subscription is ${subscription.status.toLowerCase()}`, 'SUBSCRIPTION_NOT_RUNNING')
      return replaceLicense(
        requireNoCancellation(subscription),
        requireActivePlan(ask.plan, subscription.planSlug),
        ask,
        at,
      )
    },

    RevokeLicense: (state, { licenseId, reason }: LicenseRef & { reason: string }) => {
      const subscription = found(state)
      const license = licenseIn(subscription, licenseId)
      if (!fits(license, UNREVOKED_LICENSE)) reject('conflict', 'The license is already revoked', 'LICENSE_REVOKED')
      return [revokeLicense(subscription, licenseId, reason)]
    },
    SuspendLicense: (state, { licenseId, ...ask }: LicenseRef & { reason: string }) => [
      suspendLicense(licenseIn(found(state), licenseId), ask),
    ],
    ResumeLicense: (state, { licenseId }: LicenseRef) => [resumeLicense(licenseIn(found(state), licenseId))],
    /** Refused if the subscription's end determines the license's. */
    ExtendLicense: (state, { licenseId, ...ask }: LicenseRef & ExtendLicense, { at }) => {
      const license = licenseIn(found(state), licenseId)
      const { cancellation, status } = found(state)
      if (license.status !== 'REVOKED' && (cancellation || isOver({ status })))
        reject(
          'conflict',
          `The subscription is ${cancellation ? ABOUT_TO_END : status.toLowerCase()}`,
          'SUBSCRIPTION_ENDS',
        )
      return [extendLicense(license, ask, at)]
    },
    ReissueLicense: (state, { licenseId, ...ask }: LicenseRef & ReissueLicense, { at }) => [
      reissueLicense(licenseIn(found(state), licenseId), ask, at),
    ],
    /** Signs with another key, unless it already does. */
    ResignLicense: (state, { licenseId, kid, reason }: LicenseRef & { kid: string; reason: string }) => {
      const license = licenseIn(found(state), licenseId)
      return license.kid === kid || license.status === 'REVOKED'
        ? []
        : [resignLicense(license, { kid, changes: {}, reason })]
    },
    /** Records once what time has done to a license. */
    NoteExpiry: (state, { licenseId }: LicenseRef, { at }) => noteLicenseEnd(licenseIn(found(state), licenseId), at),
  },
})

/** How an event changes the license that it names. */
function evolveLicense<Name extends keyof LicenseEvolutions>(name: Name) {
  type Data = Parameters<LicenseEvolutions[Name]>[1]
  const after = licenseEvolutions[name] as (license: License, data: Data, at: Date) => License
  return (state: Subscription | undefined, data: Data, at: Date): Subscription => ({
    ...state!,
    licenses: state!.licenses.map((license) => (license.id === data.licenseId ? after(license, data, at) : license)),
  })
}
