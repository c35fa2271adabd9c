/** Any sequence of events: the daily figures, live and rebuilt, are what counting all events of each day's past gives. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eventCodec } from '#kernel/events/codec'
import { projector } from '#kernel/projections/projector'
import { kyselyFor } from '#kernel/projections/read-database'
import { memoryStore } from '#kernel/store/memory/memory-store'
import { memoryKeyStore } from '#kernel/vault/key-store'
import { openVault } from '#kernel/vault/vault'
import { customerEvents } from '#licensing/customers/events'
import { licenseSlotEvents } from '#licensing/instances/events'
import { periodOf, valuesOf } from '#licensing/metrics/series/rules'
import { subscriptionEvents } from '#licensing/subscriptions/events'
import { dailyFigureTable, figureChanges } from '#projections/licensing/metrics'
import { pooledDatabase } from '#test/support/pooled-database'

const RUNS = 25
const DAY_MS = 86_400_000
const FIRST = Date.parse('2026-02-20T00:00:00.000Z')
const DAYS = 14
const KINDS = ['licenses', 'subscriptions', 'panels', 'recurring', 'new'] as const

const streams = [customerEvents, subscriptionEvents, licenseSlotEvents]
const codec = eventCodec(streams, openVault({ store: memoryKeyStore(), kek: Buffer.alloc(32, 7) }))

interface Happening {
  readonly type: string
  readonly ms: number
  readonly customer: number
  readonly subscription: number
  readonly data: Readonly<Record<string, unknown>>
}

const uuid = (kind: string, nth: number) => `01890000-0000-7000-8000-${kind}${String(nth).padStart(11, '0')}`

const STATUS: Readonly<Record<string, string>> = {
  SubscriptionCancelled: 'CANCELLED',
  SubscriptionPaused: 'PAUSED',
  SubscriptionResumed: 'ACTIVE',
  SubscriptionPaymentFailed: 'PAST_DUE',
  SubscriptionRecovered: 'ACTIVE',
  SubscriptionUnpaid: 'UNPAID',
  SubscriptionExpired: 'EXPIRED',
}
const LICENSE_TYPES = [
  'LicenseIssued',
  'LicenseRevoked',
  'LicenseSuspended',
  'LicenseResumed',
  'LicenseExtended',
  'LicenseResigned',
  'LicenseEnteredGrace',
  'LicenseExpired',
]
const PANEL_TYPES = [
  'InstanceActivated',
  'InstanceDeactivated',
  'InstanceReactivated',
  'InstanceMarkedStale',
  'InstanceReturned',
  'SlotsReleased',
]
const OTHERS = ['SubscriptionChanged', 'SubscriptionActivated', 'CustomerSuspended', 'CustomerActivated']

const step = fc.record({
  type: fc.constantFrom(...Object.keys(STATUS), ...LICENSE_TYPES, ...PANEL_TYPES, ...OTHERS),
  ms: fc.nat({ max: DAYS * DAY_MS - 1 }),
  subscription: fc.nat({ max: 2 }),
  nth: fc.nat({ max: 2 }),
  seats: fc.integer({ min: 1, max: 9 }),
  flag: fc.boolean(),
})

/** A customer who is suspended before the third subscription begins, which no sequence of few runs may come to. */
const SUSPENDED_FIRST = [
  { type: 'CustomerSuspended', ms: 0, subscription: 0, nth: 0, seats: 1, flag: false },
  { type: 'LicenseIssued', ms: 2 * DAY_MS, subscription: 2, nth: 0, seats: 1, flag: false },
]

