/**
 * Every command in every status, compared with the table of licensing.md 3, and the effect of each on the
 * license.
 */
import { describe, expect, it } from 'vitest'
import type { EventIn } from '#kernel/events/event'
import { Rejection } from '#kernel/lib/rejection'
import { LicenseSuspended } from '#licensing/licenses/events'
import { effectiveStatus } from '#licensing/licenses/rules'
import { subscriptions } from '#licensing/subscriptions/decider'
import type { subscriptionEvents } from '#licensing/subscriptions/events'
import {
  SubscriptionCancelled,
  SubscriptionExpired,
  SubscriptionPaused,
  SubscriptionPaymentFailed,
  SubscriptionUnpaid,
} from '#licensing/subscriptions/events'
import { unrevokedLicense } from '#licensing/subscriptions/license-rules'
import type { Subscription } from '#licensing/subscriptions/term-rules'
import { isLicenseHeld } from '#licensing/subscriptions/term-rules'
import { AT, given } from '#test/support/decider-spec'
import {
  aPlan,
  subscriptionCreated,
  CUSTOMER_ID,
  days,
  inDays,
  licenseIssued,
  LICENSE_ID,
  NEXT_LICENSE_ID,
  SUBSCRIPTION_ID,
} from '../../support/licensing/examples.ts'

type Happened = EventIn<typeof subscriptionEvents>

const which = { subscriptionId: SUBSCRIPTION_ID, customerId: CUSTOMER_ID }
const failed = SubscriptionPaymentFailed({ ...which, attempt: 1, nextAttemptAt: inDays(2) })
const sold = (status: 'ACTIVE' | 'TRIALING' = 'ACTIVE'): Happened[] => [
  subscriptionCreated({ status, trialEndsAt: null }),
  licenseIssued(),
]

/** Events that lead to each status. */
const HISTORY = {
  INCOMPLETE: [subscriptionCreated({ status: 'INCOMPLETE' })],
  TRIALING: sold('TRIALING'),
  ACTIVE: sold(),
  PAST_DUE: [...sold(), failed],
  UNPAID: [...sold(), failed, SubscriptionUnpaid(which)],
  PAUSED: [...sold(), SubscriptionPaused({ ...which, reason: 'asked' })],
  CANCELLED: [...sold(), SubscriptionCancelled({ ...which, reason: 'asked', comment: null })],
  EXPIRED: [...sold('TRIALING'), SubscriptionExpired({ ...which, reason: 'trial ended' })],
} satisfies Record<Subscription['status'], Happened[]>

const STATUSES = Object.keys(HISTORY) as (keyof typeof HISTORY)[]

const kid = 'kid'
const license = { licenseId: NEXT_LICENSE_ID, keyId: 'lic_next', kid, k: 'next', iss: 'https://licensing.example.test' }
const change = { seats: 9, proration: 'prorate' as const }

const ASKS = {
  CancelSubscription: { reason: 'asked' },
  ScheduleCancellation: { reason: 'asked', kid },
  WithdrawCancellation: { kid },
  PauseSubscription: { reason: 'asked' },
  ResumeSubscription: {},
  ChangeSubscription: { change, plan: aPlan(), present: aPlan(), license },
  ScheduleChange: { change, plan: aPlan() },
  RenewSubscription: { kid },
  ActivateSubscription: { status: 'ACTIVE', plan: aPlan(), kid },
  FailPayment: { nextAttemptAt: null },
  RecoverPayment: {},
  GiveUpCharging: {},
  ExpireSubscription: { reason: 'trial ended', kid },
  IssueLicense: { ...license, plan: aPlan() },
} as const

/**
 * The status after the command; `same` if it changes something else, `-` if it changes nothing. A missing
 * command is refused with 409.
 */
const TABLE: Record<
  keyof typeof ASKS,
  Partial<Record<Subscription['status'], Subscription['status'] | 'same' | '-'>>
