import { describe, expect, it } from 'vitest'
import { LicenseRevoked } from '#licensing/licenses/events'
import { effectiveStatus } from '#licensing/licenses/rules'
import { subscriptions } from '#licensing/subscriptions/decider'
import { usableLicense } from '#licensing/subscriptions/license-rules'
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

const order = {
  subscriptionId: SUBSCRIPTION_ID,
  customerId: CUSTOMER_ID,
  reference: 'order-1',
  referenceKey: 'hmac-of-order-1',
  requestHash: 'hash',
  planSlug: 'team',
  plan: aPlan(),
  seats: 5,
  billingCycle: 'YEARLY',
  status: 'ACTIVE',
} as const

const next = {
  licenseId: NEXT_LICENSE_ID,
  keyId: 'lic_next',
  kid: 'kid',
  k: 'next-request-secret',
  iss: 'https://licensing.example.test',
  plan: aPlan(),
}

const nextIssued = (more: object = {}) =>
  licenseIssued({ licenseId: NEXT_LICENSE_ID, keyId: 'lic_next', k: 'next-request-secret', ...more })

const superseded = LicenseRevoked({
  licenseId: LICENSE_ID,
  subscriptionId: SUBSCRIPTION_ID,
  reason: 'superseded',
  supersededBy: NEXT_LICENSE_ID,
})
const revoked = LicenseRevoked({ licenseId: LICENSE_ID, subscriptionId: SUBSCRIPTION_ID, reason: 'leaked' })

describe('creating a subscription', () => {
  const asking = (more: object = {}) => given(subscriptions).when('CreateSubscription', { ...order, ...more })

  it('takes the plan’s terms of the moment and a year of time', () => asking().then([subscriptionCreated()]))

  it('ends when it was asked to, in UTC', () =>
    asking({ currentPeriodEnd: '2026-02-01T02:00:00+02:00' }).then([
      subscriptionCreated({ currentPeriodEnd: '2026-02-01T00:00:00.000Z' }),
    ]))

  it('lasts until 1 March where a leap day has no anniversary', () => {
    const at = new Date('2028-02-29T12:00:00.000Z')
    const [event] = given(subscriptions).when('CreateSubscription', order, { at }).events()
    expect(event!.data).toMatchObject({ currentPeriodEnd: '2029-03-01T12:00:00.000Z' })
  })

  it('gives a trial the plan’s trial days', () =>
    asking({ status: 'TRIALING' }).then([subscriptionCreated({ status: 'TRIALING', trialEndsAt: inDays(30) })]))

  it('lets no trial outlive its period', () =>
    asking({ status: 'TRIALING', currentPeriodEnd: inDays(10) }).then([
      subscriptionCreated({ status: 'TRIALING', trialEndsAt: inDays(10), currentPeriodEnd: inDays(10) }),
    ]))

  it('lets a trial of a plan without trial days last the period', () =>
    asking({ status: 'TRIALING', plan: aPlan({ trialDays: 0 }) }).then([
      subscriptionCreated({ status: 'TRIALING', trialEndsAt: '2027-01-01T00:00:00.000Z' }),
    ]))

  it('refuses a plan that does not exist', () => asking({ plan: undefined }).refused(400, 'Plan team does not exist'))

  it('refuses a plan that is not active', () =>
    asking({ plan: aPlan({ active: false }) }).refused(400, 'Plan team is not active'))

  it('sells as many seats as the plan has, and not one more', () => {
    asking({ seats: 50 }).then([subscriptionCreated({ seats: 50 })])
    asking({ seats: 51 }).refused(400, 'Plan team has at most 50 seats')
  })

  it('sells any number of seats of a plan without a limit', () =>
    asking({ seats: 100_000, plan: aPlan({ maxSeats: null }) }).then([subscriptionCreated({ seats: 100_000 })]))

  it('refuses an end that is not in the future', () => {
    asking({ currentPeriodEnd: AT.toISOString() }).refused(400, 'currentPeriodEnd must be in the future')
    asking({ currentPeriodEnd: '2026-01-01T00:00:00.001Z' }).events()
  })

  it('refuses an end more than ten years ahead', () => {
    asking({ currentPeriodEnd: '2036-01-01T00:00:00.000Z' }).events()
    asking({ currentPeriodEnd: '2036-01-01T00:00:00.001Z' }).refused(
      400,
      'currentPeriodEnd must be at most 10 years ahead',
    )
  })
})

