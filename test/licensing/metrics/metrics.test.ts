import { expect, test } from 'vitest'
import { startService } from '../../support/licensing/service.ts'
import { shopFixture } from '../../support/licensing/shop-fixture.ts'

const DAY_MS = 86_400_000
const service = await startService()
const { plan, provision, get, post, admin } = await shopFixture(service)
const summary = async () => (await get('/api/admin/metrics/summary', await service.staff())).body

test('nothing is zero', async () => {
  const body = await summary()
  expect(body).toMatchObject({
    customers: { ACTIVE: 0, SUSPENDED: 0, ERASED: 0 },
    newCustomers30Days: 0,
    licenses: { ACTIVE: 0, GRACE: 0, EXPIRED: 0, SUSPENDED: 0, REVOKED: 0 },
    monthlyRecurring: [],
    configured: { mail: true, payments: false },
  })
  expect(Object.values(body.subscriptions).every((number) => number === 0)).toBe(true)
})

test('counts by status, and what recurs at the price that each was sold for', async () => {
  const { id, slug } = await plan({ priceMonthly: 1_000, priceYearly: 9_000, currency: 'EUR', maxSeats: 100 })
  const dollars = await plan({ priceMonthly: 500, currency: 'USD' })
  const sold = async (email: string, more: object = {}) =>
    (await provision({ email, planSlug: slug, billingCycle: 'MONTHLY', ...more })).body
  const first = await sold('one@example.test', { seats: 3 })
  await sold('two@example.test', { billingCycle: 'YEARLY', seats: 2 })
  await sold('three@example.test', { planSlug: dollars.slug })
  await sold('trial@example.test', { status: 'TRIALING' })
  await service.call('PATCH', `/api/admin/plans/${id}`, { as: admin, body: { priceMonthly: 2_000 } })
  await sold('four@example.test')
  await post(`/api/admin/licenses/${first.license.id}/revoke`, { reason: 'x' })
  const { customer } = await sold('five@example.test')
  const status = { as: admin, body: { status: 'SUSPENDED' } }
  await service.call('PATCH', `/api/admin/customers/${customer.id}/status`, status)
  expect(await summary()).toMatchObject({
    customers: { ACTIVE: 5, SUSPENDED: 1, ERASED: 0 },
    newCustomers30Days: 6,
    subscriptions: { ACTIVE: 5, TRIALING: 1 },
    licenses: { ACTIVE: 4, SUSPENDED: 1, REVOKED: 1 },
    // 3 × 1,000 a month, 2 × 9,000 a year, 2 × 2,000 a month.
    monthlyRecurring: [
      { currency: 'EUR', amount: 3_000 + 1_500 + 4_000, subscriptions: 4, seats: 7 },
      { currency: 'USD', amount: 500, subscriptions: 1, seats: 1 },
    ],
  })
  service.passTime(31 * DAY_MS)
  expect((await summary()).newCustomers30Days).toBe(0)
})