> = {
  CancelSubscription: {
    INCOMPLETE: 'CANCELLED',
    TRIALING: 'CANCELLED',
    ACTIVE: 'CANCELLED',
    PAST_DUE: 'CANCELLED',
    UNPAID: 'CANCELLED',
    PAUSED: 'CANCELLED',
    CANCELLED: '-',
    EXPIRED: '-',
  },
  ScheduleCancellation: { TRIALING: 'same', ACTIVE: 'same', PAST_DUE: 'same' },
  WithdrawCancellation: {},
  PauseSubscription: { ACTIVE: 'PAUSED' },
  ResumeSubscription: { PAUSED: 'ACTIVE' },
  ChangeSubscription: { TRIALING: 'same', ACTIVE: 'same' },
  ScheduleChange: { TRIALING: 'same', ACTIVE: 'same', PAST_DUE: 'same' },
  RenewSubscription: { TRIALING: 'same', ACTIVE: 'same', PAST_DUE: 'same', UNPAID: 'same' },
  ActivateSubscription: { INCOMPLETE: 'ACTIVE', TRIALING: 'ACTIVE' },
  FailPayment: { TRIALING: 'PAST_DUE', ACTIVE: 'PAST_DUE', PAST_DUE: 'PAST_DUE' },
  RecoverPayment: {
    INCOMPLETE: '-',
    TRIALING: '-',
    ACTIVE: '-',
    PAUSED: '-',
    CANCELLED: '-',
    EXPIRED: '-',
    PAST_DUE: 'ACTIVE',
    UNPAID: 'ACTIVE',
  },
  GiveUpCharging: { PAST_DUE: 'UNPAID' },
  ExpireSubscription: { INCOMPLETE: 'EXPIRED', TRIALING: 'EXPIRED', CANCELLED: '-', EXPIRED: '-' },
  IssueLicense: { TRIALING: 'same', ACTIVE: 'same', PAST_DUE: 'same', UNPAID: 'same', PAUSED: 'same' },
}

function after(status: keyof typeof HISTORY, command: keyof typeof ASKS, at = AT) {
  const state = given(subscriptions, HISTORY[status]).state as Subscription
  const decide = subscriptions.commands[command] as (...all: unknown[]) => readonly Happened[]
  const events = decide(state, ASKS[command], { at, actor: { type: 'STAFF', id: 'somebody' } })
  return { events, state: events.reduce((one: Subscription, each) => subscriptions.evolve(one, each, at)!, state) }
}

describe.each(Object.keys(ASKS) as (keyof typeof ASKS)[])('%s', (command) => {
  it.each(STATUSES)('of one that is %s', (status) => {
    const expected = TABLE[command][status]
    if (expected === undefined) {
      expect(() => after(status, command)).toThrow(
        expect.toSatisfy((error) => error instanceof Rejection && error.statusCode === 409),
      )
      return
    }
    const { events, state } = after(status, command)
    expect(state.status).toBe(expected === 'same' || expected === '-' ? status : expected)
    expect(events.length > 0).toBe(expected !== '-')
  })
})

const worth = (state: Subscription, at: Date) => effectiveStatus(unrevokedLicense(state)!, at, isLicenseHeld(state))

describe('what a license is worth', () => {
  it.each([
    ['TRIALING', 'ACTIVE'],
    ['ACTIVE', 'ACTIVE'],
    ['PAST_DUE', 'ACTIVE'],
    ['UNPAID', 'SUSPENDED'],
    ['PAUSED', 'SUSPENDED'],
  ] as const)('while the subscription is %s it is %s', (status, expected) =>
    expect(worth(given(subscriptions, HISTORY[status]).state as Subscription, AT)).toBe(expected),
  )

  it('is nothing from the moment the subscription is cancelled', () =>
    expect(unrevokedLicense(after('ACTIVE', 'CancelSubscription').state)).toBeUndefined())

  it('ends with the period, without grace, once the cancellation is scheduled', () => {
    const { state } = after('ACTIVE', 'ScheduleCancellation')
    const end = new Date(state.currentPeriodEnd)
    expect(worth(state, new Date(end.getTime() - 1))).toBe('ACTIVE')
    expect(worth(state, end)).toBe('EXPIRED')
  })

  it('is what it was before, when the cancellation is withdrawn', () => {
    const before = given(subscriptions, HISTORY.ACTIVE).state as Subscription
    const { state } = after('ACTIVE', 'ScheduleCancellation')
    const events = subscriptions.commands.WithdrawCancellation(
      state,
      { kid },
      { at: AT, actor: { type: 'STAFF', id: 'x' } },
    )
    const back = events.reduce((one: Subscription, each) => subscriptions.evolve(one, each, AT)!, state)
    const { seq, ...rest } = unrevokedLicense(back)!
    expect(rest).toEqual({ ...unrevokedLicense(before)!, seq: undefined })
    expect(seq).toBe(3)
  })

  it('ends at once with a trial that nobody converted', () =>
    expect(worth(after('TRIALING', 'ExpireSubscription').state, AT)).toBe('EXPIRED'))
})

