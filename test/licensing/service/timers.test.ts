/** What time does to licenses and subscriptions: visible from dates at once, and recorded once. */
import { expect, it } from 'vitest'
import { currentSigningKey } from '#licensing/signing-keys/signing-key'
import { changeSubscription } from '#licensing/workflows/subscriptions/change'
import { decideSubscription } from '#licensing/workflows/subscriptions/decide'
import { startService } from '../../support/licensing/service.ts'
import { shopFixture } from '../../support/licensing/shop-fixture.ts'

const DAY_MS = 86_400_000
const service = await startService()
const { plan, provision } = await shopFixture(service)
const graceful = await plan({ graceDays: 14, maxSeats: 10 })
const strict = await plan({ graceDays: 0 })
const closing = await plan()

let number = 0
async function sold(planSlug = graceful.slug, days = 30) {
  const currentPeriodEnd = new Date(service.licensing.clock.now().getTime() + days * DAY_MS).toISOString()
  const asked = { email: `time-${(number += 1)}@example.test`, planSlug, currentPeriodEnd }
  const { status, body, text } = await provision(asked, await service.staff())
  expect(status, text).toBe(201)
  return { licenseId: body.license.id as string, subscriptionId: body.subscription.id as string }
}

const get = async (path: string) => (await service.call('GET', path, { as: await service.staff() })).body
const statusOf = async (licenseId: string) => (await get(`/api/admin/licenses/${licenseId}`)).effectiveStatus
const days = (count: number) => service.passTime(count * DAY_MS)

async function happened(subscriptionId: string): Promise<string[]> {
  const all = await service.licensing.store.readStream(`subscription-${subscriptionId}`)
  return all.map(({ type }) => type)
}

it('a license enters its grace and expires: right at once, written down once', async () => {
  const { licenseId, subscriptionId } = await sold()
  const before = await happened(subscriptionId)
  await service.settle()
  expect(await happened(subscriptionId)).toEqual(before)
  days(31)
  expect(await statusOf(licenseId)).toBe('GRACE')
  expect(await happened(subscriptionId)).toEqual(before)
  await Promise.all([service.settle(), service.settle()])
  expect(await happened(subscriptionId)).toEqual([...before, 'LicenseEnteredGrace'])
  days(14)
  expect(await statusOf(licenseId)).toBe('EXPIRED')
  await Promise.all([service.settle(), service.settle()])
  await service.settle()
  expect(await happened(subscriptionId)).toEqual([...before, 'LicenseEnteredGrace', 'LicenseExpired'])
})

it('an end that came and was noted is not noted again, by whoever finds it due', async () => {
  const { licenseId, subscriptionId } = await sold()
  days(100)
  const note = () => service.run((unit) => decideSubscription(unit, subscriptionId, 'NoteExpiry', { licenseId }))
  await Promise.all([note(), note(), note()])
  await service.settle()
  const ends = (await happened(subscriptionId)).filter((type) => /Grace|Expired/.test(type))
  expect(ends).toEqual(['LicenseEnteredGrace', 'LicenseExpired'])
})

it('both at once when nobody was there for a while', async () => {
  const { licenseId, subscriptionId } = await sold()
  days(100)
  expect(await statusOf(licenseId)).toBe('EXPIRED')
  await service.settle()
  expect((await happened(subscriptionId)).slice(-2)).toEqual(['LicenseEnteredGrace', 'LicenseExpired'])
})

it('no grace where there is none, and nothing of what was revoked', async () => {
  const { subscriptionId } = await sold(strict.slug)
  const revoked = await sold()
  const revoking = { licenseId: revoked.licenseId, reason: 'test' }
  await service.run((unit) => decideSubscription(unit, revoked.subscriptionId, 'RevokeLicense', revoking))
  days(100)
  await service.settle()
  expect((await happened(subscriptionId)).slice(-1)).toEqual(['LicenseExpired'])
  expect(await happened(subscriptionId)).not.toContain('LicenseEnteredGrace')
  expect((await happened(revoked.subscriptionId)).at(-1)).toBe('LicenseRevoked')
})

