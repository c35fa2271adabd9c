/** Example events for the specifications of the licensing service. */
import type { DataOf } from '#kernel/events/event'
import { LicenseIssued } from '#licensing/licenses/events'
import type { Plan } from '#licensing/plans/rules'
import { SubscriptionCreated } from '#licensing/subscriptions/events'
import { AT } from '#test/support/decider-spec'

const DAY_MS = 86_400_000

export const SUBSCRIPTION_ID = '01890000-0000-7000-8000-00000000a001'
export const CUSTOMER_ID = '01890000-0000-7000-8000-00000000c001'
export const LICENSE_ID = '01890000-0000-7000-8000-00000000b001'
export const NEXT_LICENSE_ID = '01890000-0000-7000-8000-00000000b002'

export const days = (number: number, from: Date = AT): Date => new Date(from.getTime() + number * DAY_MS)
export const inDays = (number: number, from: Date = AT): string => days(number, from).toISOString()

export const aPlan = (more: Partial<Plan> = {}): Plan => {
  const plan = { ...TEAM, ...more }
  const { version, currency, priceMonthly, priceYearly, free, features } = plan
  return { ...plan, versions: { [version]: { currency, priceMonthly, priceYearly, free, features }, ...more.versions } }
}

const TEAM: Omit<Plan, 'versions'> = {
  id: '01890000-0000-7000-8000-00000000d001',
  slug: 'team',
  active: true,
  version: 3,
  name: 'Team',
  currency: 'EUR',
  priceMonthly: 1_900,
  priceYearly: 19_000,
  free: false,
  public: true,
  trialDays: 30,
  maxActivations: 3,
  maxSeats: 50,
  graceDays: 14,
  offlineDays: 7,
  heartbeatSeconds: 14_400,
  reclaimStaleAfterDays: 0,
  features: [
    { key: 'backups', value: true },
    { key: 'projects', value: 25, validFrom: '2026-01-01T00:00:00Z' },
  ],
  createdAt: AT.toISOString(),
}

export const subscriptionCreated = (more: Partial<DataOf<typeof SubscriptionCreated>> = {}) =>
  SubscriptionCreated({
    subscriptionId: SUBSCRIPTION_ID,
    customerId: CUSTOMER_ID,
    reference: 'order-1',
    referenceKey: 'hmac-of-order-1',
    requestHash: 'hash',
    planSlug: 'team',
    planVersion: 3,
    features: { backups: true, projects: [25, 1_767_225_600, null] },
    status: 'ACTIVE',
    seats: 5,
    billingCycle: 'YEARLY',
    currentPeriodStart: AT.toISOString(),
    currentPeriodEnd: '2027-01-01T00:00:00.000Z',
    trialEndsAt: null,
    maxActivations: 3,
    ...more,
  })

export const licenseIssued = (more: Partial<DataOf<typeof LicenseIssued>> = {}) =>
  LicenseIssued({
    licenseId: LICENSE_ID,
    subscriptionId: SUBSCRIPTION_ID,
    customerId: CUSTOMER_ID,
    keyId: 'lic_first',
    seq: 1,
    kid: 'kid',
    k: 'first-request-secret',
    iss: 'https://licensing.example.test',
    planSlug: 'team',
    planVersion: 3,
    features: { backups: true, projects: [25, 1_767_225_600, null] },
    seats: 5,
    billingCycle: 'YEARLY',
    maxActivationsAsked: null,
    maxActivations: 3,
    graceDays: 14,
    offlineDays: 7,
    heartbeatSeconds: 14_400,
    issuedAt: AT.toISOString(),
    expiresAt: '2027-01-01T00:00:00.000Z',
    ...more,
  })