/** A log in the order of time: two customers, three subscriptions, and what may happen to a license that exists. */
function happenings(steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[]): Happening[] {
  const begin = [0, 1].map((customer): Happening => {
    const data = { customerId: uuid('c', customer) }
    return { type: 'CustomerRegistered', ms: 0, customer, subscription: -1, data }
  })
  const created = [0, 1, 2].map((subscription): Happening => {
    const terms = { planSlug: 'team', planVersion: 1, billingCycle: 'MONTHLY', seats: 2 }
    const status = subscription === 2 ? 'INCOMPLETE' : 'ACTIVE'
    const customer = subscription % 2
    const data = { subscriptionId: uuid('a', subscription), customerId: uuid('c', customer), status, ...terms }
    return { type: 'SubscriptionCreated', ms: subscription * DAY_MS, customer, subscription, data }
  })
  const licenses = new Set<string>()
  const gone = new Set<string>()
  const later = steps
    .toSorted((one, other) => one.ms - other.ms)
    .flatMap(({ type, ms, subscription, nth, seats, flag }): Happening[] => {
      if (ms < subscription * DAY_MS) return []
      const licenseId = uuid('b', subscription * 10 + nth)
      const isLicense = type.startsWith('License')
      if (isLicense && (gone.has(licenseId) || licenses.has(licenseId) === (type === 'LicenseIssued'))) return []
      if (type === 'LicenseIssued') licenses.add(licenseId)
      if (type === 'LicenseRevoked') gone.add(licenseId)
      const customer = subscription % 2
      const data = {
        subscriptionId: uuid('a', subscription),
        customerId: uuid('c', customer),
        ...(isLicense && { licenseId }),
        ...(type === 'LicenseRevoked' && flag && { supersededBy: uuid('b', 99) }),
        ...(type === 'LicenseResigned' && { changes: flag ? { graceEndsAt: '2027-01-01T00:00:00.000Z' } : {} }),
        ...(type.startsWith('Instance') && { instanceId: uuid('d', subscription * 10 + nth) }),
        ...(type === 'SubscriptionActivated' && { status: flag ? 'ACTIVE' : 'TRIALING' }),
        ...(type === 'SubscriptionChanged' && {
          seats,
          planSlug: 'team',
          planVersion: 1 + nth,
          billingCycle: flag ? 'YEARLY' : 'MONTHLY',
        }),
      }
      return [{ type, ms, customer, subscription, data }]
    })
  return [...begin, ...created, ...later].toSorted((one, other) => one.ms - other.ms)
}

/** What all events up to a day leave, by searching them for the last one that says something. */
function countedBy(past: readonly Happening[]): Record<string, number> {
  const counts: Record<string, number> = {}
  const add = (name: string, number = 1) => (counts[name] = (counts[name] ?? 0) + number)
  for (const subscription of [0, 1, 2]) {
    const own = past.filter((each) => each.subscription === subscription && !each.type.startsWith('Customer'))
    if (own.length === 0) continue
    const saysStatus = own.findLast(({ type, data }) => type in STATUS || 'status' in data)!
    const status = STATUS[saysStatus.type] ?? String(saysStatus.data['status'])
    add(`subscriptions/${status}`)
    const { planSlug, planVersion, billingCycle, seats } = own.findLast(({ data }) => 'seats' in data)!.data
    if (status === 'ACTIVE' || status === 'PAST_DUE')
      add(['recurring', planSlug, planVersion, billingCycle].join('/'), Number(seats))
    const customerId = uuid('c', subscription % 2)
    const hold = past.findLast(({ type, data }) => /^Customer(Sus|Act)/.test(type) && data['customerId'] === customerId)
    const isHeld = hold?.type === 'CustomerSuspended' || status === 'PAUSED' || status === 'UNPAID'
    for (const licenseId of new Set(own.map(({ data }) => data['licenseId']).filter(Boolean)))
      add(
        `licenses/${licenseState(
          own.filter(({ data }) => data['licenseId'] === licenseId),
          isHeld,
        )}`,
      )
    for (const instanceId of new Set(own.map(({ data }) => data['instanceId']).filter(Boolean))) {
      const last = own.findLast(({ type, data }) => data['instanceId'] === instanceId || type === 'SlotsReleased')!.type
      if (last === 'InstanceMarkedStale') add('panels/STALE')
      else if (!['InstanceDeactivated', 'SlotsReleased'].includes(last)) add('panels/ACTIVE')
    }
  }
  return counts
}