describe('issuing a license', () => {
  const asking = (more: object = {}) =>
    given(subscriptions, [subscriptionCreated()]).when('IssueLicense', { ...next, ...more })

  it('lets the license expire with the period', () => asking().then([nextIssued()]))

  it('lets the license expire when asked to', () =>
    asking({ expiresAt: inDays(3) }).then([nextIssued({ expiresAt: inDays(3) })]))

  it('refuses an expiry that is not in the future or more than ten years ahead', () => {
    asking({ expiresAt: AT.toISOString() }).refused(400, 'expiresAt must be in the future')
    asking({ expiresAt: '2036-01-01T00:00:00.001Z' }).refused(400, 'expiresAt must be at most 10 years ahead')
  })

  it('asks for an expiry when the period has ended', () =>
    given(subscriptions, [subscriptionCreated({ currentPeriodEnd: AT.toISOString() })])
      .when('IssueLicense', next)
      .refused(400, 'The period of the subscription has ended: send expiresAt'))

  it('revokes the previous license in the same decision', () =>
    given(subscriptions, [subscriptionCreated(), licenseIssued()])
      .when('IssueLicense', next)
      .then([superseded, nextIssued()]))

  it('revokes a previous license whose time has passed, too', () =>
    given(subscriptions, [subscriptionCreated(), licenseIssued({ expiresAt: inDays(1) })])
      .when('IssueLicense', { ...next, expiresAt: inDays(900) }, { at: days(800) })
      .then([superseded, nextIssued({ issuedAt: inDays(800), expiresAt: inDays(900) })]))

  it('does not revoke what is revoked already', () =>
    given(subscriptions, [subscriptionCreated(), licenseIssued(), revoked])
      .when('IssueLicense', next)
      .then([nextIssued()]))

  it('grants the plan’s cap of activations, whatever is asked', () => {
    asking({ maxActivations: 1 }).then([nextIssued({ maxActivationsAsked: 1, maxActivations: 3 })])
    asking({ maxActivations: 99 }).then([nextIssued({ maxActivationsAsked: 99, maxActivations: 3 })])
  })

  it('never lowers the cap that the subscription had', () =>
    given(subscriptions, [subscriptionCreated(), licenseIssued({ maxActivations: 10 })])
      .when('IssueLicense', next)
      .then([superseded, nextIssued({ maxActivations: 10 })]))

  it('raises the cap with the plan', () =>
    asking({ plan: aPlan({ maxActivations: 7 }) }).then([nextIssued({ maxActivations: 7 })]))

  it('keeps seats, features and version as they were sold, and takes the plan’s present times', () =>
    asking({ plan: aPlan({ version: 9, features: [], maxSeats: 1, graceDays: 1, heartbeatSeconds: 60 }) }).then([
      nextIssued({ graceDays: 1, heartbeatSeconds: 60 }),
    ]))

  it('refuses a plan that is not active', () =>
    asking({ plan: aPlan({ active: false }) }).refused(400, 'Plan team is not active'))

  it('knows no license of a subscription that does not exist', () =>
    given(subscriptions).when('IssueLicense', next).refused(404, 'Not found'))
})

describe('revoking a license', () => {
  const ask = { licenseId: LICENSE_ID, reason: 'leaked' }

  it('keeps the reason', () =>
    given(subscriptions, [subscriptionCreated(), licenseIssued()]).when('RevokeLicense', ask).then([revoked]))

  it('refuses a second time', () =>
    given(subscriptions, [subscriptionCreated(), licenseIssued(), revoked])
      .when('RevokeLicense', ask)
      .refused(409, 'The license is already revoked'))

  it('refuses a license that was replaced', () =>
    given(subscriptions, [subscriptionCreated(), licenseIssued(), superseded, nextIssued()])
      .when('RevokeLicense', ask)
      .refused(409, 'The license is already revoked'))

  it('does not know other licenses', () =>
    given(subscriptions, [subscriptionCreated(), licenseIssued()])
      .when('RevokeLicense', { ...ask, licenseId: NEXT_LICENSE_ID })
      .refused(404, 'Not found'))
})

describe('what is left of a license', () => {
  const dates = { expiresAt: inDays(10), graceEndsAt: inDays(24) }

  it.each([
    ['ACTIVE', 'ACTIVE', days(9.999)],
    ['ACTIVE', 'GRACE', days(10)],
    ['ACTIVE', 'GRACE', days(23.999)],
    ['ACTIVE', 'EXPIRED', days(24)],
    ['REVOKED', 'REVOKED', days(1)],
    ['REVOKED', 'REVOKED', days(99)],
  ] as const)('%s is %s at %s', (status, expected, at) =>
    expect(effectiveStatus({ status, ...dates }, at)).toBe(expected),
  )

  it('can be used in its grace, but neither later nor when it was revoked', () => {
    const { state } = given(subscriptions, [subscriptionCreated(), licenseIssued({ expiresAt: inDays(10) })])
    expect(usableLicense(state, days(23))?.id).toBe(LICENSE_ID)
    expect(usableLicense(state, days(24))).toBeUndefined()
    const { state: ended } = given(subscriptions, [subscriptionCreated(), licenseIssued(), revoked])
    expect(usableLicense(ended, AT)).toBeUndefined()
  })
})

describe('a license whose subscription could not be charged for', () => {
  const kept = { until: inDays(387), kid: 'kid' }
  const failing = { nextAttemptAt: inDays(367), kept }
  const types = (events: readonly { type: string }[]) => events.map(({ type }) => type)

  it('lasts until nobody tries any more, with the grace that it had after that', () => {
    const events = given(subscriptions, [subscriptionCreated(), licenseIssued()]).when('FailPayment', failing).events()
    expect(types(events)).toEqual(['SubscriptionPaymentFailed', 'LicenseResigned'])
    expect(events[1]!.data).toMatchObject({ seq: 2, changes: { expiresAt: inDays(387), graceEndsAt: inDays(401) } })
    const then = given(subscriptions, [subscriptionCreated(), licenseIssued(), ...events])
    expect(types(then.when('FailPayment', failing).events())).toEqual(['SubscriptionPaymentFailed'])
  })

  it('lasts as long as it did where that is longer, and not beyond a cancellation', () => {
    const sold = [subscriptionCreated(), licenseIssued()]
    const short = { ...failing, kept: { ...kept, until: inDays(30) } }
    expect(types(given(subscriptions, sold).when('FailPayment', short).events())).toEqual(['SubscriptionPaymentFailed'])
    const leaving = given(subscriptions, sold).when('ScheduleCancellation', { kid: 'kid' }).events()
    const left = given(subscriptions, [...sold, ...leaving]).when('FailPayment', failing)
    expect(types(left.events())).toEqual(['SubscriptionPaymentFailed'])
  })
})
