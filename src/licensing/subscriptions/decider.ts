/** What a subscription goes through, and its licenses with it (licensing.md 2 and 3). */
import { decider } from '#kernel/events/decider'
import { found, reject } from '#kernel/lib/rejection'
import {
  ended,
  extended,
  licenseAfter,
  licenseOf,
  reissued,
  resigned,
  resumed,
  suspended,
  yearsAfter,
} from '../licenses/rules.ts'
import type { Extension, License, LicenseChanges, Reissue } from '../licenses/rules.ts'
import type { Plan } from '../plans/decider.ts'
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
  changedNow,
  earlier,
  issuedAnew,
  licenseIn,
  isInUse,
  renewedFrom,
  keptUntil,
  resignedLicense,
  revoked,
  scheduledNow,
  unrevoked,
} from './license-rules.ts'
import type { ChangeSubscription, Issue } from './license-rules.ts'
import { carriedOver } from './pricing-rules.ts'
import {
  asked,
  changeable,
  ABOUT_TO_END,
  RUNNING,
  cycleAfter,
  differs,
  featureClaims,
  futureEnd,
  givenUntil,
  isOver,
  isSold,
  openPlan,
  refuseSeats,
  running,
  staying,
  termsOf,
  trialEnd,
  which,
} from './term-rules.ts'
import type { Created, Subscription } from './term-rules.ts'

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

interface IssueLicense extends Issue {
  /** The subscription's plan as it is at this moment. */
  readonly plan: Plan | undefined
}

/** Kept in clear, so it names nobody. */
const NOT_GIVEN = 'no reason given'

interface Leaving {
  readonly reason?: string | undefined
  /** In his own words. */
  readonly comment?: string | null | undefined
}

