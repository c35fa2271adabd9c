import { describe, expect, it } from 'vitest'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { StaffSessionSteppedUp, staffSessionEvents } from '#licensing/auth/events'
import { StaffTotpEnabled, staffEvents } from '#licensing/staff/events'
import { subscriptions } from '#licensing/subscriptions/decider'
import { storm } from '#test/support/storm'
import { startService } from '../../support/licensing/service.ts'
import { shopFixture } from '../../support/licensing/shop-fixture.ts'

const UNKNOWN = '01890000-0000-7000-8000-00000000ffff'

const service = await startService({
  payments: { seller: ['Example GmbH', 'Street 1, 10115 Berlin', 'VAT DE123456789'] },
})
const { admin, plan, provision, get, post } = await shopFixture(service)
let customersMade = 0
const address = () => `payer-${(customersMade += 1)}@example.test`

async function sold(terms: object = {}, more: object = {}) {
  const { slug } = await plan({ priceMonthly: 1_000, priceYearly: 10_000, ...terms })
  const made = await provision({ email: address(), planSlug: slug, billingCycle: 'MONTHLY', ...more })
  expect(made.status, made.text).toBe(201)
  return made.body as { customer: { id: string; email: string }; subscription: { id: string } }
}

const paymentsOf = (id: string) => `/api/admin/subscriptions/${id}/payments`
const pay = (id: string, more: object = {}) =>
  post(paymentsOf(id), { amount: 1_000, currency: 'EUR', method: 'BANK_TRANSFER', ...more })
const subscription = async (id: string) => (await get(`/api/admin/subscriptions/${id}`)).body
const refundOf = (id: string, body: object = { reason: 'unhappy' }) => post(`/api/admin/payments/${id}/refund`, body)

describe('POST /api/admin/subscriptions/:id/payments', () => {
  it('201: records the money, bills it and renews the subscription for a period', async () => {
    const { subscription: it } = await sold()
    const before = await subscription(it.id)
    const { status, body } = await pay(it.id, { note: 'account 42' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      type: 'CHARGE',
      amount: 1_000,
      currency: 'EUR',
      status: 'PAID',
      provider: 'manual',
      providerRef: null,
      invoiceNumber: expect.stringMatching(/^\d{4}-\d{6}$/),
      paidAt: expect.any(String),
      refunds: [],
      disputes: [],
    })
    expect((await subscription(it.id)).currentPeriodStart).toBe(before.currentPeriodEnd)
  })

  it('201: keeps the note from everybody who reads the database', async () => {
    const { subscription: it } = await sold()
    await pay(it.id, { note: 'a telling note' })
    expect(await service.dump()).not.toContain('a telling note')
  })

  it('201: less than a period costs is only recorded', async () => {
    const { subscription: it } = await sold()
    const before = await subscription(it.id)
    expect((await pay(it.id, { amount: 999 })).status).toBe(201)
    expect(await subscription(it.id)).toEqual(before)
  })

  it('400: another currency, and what is no payment', async () => {
    const { subscription: it } = await sold()
    const { status, body } = await pay(it.id, { currency: 'USD' })
    expect({ status, message: body.message }).toEqual({
      status: 400,
      message: 'The subscription is sold in EUR: record the payment in that currency',
    })
    for (const wrong of [
      { amount: 0 },
      { amount: 1.5 },
      { amount: -1 },
      { currency: 'eur' },
      { method: '' },
      { more: 1 },
    ])
      expect((await pay(it.id, wrong)).status, JSON.stringify(wrong)).toBe(400)
  })

  it('409 while it is paused: nothing could be had for the money', async () => {
    const { subscription: it } = await sold()
    await service.run(
      async (unit) => void (await unit.decide(subscriptions, it.id, 'PauseSubscription', { reason: 'x' })),
    )
    expect((await pay(it.id)).status).toBe(409)
  })

  it('404 for an unknown subscription, 409 for one that is over', async () => {
    expect((await pay(UNKNOWN)).status).toBe(404)
    const { subscription: it } = await sold()
    await service.run(
      async (unit) => void (await unit.decide(subscriptions, it.id, 'CancelSubscription', { reason: 'x' })),
    )
    const { status, body } = await pay(it.id)
    expect({ status, message: body.message }).toEqual({ status: 409, message: 'The subscription is cancelled' })
  })
})