function licenseState(own: readonly Happening[], isHeld: boolean): string {
  const last = (...types: string[]) => own.findLast(({ type }) => types.includes(type))?.type
  if (last('LicenseRevoked')) return 'REVOKED'
  if (isHeld || last('LicenseSuspended', 'LicenseResumed') === 'LicenseSuspended') return 'SUSPENDED'
  const noting = own.findLast(
    ({ type, data }) =>
      ['LicenseEnteredGrace', 'LicenseExpired', 'LicenseExtended'].includes(type) ||
      (type === 'LicenseResigned' && 'graceEndsAt' in (data['changes'] as object)),
  )?.type
  return noting === 'LicenseEnteredGrace' ? 'GRACE' : noting === 'LicenseExpired' ? 'EXPIRED' : 'ACTIVE'
}

function newOn(day: readonly Happening[], past: readonly Happening[]): Record<string, number> {
  const statusBefore = (of: Happening) =>
    past
      .slice(0, past.indexOf(of))
      .map(({ type, subscription, data }) => (subscription === of.subscription ? (STATUS[type] ?? data['status']) : ''))
      .findLast(Boolean) ?? 'INCOMPLETE'
  const isSale = (each: Happening) =>
    /^Subscription(Created|Activated)$/.test(each.type) &&
    each.data['status'] !== 'INCOMPLETE' &&
    statusBefore(each) === 'INCOMPLETE'
  const of = (type: string) => day.filter((each) => each.type === type)
  return {
    customers: of('CustomerRegistered').length,
    subscriptions: day.filter(isSale).length,
    licenses: of('LicenseIssued').length,
    revocations: of('LicenseRevoked').filter(({ data }) => !('supersededBy' in data)).length,
    panels: of('InstanceActivated').length,
  }
}

const { pool } = await pooledDatabase('daybook_projector')

const nameOf = ({ type, customer, subscription }: Happening): string => {
  if (type.startsWith('Customer')) return customerEvents.nameFor(uuid('c', customer))
  const isSlot = type.startsWith('Instance') || type === 'SlotsReleased'
  return (isSlot ? licenseSlotEvents : subscriptionEvents).nameFor(uuid('a', subscription))
}

async function figures() {
  const read = kyselyFor(pool)
  const now = new Date(FIRST + DAYS * DAY_MS - 1)
  const period = periodOf({ from: '2026-02-20', step: 'day' }, now)
  const days = { from: period.points[0]!, to: period.to }
  const all = KINDS.map(async (kind) => {
    const changes = await figureChanges(read, { kind, ...days })
    return [kind, valuesOf(period, changes, kind === 'new')] as const
  })
  return { points: period.points, lines: new Map(await Promise.all(all)) }
}

test('every day shows the state that the events until then left, live and rebuilt', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      await pool.query('TRUNCATE read.projection, read.parked; DROP TABLE IF EXISTS read.daily_figures')
      const store = memoryStore()
      const following = projector({ store, codec, database: kyselyFor(pool), models: [dailyFigureTable] })
      await following.prepare()
      const log = happenings(steps)
      for (const [nth, each] of log.entries()) {
        const at = new Date(FIRST + each.ms).toISOString()
        const metadata = { at, actor: { type: 'SYSTEM', id: 'test' }, requestId: 'test' }
        const { schemaVersion } = codec.typeOf(each.type)
        const event = { id: crypto.randomUUID(), type: each.type, schemaVersion, data: each.data as never, metadata }
        await store.append({ parts: [{ stream: nameOf(each), expected: 'any', events: [event] }] })
        if (nth % 5 === 0) await following.catchUp()
      }
      await following.catchUp()
      expect(await following.parkedStreams()).toEqual([])
      const live = await figures()
      await following.rebuild()
      expect(await figures()).toEqual(live)
      for (const [nth] of live.points.entries()) {
        const past = log.filter(({ ms }) => ms < (nth + 1) * DAY_MS)
        const onThisDay = past.filter(({ ms }) => ms >= nth * DAY_MS)
        const shown = KINDS.flatMap((kind) =>
          [...live.lines.get(kind)!].map(([name, values]) => [`${kind}/${name}`, values[nth]!] as const),
        ).filter(([, value]) => value !== 0)
        const fresh = Object.entries(newOn(onThisDay, past)).map(([name, number]) => [`new/${name}`, number] as const)
        const expected = [...Object.entries(countedBy(past)), ...fresh].filter(([, value]) => value !== 0)
        expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(expected))
      }
    }),
    { numRuns: RUNS, examples: [[SUSPENDED_FIRST]] },
  )
}, 120_000)
