/**
 * What may be sold, to whom and at what price. Only plans marked as free are free, and the shop sells public
 * plans only.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { parseTrustedProxies } from '#kernel/credentials/source-address'
import { PlanCreated } from '#licensing/plans/events'
import { NewPlan } from '#licensing/plans/views'
import { subscriptions } from '#licensing/subscriptions/decider'
import { ensureFirstPlan, evaluationLicense } from '../../../src/evaluation/first-start.ts'
import { fromNewAddress } from '../../support/licensing/people.ts'
import { startService } from '../../support/licensing/service.ts'
import { shopFixture } from '../../support/licensing/shop-fixture.ts'
import { SHOP_URL, signedInShopper } from '../../support/licensing/shoppers.ts'
import { stripeServer } from '../../support/licensing/stripe-server.ts'

const DAY_MS = 86_400_000
const stripe = await stripeServer()
afterAll(() => stripe.stop())
const service = await startService({
  trustedProxies: parseTrustedProxies('127.0.0.1'),
  shopUrl: SHOP_URL,
  payments: { stripe: stripe.settings, seller: [] },
})
const { plan, provision, get, post } = await shopFixture(service)

const inShop = (method: string, path: string, as: string, body?: unknown) =>
  service.call(method, `/api/shop/${path}`, { as, body, headers: fromNewAddress() })
const staffs = async (method: string, path: string, body?: unknown) =>
  service.call(method, `/api/admin/${path}`, { as: await service.staff(), body })
const refusal = ({ status, body, headers }: { status: number; body: any; headers: Headers }) => [
  status,
  body.message,
  headers.get('error-code'),
]
const notOffered = (slug: string, cycle: string) => [409, `Plan ${slug} is not offered ${cycle}`, 'CYCLE_NOT_OFFERED']
const unknown = (slug: string) => [400, `Plan ${slug} does not exist`, 'PLAN_UNKNOWN']
const state = async (id: string) => (await service.run((unit) => unit.look(subscriptions, id)))!
const paymentsOf = async (id: string) => (await get(`/api/admin/subscriptions/${id}/payments`)).body.items

/** A customer with a subscription that staff provisioned. */
async function provisioned(planSlug: string, more: object = {}) {
  const shopper = await signedInShopper(service)
  const { body, text } = await provision({ email: shopper.email, planSlug, ...more })
  expect(body.created, text).toBe(true)
  return { ...shopper, subscriptionId: body.subscription.id as string, license: body.license }
}

describe('a stranger in the shop', () => {
  test('buys by the year what has a price by the year, and nothing of it by the month', async () => {
    const { slug: planSlug } = await plan({ priceYearly: 24_000 })
    const { as } = await signedInShopper(service)
    const before = await service.licensing.store.head()
    const order = { planSlug, seats: 50, billingCycle: 'MONTHLY' }
    expect(refusal(await inShop('POST', 'checkout', as, order))).toEqual(notOffered(planSlug, 'monthly'))
    expect(await service.licensing.store.head()).toBe(before)
    expect((await inShop('GET', 'subscriptions', as)).body.total).toBe(0)
    const bought = await inShop('POST', 'checkout', as, { ...order, billingCycle: 'YEARLY' })
    expect([bought.status, bought.body.checkoutUrl]).toEqual([201, expect.stringContaining('stripe')])
    const offers = (await inShop('GET', 'plans?pageSize=100', as)).body.items
    const offer = { priceMonthly: null, priceYearly: 24_000, free: false }
    expect(offers.find(({ slug }: { slug: string }) => slug === planSlug)).toMatchObject(offer)
  })

  test('has for nothing what is called free, and only while it is', async () => {
    const { slug: planSlug, id } = await plan({ free: true })
    const { as } = await signedInShopper(service)
    const had = await inShop('POST', 'checkout', as, { planSlug, billingCycle: 'MONTHLY' })
    expect(had.status, had.text).toBe(201)
    expect((await inShop('GET', 'subscriptions', as)).body.items).toMatchObject([{ planSlug, status: 'ACTIVE' }])
    await staffs('PATCH', `plans/${id}`, { free: false })
    const again = await inShop('POST', 'checkout', as, { planSlug })
    expect(refusal(again)).toEqual(notOffered(planSlug, 'yearly'))
  })

  test('neither sees nor buys what is not public, nor changes to it; staff may sell it', async () => {
    const hidden = await plan({ public: false, free: true })
    const dear = await plan({ priceYearly: 1_000 })
    const mine = await provisioned(dear.slug)
    const offers = (await inShop('GET', 'plans?pageSize=100', mine.as)).body.items
    expect(offers.map(({ slug }: { slug: string }) => slug)).not.toContain(hidden.slug)
    const path = `subscriptions/${mine.subscriptionId}`
    for (const planSlug of [hidden.slug, 'no-such-plan']) {
      expect(refusal(await inShop('POST', 'checkout', mine.as, { planSlug }))).toEqual(unknown(planSlug))
      expect(refusal(await inShop('PATCH', path, mine.as, { planSlug }))).toEqual(unknown(planSlug))
      expect(refusal(await inShop('POST', `${path}/change-preview`, mine.as, { planSlug }))).toEqual(unknown(planSlug))
    }
    expect((await staffs('PATCH', path, { planSlug: hidden.slug })).status).toBe(200)
  })
})