describe('GET /api/admin/subscriptions/:id/payments', () => {
  it('lists newest first, with refunds nested, by page and by cursor', async () => {
    const { subscription: it } = await sold()
    const first = (await pay(it.id)).body
    const second = (await pay(it.id)).body
    const refunded = (await refundOf(first.id, { amount: 400, reason: 'x' })).body
    const { body } = await get(paymentsOf(it.id))
    expect(body).toMatchObject({ total: 2, page: 1 })
    expect(body.items.map(({ id }: { id: string }) => id)).toEqual([second.id, first.id])
    expect(body.items[1]).toEqual(refunded)
    expect(body.items[1]).toMatchObject({
      status: 'PARTIALLY_REFUNDED',
      refunds: [{ type: 'REFUND', amount: 400, status: 'PAID' }],
    })
    const walked = (await get(`${paymentsOf(it.id)}?limit=1`)).body
    expect(walked.items).toHaveLength(1)
    expect(walked.nextCursor).toBeTruthy()
  })

  it('404 for an unknown subscription', async () => {
    expect((await get(paymentsOf(UNKNOWN))).status).toBe(404)
  })
})

describe('POST /api/admin/payments/:id/refund', () => {
  it('200: gives back a part, then the rest, then nothing', async () => {
    const { subscription: it } = await sold()
    const { id } = (await pay(it.id)).body
    const part = await refundOf(id, { amount: 300, reason: 'a part' })
    expect(part.status, part.text).toBe(200)
    expect(part.body).toMatchObject({ status: 'PARTIALLY_REFUNDED', amount: 1_000 })
    const rest = (await refundOf(id)).body
    expect(rest).toMatchObject({ status: 'REFUNDED' })
    expect(rest.refunds.map((each: any) => [each.type, each.amount, each.status])).toEqual([
      ['REFUND', 700, 'PAID'],
      ['REFUND', 300, 'PAID'],
    ])
    const { status, body } = await refundOf(id)
    expect({ status, message: body.message }).toEqual({
      status: 409,
      message: 'Nothing of the payment is left to refund',
    })
  })

  it('400 for what is no refund, 404 for an unknown payment, 409 for more than was paid', async () => {
    const { subscription: it } = await sold()
    const { id } = (await pay(it.id)).body
    expect((await refundOf(id, {})).status).toBe(400)
    expect((await refundOf(id, { amount: 0, reason: 'x' })).status).toBe(400)
    expect((await refundOf(UNKNOWN)).status).toBe(404)
    expect((await refundOf(id, { amount: 1_001, reason: 'x' })).status).toBe(409)
  })

  it('403 without step-up where the account has a second factor; so for credits', async () => {
    const { customer, subscription: it } = await sold()
    const { id } = (await pay(it.id)).body
    const { accessToken, stepUp } = await withSecondFactor()
    const credit = { amount: 1, reason: 'x' }
    const asks = () => [
      post(`/api/admin/payments/${id}/refund`, { amount: 1, reason: 'x' }, accessToken),
      post(`/api/admin/customers/${customer.id}/credits`, credit, accessToken),
    ]
    for (const ask of asks()) expect((await ask).status).toBe(403)
    await stepUp()
    expect(await Promise.all(asks().map(async (ask) => (await ask).status))).toEqual([200, 201])
  })

  it('200: of a customer who was erased since, without a reason', async () => {
    const { customer, subscription: it } = await sold()
    const { id } = (await pay(it.id)).body
    expect((await post(`/api/admin/customers/${customer.id}/erase`, { confirmEmail: customer.email })).status).toBe(202)
    const { status, body } = await refundOf(id)
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'REFUNDED' })
  })
})

