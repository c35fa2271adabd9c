/** What one subscription, with its licenses and panels, counts as in the daily figures. */
import type { DataOf } from '#kernel/events/event'
import type { licenseSlotEvents } from '#licensing/instances/events'
import type { EffectiveStatus } from '#licensing/licenses/events'
import type { SUBSCRIPTION_STATUSES, subscriptionEvents } from '#licensing/subscriptions/events'

interface StandingLicense {
  readonly isSuspended: boolean
  /** The phase of its end that an event has recorded. */
  readonly noted: 'GRACE' | 'EXPIRED' | null
}

export interface Standing {
  readonly status: (typeof SUBSCRIPTION_STATUSES)[number]
  /** What its price depends on, as `soldTerms` reads it. */
  readonly sold: string
  readonly seats: number
  /** The customer is suspended, and so are the licenses. */
  readonly isCustomerSuspended: boolean
  /** Without revoked ones. */
  readonly licenses: Readonly<Record<string, StandingLicense>>
  readonly revoked: number
  /** Panels that hold a slot. */
  readonly panels: Readonly<Record<string, PanelState>>
}

export const PANEL_STATES = ['ACTIVE', 'STALE'] as const
export type PanelState = (typeof PANEL_STATES)[number]

/** Numbers by the name of a line, such as `licenses/ACTIVE`. */
export type Counts = Readonly<Record<string, number>>

type Types = (typeof subscriptionEvents)['types'][number] | (typeof licenseSlotEvents)['types'][number]
type StepOf<T> = T extends { readonly type: string } ? (standing: Standing, data: DataOf<T & Types>) => Standing : never
type Steps = { readonly [T in Types as T['type']]?: StepOf<T> }

interface Sold {
  readonly planSlug: string
  readonly planVersion: number
  readonly billingCycle: 'MONTHLY' | 'YEARLY'
}

const soldOf = ({ planSlug, planVersion, billingCycle }: Sold): string => `${planSlug}/${planVersion}/${billingCycle}`

export function soldTerms(sold: string): Sold {
  const [planSlug = '', version, billingCycle] = sold.split('/')
  return { planSlug, planVersion: Number(version), billingCycle: billingCycle as Sold['billingCycle'] }
}

const inStatus =
  (status: Standing['status']) =>
  (standing: Standing): Standing => ({ ...standing, status })

const withLicense = (standing: Standing, id: string, change: Partial<StandingLicense>): Standing => {
  const license = standing.licenses[id]
  return license ? { ...standing, licenses: { ...standing.licenses, [id]: { ...license, ...change } } } : standing
}

const withPanel =
  (state: PanelState) =>
  (standing: Standing, { instanceId }: { instanceId: string }): Standing => ({
    ...standing,
    panels: { ...standing.panels, [instanceId]: state },
  })

const without = <Value>(all: Readonly<Record<string, Value>>, id: string): Readonly<Record<string, Value>> =>
  Object.fromEntries(Object.entries(all).filter(([each]) => each !== id))

const NEW_LICENSE: StandingLicense = { isSuspended: false, noted: null }

/** The standing before a subscription's first event. */
export const NONE: Standing = {
  status: 'INCOMPLETE',
  sold: '',
  seats: 0,
  isCustomerSuspended: false,
  licenses: {},
  revoked: 0,
  panels: {},
}