describe('the back office', () => {
  test('sells no cycle that has no price, and changes nothing into one', async () => {
    const monthly = await plan({ priceMonthly: 1_000, trialDays: 7 })
    const yearly = await plan({ priceYearly: 9_000 })
    const { id: customerId, subscriptionId } = await provisioned(monthly.slug, { billingCycle: 'MONTHLY' })
    for (const status of ['ACTIVE', 'TRIALING']) {
      const sale = { customerId, planSlug: monthly.slug, status }
      expect(refusal(await staffs('POST', 'subscriptions', sale))).toEqual(notOffered(monthly.slug, 'yearly'))
    }
    const path = `subscriptions/${subscriptionId}`
    for (const [body, slug, cycle] of [
      [{ billingCycle: 'YEARLY' }, monthly.slug, 'yearly'],
      [{ planSlug: yearly.slug }, yearly.slug, 'monthly'],
    ] as const)
      for (const effective of ['now', 'period_end']) {
        const ask = { ...body, effective }
        expect(refusal(await staffs('POST', `${path}/change-preview`, ask))).toEqual(notOffered(slug, cycle))
        expect(refusal(await staffs('PATCH', path, ask))).toEqual(notOffered(slug, cycle))
      }
    expect((await staffs('PATCH', path, { planSlug: yearly.slug, billingCycle: 'YEARLY' })).status).toBe(200)
  })

  test('says price, free and public of a plan in its export', async () => {
    const { id } = await plan({ priceYearly: 5 })
    const { text } = await get('/api/admin/exports/plans')
    const row = text.split('\n').find((line) => line.includes(id))!
    expect(JSON.parse(row)).toMatchObject({ priceMonthly: null, priceYearly: 5, free: false, public: true })
  })
})

describe('what is provisioned in a cycle without a price', () => {
  test('is had, since whoever provisions has sold it; it costs nothing here, and nobody adds to it but staff', async () => {
    const { slug } = await plan({ priceYearly: 9_000 })
    const mine = await provisioned(slug, { billingCycle: 'MONTHLY', seats: 2 })
    const path = `subscriptions/${mine.subscriptionId}`
    for (const ask of [{ seats: 50 }, { seats: 1 }]) {
      expect(refusal(await inShop('PATCH', path, mine.as, ask))).toEqual(notOffered(slug, 'monthly'))
      expect(refusal(await inShop('POST', `${path}/change-preview`, mine.as, ask))).toEqual(notOffered(slug, 'monthly'))
    }
    const preview = (await staffs('POST', `${path}/change-preview`, { seats: 5, proration: 'invoice' })).body
    expect(preview).toMatchObject({ current: { price: 0 }, next: { price: 0 }, dueNow: 0, creditAmount: 0 })
    expect((await staffs('PATCH', path, { seats: 5 })).body).toMatchObject({ seats: 5 })
    expect(await paymentsOf(mine.subscriptionId)).toEqual([])
  })

  test('goes on for a cycle with whatever sum is recorded for it: that was agreed elsewhere', async () => {
    const { slug } = await plan({ priceYearly: 9_000 })
    const { subscriptionId } = await provisioned(slug, { billingCycle: 'MONTHLY' })
    const { currentPeriodEnd } = await state(subscriptionId)
    const paid = { amount: 700, currency: 'EUR', method: 'BANK_TRANSFER' }
    expect((await staffs('POST', `subscriptions/${subscriptionId}/payments`, paid)).status).toBe(201)
    const lasts = Date.parse((await state(subscriptionId)).currentPeriodEnd) - Date.parse(currentPeriodEnd)
    expect(lasts).toBeGreaterThanOrEqual(28 * DAY_MS)
    expect(lasts).toBeLessThanOrEqual(31 * DAY_MS)
  })
})