interface OfLicense {
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
      cancellation: { reason, comment, endsAt, license: unrevoked(state!) },
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
      licenses: [...state!.licenses, licenseOf(issued)],
    }),
    LicenseRevoked: changingLicense('LicenseRevoked'),
    LicenseSuspended: changingLicense('LicenseSuspended'),
    LicenseResumed: changingLicense('LicenseResumed'),
    LicenseExtended: changingLicense('LicenseExtended'),
    LicenseReissued: changingLicense('LicenseReissued'),
    LicenseResigned: changingLicense('LicenseResigned'),
    LicenseEnteredGrace: changingLicense('LicenseEnteredGrace'),
    LicenseExpired: changingLicense('LicenseExpired'),
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

    /** At once. A second time changes nothing. */
    CancelSubscription: (state, { reason = NOT_GIVEN, comment = null }: Leaving) => {
      const subscription = found(state)
      if (isOver(subscription)) return []
      const license = unrevoked(subscription)
      const cancelled = SubscriptionCancelled({ ...which(subscription), reason, comment })
      return license ? [cancelled, revoked(subscription, license.id, reason)] : [cancelled]
    },

    /** The license then ends with the period, without grace. A second time changes nothing. */
    ScheduleCancellation: (state, { reason = NOT_GIVEN, comment = null, kid }: Leaving & { kid: string }) => {
      const subscription = running(state, RUNNING)
      if (subscription.cancellation) return []
      const endsAt = givenUntil(subscription)
      return [
        SubscriptionCancellationScheduled({
          ...which(subscription),
          reason,
          comment,
          endsAt,
          carried: carriedOver(subscription),
        }),
        ...resignedLicense(
          subscription,
          { expiresAt: earlier(subscription, endsAt), graceDays: 0 },
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
        SubscriptionCancellationWithdrawn({ ...which(subscription), reason }),
        ...(expiresAt === undefined || graceDays === undefined
          ? []
          : resignedLicense(subscription, { expiresAt, graceDays }, kid, 'cancellation withdrawn')),
      ]
    },

    /** When the period of a pending cancellation is over; before that, and a second time, nothing happens. */
    EndSubscription: (state, _ask: object, { at }) => {
      const subscription = found(state)
      const { cancellation } = subscription
      if (!cancellation || Date.parse(cancellation.endsAt) > at.getTime()) return []
      const { reason, comment } = cancellation
      return [SubscriptionCancelled({ ...which(subscription), reason, comment })]
    },

    PauseSubscription: (state, { reason = NOT_GIVEN }: { reason?: string | undefined }) => [
      SubscriptionPaused({ ...which(running(state, ['ACTIVE'])), reason }),
    ],

    ResumeSubscription: (state, { reason = NOT_GIVEN }: { reason?: string | undefined }) => [
      SubscriptionResumed({ ...which(running(state, ['PAUSED'])), reason }),
    ],

    /** Another plan gives a new license and supersedes the old one; seats and cycle only change what the token says. Who has no license gets none by it. */
    ChangeSubscription: (state, ask: ChangeSubscription, { at }) => {
      const subscription = changeable(state)
      if (subscription.status === 'PAST_DUE' && ask.change.proration !== 'none')
        reject(
          'conflict',
          'A charge is outstanding: settle it first, or change without proration',
          'PAYMENT_OUTSTANDING',
        )
      return changedNow(subscription, ask, at)
    },

    /** Back to what it is sold as now: nothing is scheduled any more. */
    ScheduleChange: (state, { change, plan }: Pick<ChangeSubscription, 'change' | 'plan'>) => {
      const subscription = changeable(state)
      if (!differs(subscription, termsOf(subscription, change, plan)))
        return subscription.scheduledChange
          ? [SubscriptionChangeWithdrawn({ ...which(subscription), reason: 'nothing is to change any more' })]
          : []
      const effectiveAt = subscription.currentPeriodEnd
      return [SubscriptionChangeScheduled({ ...which(subscription), ...asked(change), effectiveAt })]
    },

    /** @returns [] where nothing is scheduled, its time has not come, or a trial has not ended yet. A plan that was closed, or is not offered so any more, withdraws it. */
    ApplyScheduledChange: (state, ask: Omit<ChangeSubscription, 'change' | 'pricedAt'>, { at }) => {
      const subscription = found(state)
      const change = subscription.scheduledChange
      if (!change || Date.parse(change.effectiveAt) > at.getTime()) return []
      // Nothing was paid yet: what becomes of the trial is decided first.
      if (subscription.status === 'TRIALING') return []
      const isOpen =
        (change.planSlug === undefined || ask.plan?.active === true) && isSold(subscription, change, ask.plan)
      const isHeld = unrevoked(subscription)?.status === 'SUSPENDED' && change.planSlug !== undefined
      if (!isOpen || isHeld || !RUNNING.includes(subscription.status) || subscription.cancellation)
        return [SubscriptionChangeWithdrawn({ ...which(subscription), reason: 'it can no longer take effect' })]
      const done = scheduledNow(subscription, { ...ask, change }, at)
      const withdrawn = SubscriptionChangeWithdrawn({ ...which(subscription), reason: 'it changes nothing any more' })
      return done.length > 0 ? done : [withdrawn]
    },

    /** The next period; paid for by whoever asks. Where the license went on meanwhile, so did the time that is paid for; else it begins now. */
    RenewSubscription: (state, { kid }: { kid: string }, { at }) => {
      const subscription = staying(running(state, [...RUNNING, 'UNPAID']))
      const end = new Date(givenUntil(subscription))
      return renewedFrom(subscription, end > at || isInUse(subscription, at) ? end : at, at, kid)
    },

    /** Paid for the first time, or a trial converted: a period from now on. */
    ActivateSubscription: (
      state,
      { status, plan, kid }: { status: 'ACTIVE' | 'TRIALING'; plan: Plan | undefined; kid: string },
      { at },
    ) => {
      const subscription = staying(running(state, ['INCOMPLETE', 'TRIALING']))
      if (status === 'TRIALING') running(state, ['INCOMPLETE'])
      const end = cycleAfter(at, subscription.billingCycle)
      const activated = SubscriptionActivated({
        ...which(subscription),
        status,
        currentPeriodStart: at.toISOString(),
        currentPeriodEnd: end.toISOString(),
        trialEndsAt: status === 'TRIALING' && plan ? trialEnd(plan, at, end) : subscription.trialEndsAt,
      })
      const expiresAt = end.toISOString()
      return [activated, ...resignedLicense(subscription, { expiresAt }, kid, 'paid')]
    },

    /** @param ask nextAttemptAt null: that was the last try; kept: how long the license lasts while it is tried again */
    FailPayment: (
      state,
      { nextAttemptAt, kept }: { nextAttemptAt: string | null; kept?: { until: string; kid: string } | undefined },
    ) => {
      const subscription = running(state, RUNNING)
      const attempt = subscription.failedPayments + 1
      const failed = SubscriptionPaymentFailed({ ...which(subscription), attempt, nextAttemptAt })
      return [failed, ...(kept ? keptUntil(subscription, kept) : [])]
    },

    /** Nothing where nothing was owed. */
    RecoverPayment: (state, _ask: object) => {
      const subscription = found(state)
      return ['PAST_DUE', 'UNPAID'].includes(subscription.status) ? [SubscriptionRecovered(which(subscription))] : []
    },

    GiveUpCharging: (state, _ask: object) => [SubscriptionUnpaid(which(running(state, ['PAST_DUE'])))],

    /** A second time changes nothing. Its license ends with it, without grace. */
    ExpireSubscription: (state, { reason, kid }: { reason: string; kid: string }, { at }) => {
      const subscription = found(state)
      if (isOver(subscription)) return []
      running(state, ['INCOMPLETE', 'TRIALING'])
      const expiresAt = at.toISOString()
      return [
        SubscriptionExpired({ ...which(subscription), reason }),
        ...resignedLicense(subscription, { expiresAt, graceDays: 0 }, kid, reason),
      ]
    },

    IssueLicense: (state, ask: IssueLicense, { at }) => {
      const subscription = found(state)
      if (isOver(subscription) || subscription.status === 'INCOMPLETE')
        reject('conflict', `The subscription is ${subscription.status.toLowerCase()}`, 'SUBSCRIPTION_NOT_RUNNING')
      return issuedAnew(staying(subscription), openPlan(ask.plan, subscription.planSlug), ask, at)
    },

    RevokeLicense: (state, { licenseId, reason }: OfLicense & { reason: string }) => {
      const subscription = found(state)
      const license = licenseIn(subscription, licenseId)
      if (license.status === 'REVOKED') reject('conflict', 'The license is already revoked', 'LICENSE_REVOKED')
      return [revoked(subscription, licenseId, reason)]
    },
    SuspendLicense: (state, { licenseId, ...ask }: OfLicense & { reason: string }) => [
      suspended(licenseIn(found(state), licenseId), ask),
    ],
    ResumeLicense: (state, { licenseId }: OfLicense) => [resumed(licenseIn(found(state), licenseId))],
    /** Not where the subscription's end decides about the license's. */
    ExtendLicense: (state, { licenseId, ...ask }: OfLicense & Extension, { at }) => {
      const license = licenseIn(found(state), licenseId)
      const { cancellation, status } = found(state)
      if (license.status !== 'REVOKED' && (cancellation || isOver({ status })))
        reject(
          'conflict',
          `The subscription is ${cancellation ? ABOUT_TO_END : status.toLowerCase()}`,
          'SUBSCRIPTION_ENDS',
        )
      return [extended(license, ask, at)]
    },
    ReissueLicense: (state, { licenseId, ...ask }: OfLicense & Reissue, { at }) => [
      reissued(licenseIn(found(state), licenseId), ask, at),
    ],
    /** Signs with another key, unless it is so already. */
    ResignLicense: (state, { licenseId, kid, reason }: OfLicense & { kid: string; reason: string }) => {
      const license = licenseIn(found(state), licenseId)
      return license.kid === kid || license.status === 'REVOKED'
        ? []
        : [resigned(license, { kid, changes: {}, reason })]
    },
    /** Writes down what time has done to a license, once. */
    NoteExpiry: (state, { licenseId }: OfLicense, { at }) => ended(licenseIn(found(state), licenseId), at),
  },
})

/** What an event makes of the license that it names. */
function changingLicense<Name extends keyof LicenseChanges>(name: Name) {
  type Data = Parameters<LicenseChanges[Name]>[1]
  const after = licenseAfter[name] as (license: License, data: Data, at: Date) => License
  return (state: Subscription | undefined, data: Data, at: Date): Subscription => ({
    ...state!,
    licenses: state!.licenses.map((license) => (license.id === data.licenseId ? after(license, data, at) : license)),
  })
}