it('an end that was moved comes again', async () => {
  const { licenseId, subscriptionId } = await sold()
  days(31)
  await service.settle()
  await service.run(async (unit) => {
    const { kid } = await currentSigningKey(unit)
    await decideSubscription(unit, subscriptionId, 'ExtendLicense', { licenseId, days: 30, kid })
  })
  await service.settle()
  expect(await statusOf(licenseId)).toBe('ACTIVE')
  days(31)
  await service.settle()
  expect((await happened(subscriptionId)).slice(-3)).toEqual([
    'LicenseEnteredGrace',
    'LicenseExtended',
    'LicenseEnteredGrace',
  ])
})

it('a subscription that was cancelled for the end of its period ends then, and its license without grace', async () => {
  const { licenseId, subscriptionId } = await sold()
  await service.run(async (unit) => {
    const { kid } = await currentSigningKey(unit)
    await decideSubscription(unit, subscriptionId, 'ScheduleCancellation', { reason: 'enough', kid })
  })
  days(29)
  await service.settle()
  expect((await get(`/api/admin/subscriptions/${subscriptionId}`)).status).toBe('ACTIVE')
  days(1.01)
  expect(await statusOf(licenseId)).toBe('EXPIRED')
  await Promise.all([service.settle(), service.settle()])
  await service.settle()
  const ends = (await happened(subscriptionId)).filter((type) => /Cancelled|Expired|Grace/.test(type))
  expect(ends.toSorted()).toEqual(['LicenseExpired', 'SubscriptionCancelled'])
  expect((await get(`/api/admin/subscriptions/${subscriptionId}`)).status).toBe('CANCELLED')
})

const changed = async (subscriptionId: string): Promise<number> =>
  (await happened(subscriptionId)).filter((type) => type === 'SubscriptionChanged').length

it('a change that was scheduled takes effect once, when the period ends', async () => {
  const { subscriptionId } = await sold()
  const change = { seats: 7, proration: 'none', effective: 'period_end' } as const
  await service.run((unit) => changeSubscription(unit, subscriptionId, change, { iss: 'http://licensing.test' }))
  days(29)
  await service.settle()
  expect(await get(`/api/admin/subscriptions/${subscriptionId}`)).toMatchObject({ seats: 1 })
  days(1.01)
  await Promise.all([service.settle(), service.settle()])
  await service.settle()
  expect(await get(`/api/admin/subscriptions/${subscriptionId}`)).toMatchObject({ seats: 7, scheduledChange: null })
  expect(await changed(subscriptionId)).toBe(1)
})

it('another plan that was scheduled brings a license of its own, once', async () => {
  const { licenseId, subscriptionId } = await sold()
  const change = { planSlug: strict.slug, proration: 'none', effective: 'period_end' } as const
  await service.run((unit) => changeSubscription(unit, subscriptionId, change, { iss: 'http://licensing.test' }))
  days(30.01)
  await Promise.all([service.settle(), service.settle()])
  await service.settle()
  expect(await changed(subscriptionId)).toBe(1)
  expect((await happened(subscriptionId)).filter((type) => type === 'LicenseIssued')).toHaveLength(2)
  expect(await statusOf(licenseId)).toBe('REVOKED')
})

it('a change whose plan was closed meanwhile is withdrawn, and tried no more', async () => {
  const { slug, id } = closing
  const { subscriptionId } = await sold()
  const change = { planSlug: slug, proration: 'none', effective: 'period_end' } as const
  await service.run((unit) => changeSubscription(unit, subscriptionId, change, { iss: 'http://licensing.test' }))
  await service.call('POST', `/api/admin/plans/${id}/deactivate`, { as: await service.staff() })
  days(30.01)
  await service.settle()
  expect(await changed(subscriptionId)).toBe(0)
  expect(await happened(subscriptionId)).toContain('SubscriptionChangeWithdrawn')
  expect(await get(`/api/admin/subscriptions/${subscriptionId}`)).toMatchObject({ scheduledChange: null })
})