describe('the end of a period', () => {
  const at = new Date('2027-01-01T00:00:00.000Z')
  const scheduled = after('ACTIVE', 'ScheduleCancellation').state

  it('cancels what was to be cancelled, once, and not a moment too soon', () => {
    const end = (state: Subscription, when: Date) =>
      subscriptions.commands.EndSubscription(state, {}, { at: when, actor: { type: 'SYSTEM', id: 'timer' } })
    expect(end(scheduled, new Date(at.getTime() - 1))).toEqual([])
    const events = end(scheduled, at)
    expect(events).toEqual([SubscriptionCancelled({ ...which, reason: 'asked', comment: null })])
    expect(end(subscriptions.evolve(scheduled, events[0]!, at)!, at)).toEqual([])
  })

  it('applies the scheduled change, and withdraws one whose plan was closed', () => {
    const { state } = after('ACTIVE', 'ScheduleChange')
    const apply = (plan = aPlan(), on = state) =>
      subscriptions.commands.ApplyScheduledChange(
        on,
        { plan, present: aPlan(), license },
        { at, actor: { type: 'SYSTEM', id: 'timer' } },
      )
    expect(apply().map(({ type }) => type)).toEqual([
      'SubscriptionChanged',
      'SubscriptionChangeWithdrawn',
      'SubscriptionRenewed',
      'LicenseResigned',
    ])
    const other = given(subscriptions, HISTORY.ACTIVE)
      .when('ScheduleChange', { change: { planSlug: 'big', proration: 'none' }, plan: aPlan({ slug: 'big' }) })
      .events()
    const waiting = subscriptions.evolve(given(subscriptions, HISTORY.ACTIVE).state, other[0]!, AT)!
    expect(apply(aPlan({ slug: 'big' }), waiting).map(({ type }) => type)).toEqual([
      'SubscriptionChanged',
      'SubscriptionChangeWithdrawn',
      'SubscriptionRenewed',
      'LicenseRevoked',
      'LicenseIssued',
    ])
    expect(apply(aPlan({ slug: 'big', active: false }), waiting).map(({ type }) => type)).toEqual([
      'SubscriptionChangeWithdrawn',
    ])
  })

  it('is a month later for who pays by the month, on the last day where the month is shorter', () => {
    const history = [
      subscriptionCreated({ billingCycle: 'MONTHLY', currentPeriodEnd: '2026-01-31T00:00:00.000Z' }),
      licenseIssued(),
    ]
    const [renewed] = given(subscriptions, history).when('RenewSubscription', { kid }).events()
    expect(renewed!.data).toMatchObject({
      currentPeriodStart: '2026-01-31T00:00:00.000Z',
      currentPeriodEnd: '2026-02-28T00:00:00.000Z',
    })
  })
})

it('gives no new license for a suspended one by way of another plan', () => {
  const history = [
    ...sold(),
    LicenseSuspended({ licenseId: LICENSE_ID, subscriptionId: SUBSCRIPTION_ID, reason: 'shared' }),
  ]
  const ask = {
    change: { planSlug: 'big', proration: 'none' as const },
    plan: aPlan({ slug: 'big' }),
    present: aPlan(),
    license,
  }
  given(subscriptions, history)
    .when('ChangeSubscription', ask)
    .refused(409, 'The license is suspended: it must be resumed first')
})

describe('time and a license', () => {
  const note = (events: readonly Happened[], at: Date) =>
    given(subscriptions, events).when('NoteExpiry', { licenseId: LICENSE_ID }, { at }).events()
  const end = new Date('2027-01-01T00:00:00.000Z')

  it('is written down once for the grace and once for the end, however late', () => {
    expect(note(sold(), days(-1, end))).toEqual([])
    const grace = note(sold(), end)
    expect(grace.map(({ type }) => type)).toEqual(['LicenseEnteredGrace'])
    expect(note([...sold(), ...grace], end)).toEqual([])
    const expired = note([...sold(), ...grace], days(14, end))
    expect(expired.map(({ type }) => type)).toEqual(['LicenseExpired'])
    expect(note([...sold(), ...grace, ...expired], days(99, end))).toEqual([])
    expect(note(sold(), days(14, end)).map(({ type }) => type)).toEqual(['LicenseEnteredGrace', 'LicenseExpired'])
  })

  it('starts anew where the license was extended', () => {
    const past = note(sold(), days(14, end))
    const extended = given(subscriptions, [...sold(), ...past])
      .when('ExtendLicense', { licenseId: LICENSE_ID, days: 10, kid }, { at: days(20, end) })
      .events()
    expect(extended[0]!.data).toMatchObject({ from: end.toISOString(), to: inDays(30, end), seq: 2 })
    const again = note([...sold(), ...past, ...extended], days(30, end))
    expect(again.map(({ type }) => type)).toEqual(['LicenseEnteredGrace'])
  })
})