/** By type of event; other events change nothing that is counted. */
export const STEPS: Steps = {
  SubscriptionCreated: (none, { status, seats, ...terms }) => ({ ...none, status, seats, sold: soldOf(terms) }),
  SubscriptionActivated: (standing, { status }) => ({ ...standing, status }),
  SubscriptionChanged: (standing, { seats, ...terms }) => ({ ...standing, seats, sold: soldOf(terms) }),
  SubscriptionCancelled: inStatus('CANCELLED'),
  SubscriptionPaused: inStatus('PAUSED'),
  SubscriptionResumed: inStatus('ACTIVE'),
  SubscriptionPaymentFailed: inStatus('PAST_DUE'),
  SubscriptionRecovered: inStatus('ACTIVE'),
  SubscriptionUnpaid: inStatus('UNPAID'),
  SubscriptionExpired: inStatus('EXPIRED'),
  LicenseIssued: (standing, { licenseId }) => ({
    ...standing,
    licenses: { ...standing.licenses, [licenseId]: NEW_LICENSE },
  }),
  LicenseRevoked: (standing, { licenseId }) => ({
    ...standing,
    licenses: without(standing.licenses, licenseId),
    revoked: standing.revoked + 1,
  }),
  LicenseSuspended: (standing, { licenseId }) => withLicense(standing, licenseId, { isSuspended: true }),
  LicenseResumed: (standing, { licenseId }) => withLicense(standing, licenseId, { isSuspended: false }),
  LicenseExtended: (standing, { licenseId }) => withLicense(standing, licenseId, { noted: null }),
  LicenseResigned: (standing, { licenseId, changes }) =>
    changes.graceEndsAt === undefined ? standing : withLicense(standing, licenseId, { noted: null }),
  LicenseEnteredGrace: (standing, { licenseId }) => withLicense(standing, licenseId, { noted: 'GRACE' }),
  LicenseExpired: (standing, { licenseId }) => withLicense(standing, licenseId, { noted: 'EXPIRED' }),
  InstanceActivated: withPanel('ACTIVE'),
  InstanceReactivated: withPanel('ACTIVE'),
  InstanceReturned: withPanel('ACTIVE'),
  InstanceMarkedStale: withPanel('STALE'),
  InstanceDeactivated: (standing, { instanceId }) => ({ ...standing, panels: without(standing.panels, instanceId) }),
  SlotsReleased: (standing) => ({ ...standing, panels: {} }),
}

/** As `effectiveStatusAt`, by what events have recorded. */
function effectiveStatus({ status, isCustomerSuspended }: Standing, license: StandingLicense): EffectiveStatus {
  if (license.isSuspended || isCustomerSuspended || status === 'PAUSED' || status === 'UNPAID') return 'SUSPENDED'
  return license.noted ?? 'ACTIVE'
}

/** What recurs is paid for by subscriptions in these states. */
export const PAYING = ['ACTIVE', 'PAST_DUE'] as const satisfies readonly Standing['status'][]
const isPaying = (status: Standing['status']): boolean => PAYING.some((each) => each === status)

export function countsOf(standing: Standing): Counts {
  const { status, sold, seats, licenses, revoked, panels } = standing
  const licenseNames = Object.values(licenses).map((license) => `licenses/${effectiveStatus(standing, license)}`)
  return sumOf([
    { [`subscriptions/${status}`]: 1, 'licenses/REVOKED': revoked },
    ...licenseNames.map((name) => ({ [name]: 1 })),
    ...Object.values(panels).map((state) => ({ [`panels/${state}`]: 1 })),
    isPaying(status) ? { [`recurring/${sold}`]: seats } : {},
  ])
}

/** What is new with an event, such as `new/licenses`; a replaced license is not a revoked one. */
export function flowOf(type: string, data: object, before: Standing): Counts {
  const { status, supersededBy } = data as { readonly status?: string; readonly supersededBy?: string }
  const isSold = type === 'SubscriptionCreated' || type === 'SubscriptionActivated'
  if (isSold && before.status === 'INCOMPLETE' && status !== 'INCOMPLETE') return { 'new/subscriptions': 1 }
  if (type === 'LicenseRevoked' && supersededBy !== undefined) return {}
  const line = FLOWS[type]
  return line === undefined ? {} : { [line]: 1 }
}

const FLOWS: Readonly<Record<string, string>> = {
  CustomerRegistered: 'new/customers',
  LicenseIssued: 'new/licenses',
  LicenseRevoked: 'new/revocations',
  InstanceActivated: 'new/panels',
}

/** Without lines that are 0. */
export function sumOf(all: readonly Counts[]): Counts {
  const sums = new Map<string, number>()
  for (const [name, number] of all.flatMap((each) => Object.entries(each)))
    sums.set(name, (sums.get(name) ?? 0) + number)
  return Object.fromEntries([...sums].filter(([, number]) => number !== 0))
}

export const differenceOf = (after: Counts, before: Counts): Counts =>
  sumOf([after, Object.fromEntries(Object.entries(before).map(([name, number]) => [name, -number]))])