describe('what a change costs', () => {
  const change = async (id: string, body: object) => {
    const changed = await service.call('PATCH', `/api/admin/subscriptions/${id}`, { as: admin, body })
    expect(changed.status, changed.text).toBe(200)
  }
  const preview = async (id: string, body: object) =>
    (await post(`/api/admin/subscriptions/${id}/change-preview`, body)).body

  it('is owed at once, billed, and paid by the transfer that follows', async () => {
    const { customer, subscription: it } = await sold()
    const more = { seats: 3, proration: 'invoice' }
    const { dueNow, previewToken } = await preview(it.id, more)
    await change(it.id, { ...more, previewToken })
    await service.settle()
    const [owed] = (await get(paymentsOf(it.id))).body.items
    expect(owed).toMatchObject({ type: 'CHARGE', amount: dueNow, status: 'PENDING', provider: 'manual' })
    expect(owed.invoiceNumber).toMatch(/^\d{4}-\d{6}$/)
    expect(service.mails.find(({ to }) => to === customer.email)!.text).toContain('Please pay by')
    const before = await subscription(it.id)
    const paid = (await pay(it.id, { amount: dueNow })).body
    expect(paid).toMatchObject({ id: owed.id, status: 'PAID', invoiceNumber: owed.invoiceNumber })
    expect(await subscription(it.id)).toEqual(before)
  })

  it('below zero is credit, which pays for what comes next', async () => {
    const { subscription: it } = await sold({}, { seats: 5 })
    const less = { seats: 1, proration: 'invoice' }
    const { creditAmount, previewToken } = await preview(it.id, less)
    expect(creditAmount).toBeGreaterThan(0)
    await change(it.id, { ...less, previewToken })
    const again = { seats: 2, proration: 'invoice' }
    const { dueNow } = await preview(it.id, again)
    await change(it.id, again)
    const [charge, credit] = (await get(paymentsOf(it.id))).body.items
    expect(credit).toMatchObject({ type: 'CREDIT', amount: creditAmount, status: 'PAID' })
    expect(charge).toMatchObject({ type: 'CHARGE', amount: 0, status: 'PAID', provider: 'credit' })
    expect(dueNow).toBeLessThan(creditAmount)
  })

  it('that waits for the next invoice is asked for with that', async () => {
    const { subscription: it } = await sold()
    const more = { seats: 2, proration: 'prorate' }
    const { nextInvoice } = await preview(it.id, more)
    await change(it.id, more)
    expect((await get(paymentsOf(it.id))).body.items).toEqual([])
    const before = await subscription(it.id)
    await pay(it.id, { amount: nextInvoice.amount - 1 })
    expect(await subscription(it.id)).toEqual(before)
    await pay(it.id, { amount: nextInvoice.amount })
    expect((await subscription(it.id)).currentPeriodStart).toBe(before.currentPeriodEnd)
  })
})

describe('POST /api/admin/customers/:id/credits', () => {
  const grant = (id: string, body: object = { amount: 400, reason: 'sorry' }) =>
    post(`/api/admin/customers/${id}/credits`, body)

  it('201: grants credit', async () => {
    const { customer } = await sold()
    const { status, body } = await grant(customer.id)
    expect(status).toBe(201)
    expect(body).toMatchObject({ type: 'CREDIT', amount: 400, currency: 'EUR', status: 'PAID', provider: 'credit' })
  })

  it('400 for what is no credit, 404 for an unknown customer, 409 for an erased one', async () => {
    const { customer } = await sold()
    for (const wrong of [{}, { amount: -1, reason: 'x' }, { amount: 1 }, { amount: 1, reason: 'x', currency: 'EURO' }])
      expect((await grant(customer.id, wrong)).status).toBe(400)
    expect((await grant(UNKNOWN)).status).toBe(404)
    await post(`/api/admin/customers/${customer.id}/erase`, { confirmEmail: customer.email })
    expect((await grant(customer.id)).status).toBe(409)
  })
})

/** This test is last, because it leaves eighty mails that a later `settle` would send. */
it('never gives back more than was paid, whoever asks at once', { timeout: 120_000 }, async () => {
  const { subscription: it } = await sold()
  const { id } = (await pay(it.id)).body
  const { replies } = await storm(200, () => refundOf(id, { amount: 13, reason: 'storm' }))
  const done = replies.filter(({ status }) => status === 200).length
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 409]))
  expect(done).toBeLessThanOrEqual(Math.floor(1_000 / 13))
  const payment = (await get(paymentsOf(it.id))).body.items[0]
  const given = payment.refunds.reduce((total: number, { amount }: { amount: number }) => total + amount, 0)
  expect(given).toBe(Math.floor(1_000 / 13) * 13)
})

/** A member of staff with an authenticator. */
async function withSecondFactor() {
  const { id: staffId, accessToken } = await service.somebody('BILLING')
  const staffSessionId = JSON.parse(Buffer.from(accessToken.split('.')[1]!, 'base64url').toString()).sid
  const record = async (work: (unit: UnitOfWork) => void) => {
    await service.run(async (unit) => work(unit))
    await service.licensing.projector.catchUp()
  }
  const enabled = StaffTotpEnabled({ staffId, step: 1, staffSessionId, backupCodes: [] })
  await record((unit) => unit.appendEvent(staffEvents, staffId, enabled))
  const steppedUp = StaffSessionSteppedUp({ staffSessionId, staffId })
  return { accessToken, stepUp: () => record((unit) => unit.appendEvent(staffSessionEvents, staffId, steppedUp)) }
}
