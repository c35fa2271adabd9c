import { expect, it } from 'vitest'
import { inDays } from '../../support/licensing/examples.ts'
import { startService } from '../../support/licensing/service.ts'
import { shopFixture } from '../../support/licensing/shop-fixture.ts'

const service = await startService()
const { plan, provision, get } = await shopFixture(service)
const { slug } = await plan({ maxActivations: 4, trialDays: 10 })
const UNKNOWN = '01890000-0000-7000-8000-00000000ffff'

let number = 0
const provisioned = async (more: object = {}) =>
  (await provision({ email: `sub-${(number += 1)}@example.test`, planSlug: slug, ...more })).body
const found = async (query: string) =>
  (await get(`/api/admin/subscriptions?${query}`)).body.items.map(({ id }: { id: string }) => id)

it('answers the whole record', async () => {
  const currentPeriodEnd = inDays(60, new Date())
  const asked = { reference: 'whole record', seats: 7, billingCycle: 'MONTHLY', status: 'TRIALING', currentPeriodEnd }
  const { subscription, customer, license } = await provisioned(asked)
  const { status, body } = await get(`/api/admin/subscriptions/${subscription.id}`)
  expect(status).toBe(200)
  expect(body).toEqual({
    id: subscription.id,
    customerId: customer.id,
    planSlug: slug,
    planVersion: 1,
    status: 'TRIALING',
    seats: 7,
    billingCycle: 'MONTHLY',
    currentPeriodStart: expect.any(String),
    currentPeriodEnd,
    trialEndsAt: inDays(10, new Date(body.currentPeriodStart)),
    cancelAtPeriodEnd: false,
    cancelledAt: null,
    maxActivations: 4,
    reference: 'whole record',
    scheduledChange: null,
    licenseId: license.id,
  })
})

it('knows none that is not there', async () => {
  for (const id of [UNKNOWN, 'not-an-id']) {
    const { status, body } = await get(`/api/admin/subscriptions/${id}`)
    expect({ status, body }).toEqual({ status: 404, body: { statusCode: 404, message: 'Not found' } })
  }
})

it('is found by customer, status, plan and whole reference', async () => {
  const { slug: other } = await plan()
  const { subscription, customer } = await provisioned({ planSlug: other, reference: 'Find Me' })
  expect(await found(`customerId=${customer.id}`)).toEqual([subscription.id])
  expect(await found(`planSlug=${other}`)).toEqual([subscription.id])
  expect(await found(`planSlug=${other}&status=ACTIVE`)).toEqual([subscription.id])
  expect(await found(`planSlug=${other}&status=CANCELLED`)).toEqual([])
  expect(await found('reference=Find%20Me')).toEqual([subscription.id])
  expect(await found('reference=find%20me')).toEqual([])
  expect(await found('reference=Find')).toEqual([])
})

it('has a null for a reference that was not given', async () => {
  const { subscription } = await provisioned()
  expect((await get(`/api/admin/subscriptions/${subscription.id}`)).body.reference).toBeNull()
})

it('needs subscriptions:view, which its family brings', async () => {
  const family = await service.token(['subscriptions:*'])
  const other = await service.token(['licenses:manage'])
  expect((await get('/api/admin/subscriptions', family)).status).toBe(200)
  expect((await get('/api/admin/subscriptions', other)).status).toBe(403)
})