describe('an evaluation', () => {
  const offered = async () => {
    await service.licensing.projector.catchUp()
    const { items } = (await service.call('GET', '/api/shop/plans?pageSize=100')).body
    return items.map(({ slug }: { slug: string }) => slug).filter((slug: string) => /^(starter|evaluation)$/.test(slug))
  }
  const written = async (slug: string) => {
    const planId = randomUUID()
    const { public: _public, free: _free, ...terms } = NewPlan.parse({ slug, name: slug })
    const data = { ...terms, planId, priceMonthly: 0, priceYearly: 0 }
    const metadata = { at: '2026-01-01T00:00:00.000Z', actor: { type: 'SYSTEM', id: 'daybook' }, requestId: 'then' }
    const created = { id: randomUUID(), type: PlanCreated.type, schemaVersion: 1, data, metadata }
    await service.licensing.store.append({
      parts: [{ stream: `plan-${planId}`, expected: 0, events: [created] }],
      take: [{ scope: 'planSlug', key: slug, holder: planId }],
    })
    return planId
  }

  test('of release 0.1.0 gives its plans away no more; one that somebody has changed stays as it is', async () => {
    const planId = await written('starter')
    await written('evaluation')
    expect((await offered()).toSorted()).toEqual(['evaluation', 'starter'])
    await staffs('PATCH', `plans/${planId}`, { name: 'Ours' })
    await ensureFirstPlan(service.licensing)
    expect(await offered()).toEqual(['starter'])
    await ensureFirstPlan(service.licensing)
    expect(await offered()).toEqual(['starter'])
  })

  test('has a license by a plan that the shop does not show', async () => {
    expect(await evaluationLicense(service.licensing, 'http://licensing.test')).toMatch(/^eyJ/)
    expect(await offered()).toEqual(['starter'])
  })
})

/** Last: time passes here. */
describe('a year that is billed by the month', () => {
  test('is what a provisioning without an end lasts: nothing is charged for it, at its beginning or its end', async () => {
    const { slug } = await plan({ priceMonthly: 1_000 })
    const { subscriptionId, license } = await provisioned(slug, { billingCycle: 'MONTHLY', seats: 3 })
    const { currentPeriodStart, currentPeriodEnd } = await state(subscriptionId)
    expect(new Date(currentPeriodEnd).getUTCFullYear()).toBe(new Date(currentPeriodStart).getUTCFullYear() + 1)
    expect(license.expiresAt).toBe(currentPeriodEnd)
    service.passTime(Date.parse(currentPeriodEnd) - Date.parse(currentPeriodStart) + DAY_MS)
    await service.settle()
    expect(await paymentsOf(subscriptionId)).toEqual([])
    expect((await state(subscriptionId)).currentPeriodEnd).toBe(currentPeriodEnd)
    const path = `/api/admin/subscriptions/${subscriptionId}/payments`
    const pay = (amount: number) => post(path, { amount, currency: 'EUR', method: 'BANK_TRANSFER' })
    expect((await pay(2_999)).status).toBe(201)
    expect((await state(subscriptionId)).currentPeriodEnd).toBe(currentPeriodEnd)
    expect((await pay(3_000)).status).toBe(201)
    const { currentPeriodEnd: next } = await state(subscriptionId)
    const lasts = Date.parse(next) - Date.parse(currentPeriodEnd)
    expect(lasts).toBeGreaterThanOrEqual(28 * DAY_MS)
    expect(lasts).toBeLessThanOrEqual(33 * DAY_MS)
  })

  test('a trial of what has no price ends, and becomes nothing for nothing', async () => {
    const { slug } = await plan({ priceYearly: 9_000, trialDays: 7 })
    const trial = async (billingCycle: string) =>
      (await provisioned(slug, { billingCycle, status: 'TRIALING' })).subscriptionId
    const all = [await trial('MONTHLY'), await trial('YEARLY')]
    service.passTime(7 * DAY_MS + 60_000)
    await service.settle()
    for (const id of all) expect((await state(id)).status).toBe('EXPIRED')
  })
})
