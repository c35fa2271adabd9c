/** Payments by a provider, from the checkout to dunning, against a server that speaks Stripe's protocol. */
import fc from 'fast-check'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ServiceKey } from '#kernel/lib/services'
import type { ServiceRegistry } from '#kernel/lib/services'
import type { Role } from '#licensing/access/permissions'
import { stripeProvider } from '#licensing/adapters/stripe'
import { paymentProvider } from '#licensing/payments/provider'
import type { PaymentProvider } from '#licensing/payments/provider'
import { subscriptions } from '#licensing/subscriptions/decider'
import { readCheckout, openCheckout } from '#licensing/workflows/billing/checkout'
import { renew } from '#licensing/workflows/billing/renew'
import { requestPayment } from '#licensing/workflows/billing/request-payment'
import { changeSubscription } from '#licensing/workflows/subscriptions/change'
import { startService } from '../../support/licensing/service.ts'
import { shopTerms, shopFixture } from '../../support/licensing/shop-fixture.ts'
import { signedInShopper } from '../../support/licensing/shoppers.ts'
import { stripeServer } from '../../support/licensing/stripe-server.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

const stripe = await stripeServer()
afterAll(() => stripe.stop())
const service = await startService({ payments: { stripe: stripe.settings, seller: [] } })
const { provision, audit } = await shopFixture(service)
const { licensing } = service
const shop = {
  run: service.run,
  read: licensing.read,
  service: licensing.services,
  telemetry: licensing.pool,
  baseUrl: service.settings.baseUrl,
}
const PAGES = { returnUrl: 'https://shop.test/paid', cancelUrl: 'https://shop.test/plans' }

beforeEach(() => stripe.down(false))
/**
 * Subscriptions of the running test. Those of other tests are cancelled, so that they are not charged in this
 * one.
 */
const running: string[] = []
afterEach(async () => {
  for (const id of running.splice(0))
    await service.run((unit) => unit.decide(subscriptions, id, 'CancelSubscription', { reason: 'the test is over' }))
  await service.settle()
})

let plansMade = 0
/** Created with a new sign-in, because time passes in this file. */
async function plan(terms: object = {}): Promise<{ slug: string; id: string }> {
  const body = { slug: `sold-${(plansMade += 1)}`, name: 'Plan', ...shopTerms(terms), ...terms }
  const made = await service.call('POST', '/api/admin/plans', { as: await service.staff(), body })
  expect(made.status, made.text).toBe(201)
  return made.body
}

let customersMade = 0
/** A customer with a subscription that the test does not use. */
async function customer() {
  const { slug } = await plan()
  const made = await provision(
    { email: `buyer-${(customersMade += 1)}@example.test`, planSlug: slug },
    await service.staff(),
  )
  expect(made.status, made.text).toBe(201)
  return made.body.customer as { id: string; email: string }
}

async function begin(terms: object = {}, more: object = {}) {
  const { slug: planSlug } = await plan({ priceMonthly: 1_000, priceYearly: 10_000, ...terms })
  const { id: customerId, email } = await customer()
  const ask = { customerId, planSlug, seats: 1, billingCycle: 'MONTHLY', ...PAGES, ...more } as const
  const { id, checkoutUrl } = await openCheckout(shop, ask)
  return { id, checkoutUrl, session: checkoutUrl.split('/').at(-1)!, customerId, email }
}

const now = () => licensing.clock.now()
const send = (
  type: string,
  object: Record<string, any>,
  more: { eventId?: string; signedAt?: Date; livemode?: boolean } = {},
) => service.call('POST', '/api/webhooks/payments/stripe', stripe.notice(type, object, { signedAt: now(), ...more }))
const state = async (id: string) => (await service.run((unit) => unit.look(subscriptions, id)))!
const checkout = (customerId: string, id: string) => readCheckout(shop, customerId, id)
const listed = async (id: string) =>
  (await service.call('GET', `/api/admin/subscriptions/${id}/payments`, { as: await service.staff() })).body.items

/** Bought and paid: an ACTIVE subscription that is charged from now on. */
async function bought(terms: object = {}, more: object = {}) {
  const began = await begin(terms, more)
  const session = stripe.pay(began.session)
  expect((await send('checkout.session.completed', session)).status).toBe(200)
  const { subscriptionId } = await checkout(began.customerId, began.id)
  running.push(subscriptionId)
  await service.settle()
  const method = stripe.object(session['payment_intent'] ?? session['setup_intent'])['payment_method'] as string
  return { ...began, subscriptionId, method, paid: session }
}

/** The charges to a means of payment, oldest first. */
const charges = (method: string) => stripe.objects('payment_intent').filter((each) => each['payment_method'] === method)

/** The next request has its effect, and its answer is lost. */
async function lostAnswers(): Promise<void> {
  // The package itself tries once more.
  stripe.lose(2)
  await expect(service.settle()).rejects.toMatchObject({ name: 'ProviderUnavailable' })
}

/** Moves the clock to the end of the current period, or `aheadMs` before it. */
async function toPeriodEnd(subscriptionId: string, aheadMs = 0): Promise<void> {
  const { currentPeriodEnd } = await state(subscriptionId)
  service.passTime(Date.parse(currentPeriodEnd) - now().getTime() - aheadMs)
}

describe('a checkout', () => {
  it('asks for exactly what is to be paid, and comes back to the shop', async () => {
    const { id, checkoutUrl, session, email } = await begin({}, { seats: 3 })
    expect(checkoutUrl).toMatch(/^https:\/\/checkout\.stripe\.test\/cs_/)
    const [asked] = stripe.asked('POST /v1/checkout/sessions').slice(-1)
    expect(asked!.fields).toMatchObject({
      mode: 'payment',
      customer_email: email,
      success_url: `https://shop.test/paid?checkout=${id}`,
      cancel_url: 'https://shop.test/plans',
      metadata: { payment_id: id },
      line_items: { 0: { quantity: '1', price_data: { currency: 'eur', unit_amount: '3000' } } },
      adaptive_pricing: { enabled: 'false' },
    })
    expect(asked!.idempotencyKey).toBe(`checkout-${id}`)
    expect(stripe.object(session)['expires_at']).toBeLessThanOrEqual(Math.floor(now().getTime() / 1_000) + 23 * 3_600)
  })

  it('gives the license when it is paid, and not before', async () => {
    const { id, session, customerId } = await begin()
    expect(await checkout(customerId, id)).toMatchObject({ id, status: 'OPEN' })
    const { subscriptionId } = await checkout(customerId, id)
    expect(await state(subscriptionId)).toMatchObject({ status: 'INCOMPLETE', licenses: [] })
    expect((await send('checkout.session.completed', stripe.pay(session))).status).toBe(200)
    expect(await checkout(customerId, id)).toEqual({ id, status: 'PAID', subscriptionId })
    expect(await state(subscriptionId)).toMatchObject({ status: 'ACTIVE', licenses: [{ status: 'ACTIVE' }] })
    await service.settle()
    expect(await listed(subscriptionId)).toMatchObject([
      {
        id,
        type: 'CHARGE',
        status: 'PAID',
        amount: 1_000,
        provider: 'stripe',
        providerRef: expect.stringMatching(/^pi_/),
      },
    ])
  })

  it('is found paid by who comes back before the notice does', async () => {
    const { id, session, customerId } = await begin()
    stripe.pay(session)
    expect(await checkout(customerId, id)).toMatchObject({ status: 'PAID' })
    expect((await send('checkout.session.completed', stripe.object(session))).status).toBe(200)
  })

  it('of a free plan leads to nothing that costs, as long as there is nothing to charge it with', async () => {
    const { slug: planSlug } = await plan()
    const { slug: dear } = await plan({ priceMonthly: 5_000, priceYearly: 50_000 })
    const { id: customerId, as } = await signedInShopper(service)
    const { id } = await openCheckout(shop, { customerId, planSlug, seats: 1, billingCycle: 'MONTHLY', ...PAGES })
    const { subscriptionId } = await checkout(customerId, id)
    await service.settle()
    const path = `/api/shop/subscriptions/${subscriptionId}`
    for (const effective of ['now', 'period_end']) {
      const body = { planSlug: dear, effective }
      expect((await service.call('PATCH', path, { as, body })).headers.get('error-code')).toBe('NO_MEANS_OF_PAYMENT')
      expect((await service.call('POST', `${path}/change-preview`, { as, body })).status).toBe(409)
    }
    expect(await state(subscriptionId)).toMatchObject({ planSlug, scheduledChange: null })
    expect((await service.call('PATCH', path, { as, body: { seats: 2 } })).status).toBe(200)
  })

  it('is nobody else’s', async () => {
    const { id } = await begin()
    const { id: other } = await customer()
    await expect(checkout(other, id)).rejects.toMatchObject({ statusCode: 404 })
  })

  it('expires after 23 hours, with its payment; paid in the last moment without our hearing of it, it does not', async () => {
    const lost = await begin()
    const { subscriptionId } = await checkout(lost.customerId, lost.id)
    const late = await begin()
    stripe.pay(late.session)
    service.passTime(23 * HOUR_MS + 60_000)
    await service.settle()
    expect((await state(subscriptionId)).status).toBe('EXPIRED')
    expect(await checkout(lost.customerId, lost.id)).toMatchObject({ status: 'EXPIRED' })
    expect(await checkout(late.customerId, late.id)).toMatchObject({ status: 'PAID' })
  })

  it('paid after it has expired, it is given back', async () => {
    const { id, session, customerId } = await begin()
    const { subscriptionId } = await checkout(customerId, id)
    service.passTime(24 * HOUR_MS)
    await service.settle()
    expect((await send('checkout.session.completed', stripe.pay(session))).status).toBe(200)
    await service.settle()
    expect((await state(subscriptionId)).status).toBe('EXPIRED')
    expect(await listed(subscriptionId)).toMatchObject([
      { status: 'REFUNDED', refunds: [{ status: 'PAID', amount: 1_000 }] },
    ])
    expect(stripe.objects('refund').at(-1)).toMatchObject({ amount: 1_000 })
    expect(await checkout(customerId, id)).toMatchObject({ status: 'EXPIRED' })
  })

  it('of a free plan is done at once', async () => {
    const { id, checkoutUrl, customerId } = await begin({ priceMonthly: null, priceYearly: null, free: true })
    expect(checkoutUrl).toBe(`https://shop.test/paid?checkout=${id}`)
    const { status, subscriptionId } = await checkout(customerId, id)
    expect(status).toBe('PAID')
    expect(await state(subscriptionId)).toMatchObject({ status: 'ACTIVE', licenses: [{ status: 'ACTIVE' }] })
  })

  it('is asked about every few seconds, however often who waits for it asks', async () => {
    const { id, session, customerId } = await begin()
    const path = `/v1/checkout/sessions/${session}`
    const startedMs = performance.now()
    for (let polls = 0; polls < 20; polls += 1) expect(await checkout(customerId, id)).toMatchObject({ status: 'OPEN' })
    const looks = 1 + Math.ceil((performance.now() - startedMs) / 5_000)
    expect(stripe.asked(`GET ${path}`).length).toBeGreaterThan(0)
    expect(stripe.asked(`GET ${path}`).length).toBeLessThanOrEqual(looks)
    expect((await send('checkout.session.completed', stripe.pay(session))).status).toBe(200)
    expect(await checkout(customerId, id)).toMatchObject({ status: 'PAID' })
  })

  it('is as it was known to be while the provider does not answer', async () => {
    const { id, customerId } = await begin()
    stripe.down(true)
    expect(await checkout(customerId, id)).toMatchObject({ status: 'OPEN' })
  })

  it('of too little for a card is refused, and leaves nothing behind', async () => {
    for (const [terms, least] of [
      [{ priceMonthly: 49 }, '0.50 EUR'],
      [{ priceMonthly: 299, currency: 'SEK' }, '3.00 SEK'],
    ] as const) {
      const { slug: planSlug } = await plan(terms)
      const { id: customerId } = await customer()
      const before = (await service.history()).length
      const ask = { customerId, planSlug, seats: 1, billingCycle: 'MONTHLY', ...PAGES } as const
      await expect(openCheckout(shop, ask)).rejects.toMatchObject({
        statusCode: 409,
        code: 'AMOUNT_TOO_SMALL',
        message: `Amounts below ${least} cannot be paid online: ask the operator for an invoice`,
      })
      expect((await service.history()).length).toBe(before)
      expect(await openCheckout(shop, { ...ask, seats: 2 })).toMatchObject({
        checkoutUrl: expect.stringMatching(/cs_/),
      })
    }
  })

  it('answers 503 while the provider does not', async () => {
    stripe.down(true)
    await expect(begin()).rejects.toMatchObject({ statusCode: 503, code: 'PROVIDER_UNAVAILABLE' })
  })

  it('whose page cannot be made keeps neither credit nor trial', async () => {
    const { slug: planSlug } = await plan({ priceMonthly: 1_000 })
    const { slug: tried } = await plan({ priceMonthly: 1_000, trialDays: 14 })
    const { id: customerId } = await customer()
    const body = { amount: 400, currency: 'EUR', reason: 'sorry' }
    const as = await service.staff()
    expect((await service.call('POST', `/api/admin/customers/${customerId}/credits`, { as, body })).status).toBe(201)
    const order = { customerId, planSlug, seats: 1, billingCycle: 'MONTHLY', ...PAGES } as const
    stripe.down(true)
    for (const ask of [order, { ...order, planSlug: tried }])
      await expect(openCheckout(shop, ask)).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE' })
    stripe.down(false)
    const { checkoutUrl } = await openCheckout(shop, order)
    expect(stripe.object(checkoutUrl.split('/').at(-1)!)).toMatchObject({ amount_total: 600 })
    const trial = await openCheckout(shop, { ...order, planSlug: tried })
    expect(stripe.object(trial.checkoutUrl.split('/').at(-1)!)).toMatchObject({ mode: 'setup' })
  })

  it('whose place another one took before it had its page has none', async () => {
    const { slug: planSlug } = await plan({ priceMonthly: 1_000, trialDays: 14 })
    const { id: customerId } = await customer()
    const order = { customerId, planSlug, seats: 1, billingCycle: 'MONTHLY', ...PAGES } as const
    const provider = shop.service(paymentProvider)!
    const pages: string[] = []
    const overtaken: PaymentProvider = {
      ...provider,
      async createCheckout(ask) {
        const made = await provider.createCheckout(ask)
        pages.push(made.ref)
        await openCheckout(shop, order)
        return made
      },
    }
    const given: ServiceRegistry = (need) =>
      (need as unknown) === paymentProvider ? (overtaken as never) : shop.service(need)
    await expect(openCheckout({ ...shop, service: given }, order)).rejects.toMatchObject({ code: 'CHECKOUT_REPLACED' })
    expect(stripe.object(pages[0]!)['status']).toBe('expired')
  })

  it('answers 409 where there is no provider', async () => {
    const { id: customerId } = await customer()
    const none = { ...shop, service: <Service>(key: ServiceKey<Service>) => key.fallback() }
    const ask = { customerId, planSlug: 'x', seats: 1, billingCycle: 'MONTHLY', ...PAGES } as const
    await expect(openCheckout(none, ask)).rejects.toMatchObject({ statusCode: 409, code: 'NO_PROVIDER' })
  })
})

describe('POST /api/webhooks/payments/:provider', () => {
  it('400 for what the provider has not signed, or long ago; 404 for another provider', async () => {
    const { session } = await begin()
    const paid = stripe.pay(session)
    const good = stripe.notice('checkout.session.completed', paid, { signedAt: now() })
    const to = (path: string, ask: object) => service.call('POST', `/api/webhooks/payments/${path}`, ask)
    const altered = { ...good, raw: good.raw.replace(paid['id'], 'cs_another') }
    const old = stripe.notice('checkout.session.completed', paid, { signedAt: new Date(now().getTime() - 301_000) })
    for (const ask of [{ raw: good.raw }, altered, old, { ...good, headers: { 'stripe-signature': 't=1,v1=00' } }]) {
      const { status, body } = await to('stripe', ask)
      expect({ status, body }).toEqual({
        status: 400,
        body: { statusCode: 400, message: 'The signature is not the payment provider’s: check STRIPE_WEBHOOK_SECRET' },
      })
    }
    expect((await to('paypal', good)).status).toBe(404)
    expect((await to('stripe', good)).status).toBe(200)
  })

  it('400 for what is signed and of the other mode than the key, which could look nothing of it up', async () => {
    const { session } = await begin()
    const paid = stripe.pay(session)
    const before = (await service.history()).length
    const live = await send('checkout.session.completed', paid, { livemode: true })
    expect([live.status, live.headers.get('error-code'), live.body.message]).toEqual([
      400,
      'OTHER_MODE',
      'This notice is of live mode, but STRIPE_SECRET_KEY belongs to the other mode: set a key of this mode',
    ])
    expect((await service.history()).length).toBe(before)
    expect((await send('checkout.session.completed', paid, { livemode: false })).status).toBe(200)
  })

  it('counts each notice once, and each charge once', async () => {
    const { subscriptionId, paid } = await bought()
    const before = (await service.history()).length
    const eventId = 'evt_once'
    const intent = stripe.object(paid['payment_intent'])
    expect((await send('payment_intent.succeeded', intent, { eventId })).status).toBe(200)
    const after = await service.history()
    expect(after.slice(before).map(({ type }) => type)).toEqual(['PaymentNoticed'])
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => send('payment_intent.succeeded', intent, { eventId })),
    )
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect((await service.history()).length).toBe(after.length)
    expect(await listed(subscriptionId)).toHaveLength(1)
  })

  it('passes over what is not ours', async () => {
    const before = (await service.history()).length
    for (const [type, object] of [
      ['customer.created', { id: 'cus_1' }],
      ['invoice.paid', { id: 'in_1' }],
      ['payment_intent.succeeded', { id: 'pi_unknown' }],
      ['something.new', {}],
    ] as const)
      expect(await send(type, object)).toMatchObject({ status: 200, body: { received: true } })
    expect((await service.history()).length).toBe(before)
  })

  it('believes what the provider says now, not what an old notice says', async () => {
    const { session, customerId, id } = await begin()
    const open = { ...stripe.object(session) }
    stripe.pay(session)
    expect((await send('checkout.session.expired', { ...open, status: 'expired' })).status).toBe(200)
    expect(await checkout(customerId, id)).toMatchObject({ status: 'PAID' })
  })

  it('answers 503 while the provider cannot be asked, and has it told again', async () => {
    const { session, customerId, id } = await begin()
    const paid = stripe.pay(session)
    stripe.down(true)
    expect((await send('checkout.session.completed', paid, { eventId: 'evt_again' })).status).toBe(503)
    stripe.down(false)
    expect((await send('checkout.session.completed', paid, { eventId: 'evt_again' })).status).toBe(200)
    expect(await checkout(customerId, id)).toMatchObject({ status: 'PAID' })
  })

  it('refuses another sum than was asked for until it is right, and tells the staff once', async () => {
    const biller = await member('BILLING')
    const helper = await member('SUPPORT')
    const { id, session, customerId } = await begin()
    const paid = stripe.pay(session)
    const intent = stripe.object(paid['payment_intent'])
    intent['amount_received'] = 1
    for (const eventId of ['evt_other', 'evt_other_again', 'evt_other'])
      expect((await send('checkout.session.completed', paid, { eventId })).status).toBe(409)
    await service.settle()
    const told = service.mails.filter(
      ({ subject, text }) => /differs from its requested/.test(subject) && text.includes(id),
    )
    expect(told.filter(({ to }) => to === biller)).toHaveLength(1)
    expect(told.map(({ to }) => to)).not.toContain(helper)
    expect(told[0]!.text).toContain(`payment ${id} of 10.00 EUR stripe took 0.01 EUR`)
    expect((await audit(id)).filter(({ action }) => action === 'payment.sum_differed')).toHaveLength(1)
    intent['amount_received'] = 1_000
    expect((await send('checkout.session.completed', paid, { eventId: 'evt_other' })).status).toBe(200)
    expect(await checkout(customerId, id)).toMatchObject({ status: 'PAID' })
  })
})

describe('a renewal', () => {
  it('keeps the price that was sold, also when the plan is not offered in that cycle any more', async () => {
    const { slug, id } = await plan({ priceMonthly: 1_000 })
    const { subscriptionId, method } = await bought({}, { planSlug: slug })
    const changes = { priceMonthly: null, priceYearly: 9_000 }
    const as = await service.staff()
    expect((await service.call('PATCH', `/api/admin/plans/${id}`, { as, body: changes })).status).toBe(200)
    await toPeriodEnd(subscriptionId)
    await service.settle()
    expect(charges(method)).toMatchObject([{ amount: 1_000 }, { amount: 1_000 }])
    expect(await state(subscriptionId)).toMatchObject({ status: 'ACTIVE', planVersion: 1 })
  })

  it('is charged for before the period ends, once, and begins the next one', async () => {
    const { subscriptionId } = await bought()
    const before = await state(subscriptionId)
    await toPeriodEnd(subscriptionId, 2 * HOUR_MS)
    await service.settle()
    expect(await listed(subscriptionId)).toHaveLength(1)
    await toPeriodEnd(subscriptionId, HOUR_MS / 2)
    await service.settle()
    await service.settle()
    const after = await state(subscriptionId)
    expect(after).toMatchObject({ status: 'ACTIVE', currentPeriodStart: before.currentPeriodEnd })
    expect(after.licenses.at(-1)!.expiresAt).toBe(after.currentPeriodEnd)
    expect(await listed(subscriptionId)).toMatchObject([{ status: 'PAID', amount: 1_000 }, { status: 'PAID' }])
  })

  it('takes the customer’s credit first', async () => {
    const { subscriptionId, customerId, method } = await bought()
    const as = await service.staff()
    const credit = { amount: 400, reason: 'sorry' }
    expect(
      (await service.call('POST', `/api/admin/customers/${customerId}/credits`, { as, body: credit })).status,
    ).toBe(201)
    await toPeriodEnd(subscriptionId)
    await service.settle()
    expect((await listed(subscriptionId))[0]).toMatchObject({ status: 'PAID', amount: 600 })
    expect(charges(method).map(({ amount }) => amount)).toEqual([1_000, 600])
  })

  it('leaves so much credit that a card can be charged for the rest', async () => {
    const { subscriptionId, customerId, method } = await bought()
    const body = { amount: 980, reason: 'sorry' }
    await service.call('POST', `/api/admin/customers/${customerId}/credits`, { as: await service.staff(), body })
    await toPeriodEnd(subscriptionId)
    await service.settle()
    expect(charges(method).map(({ amount }) => amount)).toEqual([1_000, 50])
  })

  it('charges once, though the worker dies between the charge and its record', async () => {
    const { subscriptionId, method } = await bought()
    await toPeriodEnd(subscriptionId)
    await lostAnswers()
    await service.settle()
    expect(charges(method)).toHaveLength(2)
    const [renewed] = await listed(subscriptionId)
    expect(renewed).toMatchObject({ status: 'PAID' })
    const asked = stripe.asked('POST /v1/payment_intents')
    const its = asked.filter(({ fields }) => fields['metadata']['payment_id'] === renewed.id)
    const keys = new Set(its.map(({ idempotencyKey }) => idempotencyKey))
    expect([...keys], 'two workers at once are one charge').toEqual([`charge-${renewed.id}-1`])
  })

  it('charges once, though the provider has forgotten by then that it was asked', async () => {
    const { subscriptionId, method } = await bought()
    await toPeriodEnd(subscriptionId)
    await lostAnswers()
    stripe.forgetKeys()
    await service.settle()
    expect(charges(method)).toHaveLength(2)
    expect((await listed(subscriptionId))[0]).toMatchObject({ status: 'PAID' })
  })

  it('waits while the customer is suspended', async () => {
    const { subscriptionId, customerId, method } = await bought()
    const set = async (status: string) =>
      service.call('PATCH', `/api/admin/customers/${customerId}/status`, {
        as: await service.staff(),
        body: { status },
      })
    expect((await set('SUSPENDED')).status).toBe(200)
    await toPeriodEnd(subscriptionId)
    await service.settle()
    expect(charges(method)).toHaveLength(1)
    expect((await set('ACTIVE')).status).toBe(200)
    await service.settle()
    expect(charges(method)).toHaveLength(2)
    expect(Date.parse((await state(subscriptionId)).currentPeriodEnd)).toBeGreaterThan(now().getTime())
  })

  it('is not charged for where it was cancelled for the end of the period', async () => {
    const { subscriptionId } = await bought()
    await service.run(async (unit) => {
      const { licenses } = (await unit.load(subscriptions, subscriptionId))!
      await unit.decide(subscriptions, subscriptionId, 'ScheduleCancellation', {
        reason: 'enough',
        kid: licenses[0]!.kid,
      })
    })
    // Independent of what the read models contained when the timer searched them.
    await toPeriodEnd(subscriptionId, HOUR_MS / 2)
    await service.run((unit) => renew(unit, shop, subscriptionId))
    expect(await listed(subscriptionId)).toHaveLength(1)
    await toPeriodEnd(subscriptionId)
    await service.settle()
    expect(await listed(subscriptionId)).toHaveLength(1)
  })
})

describe('dunning', () => {
  it(
    'tries again on days 2, 7, 14 and 21, then gives up; paid after all, everything works again',
    { timeout: 60_000 },
    async () => {
      const { subscriptionId, method } = await bought()
      stripe.card(method, 'is declined')
      await toPeriodEnd(subscriptionId)
      const attempts = () =>
        stripe.asked('POST /v1/payment_intents').filter(({ fields }) => fields['payment_method'] === method)
      const first = attempts().length
      await service.settle()
      expect(await state(subscriptionId)).toMatchObject({ status: 'PAST_DUE', failedPayments: 1 })
      expect((await listed(subscriptionId))[0]).toMatchObject({ status: 'FAILED' })
      let day = 0
      for (const [nth, next] of [2, 7, 14].entries()) {
        service.passTime((next - day) * DAY_MS - HOUR_MS)
        await service.settle()
        expect(attempts().length - first, `before day ${next}`).toBe(nth + 1)
        service.passTime(HOUR_MS + 60_000)
        await service.settle()
        expect(attempts().length - first, `day ${next}`).toBe(nth + 2)
        expect((await state(subscriptionId)).status).toBe('PAST_DUE')
        day = next
      }
      service.passTime(7 * DAY_MS + 60_000)
      await service.settle()
      expect(await state(subscriptionId)).toMatchObject({ status: 'UNPAID', nextAttemptAt: null })
      expect(
        attempts()
          .map(({ idempotencyKey }) => idempotencyKey!.at(-1))
          .slice(-5),
      ).toEqual(['1', '2', '3', '4', '5'])
      service.passTime(30 * DAY_MS)
      await service.settle()
      expect(attempts().length - first).toBe(5)
      const as = await service.staff()
      const licenseOf = async () =>
        (
          await service.call('GET', `/api/admin/licenses?customerId=${(await state(subscriptionId)).customerId}`, {
            as,
          })
        ).body.items[0]
      expect((await licenseOf()).effectiveStatus).toBe('SUSPENDED')
      const body = { amount: 1_000, currency: 'EUR', method: 'BANK_TRANSFER' }
      const paid = await service.call('POST', `/api/admin/subscriptions/${subscriptionId}/payments`, { as, body })
      expect(paid.status, paid.text).toBe(201)
      expect(await state(subscriptionId)).toMatchObject({ status: 'ACTIVE', failedPayments: 0 })
      expect((await licenseOf()).effectiveStatus).toBe('ACTIVE')
      expect((await listed(subscriptionId))[0]).toMatchObject({ status: 'PAID', provider: 'manual' })
    },
  )

  it('keeps the license in full effect until it is given up, and to the end of what is paid when it is not', async () => {
    const { subscriptionId, customerId, method } = await bought()
    const license = async () =>
      (
        await service.call('GET', `/api/admin/licenses?customerId=${customerId}&status=ACTIVE`, {
          as: await service.staff(),
        })
      ).body.items
    const before = await state(subscriptionId)
    stripe.card(method, 'is declined')
    await toPeriodEnd(subscriptionId)
    await service.settle()
    service.passTime(20 * DAY_MS)
    await service.settle()
    expect((await state(subscriptionId)).status).toBe('PAST_DUE')
    const [kept] = await license()
    expect(kept, 'in effect and not in its grace').toMatchObject({ effectiveStatus: 'ACTIVE' })
    expect(kept.seq).toBeGreaterThan(before.licenses[0]!.seq)
    stripe.card(method, 'pays')
    service.passTime(DAY_MS + 60_000)
    await service.settle()
    const { status, currentPeriodStart, currentPeriodEnd } = await state(subscriptionId)
    expect(status).toBe('ACTIVE')
    expect(currentPeriodStart, 'what was used meanwhile is paid for').toBe(before.currentPeriodEnd)
    expect((await license())[0]).toMatchObject({ effectiveStatus: 'ACTIVE', expiresAt: currentPeriodEnd })
  })

  it('recovers by itself when a later attempt is paid, and tells the customer of each that was not', async () => {
    const { subscriptionId, method, email } = await bought()
    stripe.card(method, 'wants its owner')
    await toPeriodEnd(subscriptionId)
    await service.settle()
    expect(service.mails.filter(({ to, subject }) => to === email && /did not go through/.test(subject))).toHaveLength(
      1,
    )
    stripe.card(method, 'pays')
    service.passTime(2 * DAY_MS + 60_000)
    await service.settle()
    expect(await state(subscriptionId)).toMatchObject({ status: 'ACTIVE', failedPayments: 0 })
  })

  it('hears of a charge that took its time', async () => {
    const { subscriptionId, method } = await bought()
    stripe.card(method, 'takes its time')
    await toPeriodEnd(subscriptionId)
    await service.settle()
    expect((await state(subscriptionId)).status).toBe('ACTIVE')
    expect((await listed(subscriptionId))[0]).toMatchObject({ status: 'PENDING' })
    const intent = charges(method).at(-1)!
    expect((await send('payment_intent.succeeded', stripe.finish(intent['id'], 'succeeded'))).status).toBe(200)
    expect((await listed(subscriptionId))[0]).toMatchObject({ status: 'PAID' })
  })

  it('owes nothing more for what was cancelled', async () => {
    const { subscriptionId, method } = await bought()
    stripe.card(method, 'is declined')
    await toPeriodEnd(subscriptionId)
    await service.settle()
    await service.run(async (unit) => {
      await unit.decide(subscriptions, subscriptionId, 'CancelSubscription', { reason: 'enough' })
    })
    await service.settle()
    const attempts = charges(method).length
    service.passTime(30 * DAY_MS)
    await service.settle()
    expect(charges(method)).toHaveLength(attempts)
  })
})

describe('a trial', () => {
  it('bought in the shop begins with a means of payment, and is charged for when it ends', async () => {
    const { subscriptionId } = await bought({ trialDays: 14 })
    expect(stripe.asked('POST /v1/checkout/sessions').at(-1)!.fields).toMatchObject({ mode: 'setup' })
    expect(await state(subscriptionId)).toMatchObject({ status: 'TRIALING', licenses: [{ status: 'ACTIVE' }] })
    service.passTime(14 * DAY_MS + 60_000)
    await service.settle()
    const { status, currentPeriodStart } = await state(subscriptionId)
    expect(status).toBe('ACTIVE')
    expect(Math.abs(Date.parse(currentPeriodStart) - now().getTime())).toBeLessThan(60_000)
    expect((await listed(subscriptionId))[0]).toMatchObject({ amount: 1_000, status: 'PAID' })
  })

  describe('of a customer who has had it', () => {
    const PRICED = { priceMonthly: 1_000, trialDays: 14 }
    const again = ({ customerId, planSlug }: { customerId: string; planSlug: string }) =>
      openCheckout(shop, { customerId, planSlug, seats: 1, billingCycle: 'MONTHLY', ...PAGES })
    const mode = () => stripe.asked('POST /v1/checkout/sessions').at(-1)!.fields['mode']

    it('is not had again, by buying it anew', async () => {
      const sold = await bought(PRICED)
      const { planSlug } = await state(sold.subscriptionId)
      await service.run((unit) =>
        unit.decide(subscriptions, sold.subscriptionId, 'CancelSubscription', { reason: 'x' }),
      )
      const second = await again({ ...sold, planSlug })
      expect(mode()).toBe('payment')
      expect((await send('checkout.session.completed', stripe.pay(second.checkoutUrl.split('/').at(-1)!))).status).toBe(
        200,
      )
      const { subscriptionId } = await checkout(sold.customerId, second.id)
      running.push(subscriptionId)
      expect(await state(subscriptionId)).toMatchObject({ status: 'ACTIVE', trialEndsAt: null })
      const { slug: other } = await plan(PRICED)
      await again({ ...sold, planSlug: other })
      expect(mode(), 'another plan is another trial').toBe('setup')
    })

    it('is had by the last of several checkouts, and by one only', async () => {
      const { slug: planSlug } = await plan(PRICED)
      const { id: customerId } = await customer()
      const asked = await Promise.allSettled([1, 2, 3].map(() => again({ customerId, planSlug })))
      const opened = asked.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
      for (const each of asked)
        if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'CHECKOUT_REPLACED' })
      expect(opened.length).toBeGreaterThan(0)
      const last = await again({ customerId, planSlug })
      expect(mode()).toBe('setup')
      for (const { id } of opened) expect(await checkout(customerId, id)).toMatchObject({ status: 'EXPIRED' })
      const closed = opened.filter(
        ({ checkoutUrl }) => stripe.object(checkoutUrl.split('/').at(-1)!)['status'] === 'expired',
      )
      expect(closed.length, 'each page that was open is open no more').toBe(opened.length)
      expect((await send('checkout.session.completed', stripe.pay(last.checkoutUrl.split('/').at(-1)!))).status).toBe(
        200,
      )
      const { subscriptionId } = await checkout(customerId, last.id)
      running.push(subscriptionId)
      expect((await state(subscriptionId)).status).toBe('TRIALING')
      await again({ customerId, planSlug })
      expect(mode()).toBe('payment')
      expect(await licensing.findConstraintMismatch()).toBeUndefined()
    })
  })

  it('whose charge fails is past due', async () => {
    const { subscriptionId, method } = await bought({ trialDays: 14 })
    stripe.card(method, 'is declined')
    service.passTime(14 * DAY_MS + 60_000)
    await service.settle()
    expect((await state(subscriptionId)).status).toBe('PAST_DUE')
  })

  const pastDue = async () => {
    const { subscriptionId, method } = await bought({ trialDays: 14 }, { billingCycle: 'YEARLY' })
    stripe.card(method, 'is declined')
    service.passTime(14 * DAY_MS + 60_000)
    await service.settle()
    const { status, trialEndsAt } = await state(subscriptionId)
    expect(status).toBe('PAST_DUE')
    return { subscriptionId, method, trialEndsAt }
  }

  it('paid for after its charge has failed is followed by the one period that was paid', async () => {
    const { subscriptionId, method, trialEndsAt } = await pastDue()
    stripe.card(method, 'pays')
    service.passTime(2 * DAY_MS + 60_000)
    await service.settle()
    const after = await state(subscriptionId)
    expect(after).toMatchObject({ status: 'ACTIVE', currentPeriodStart: trialEndsAt })
    const years = new Date(after.currentPeriodEnd).getUTCFullYear() - new Date(trialEndsAt!).getUTCFullYear()
    expect(years).toBe(1)
  })

  it('given up and paid for later has its period from then on, since its license was held', async () => {
    const { subscriptionId } = await pastDue()
    await service.run((unit) => unit.decide(subscriptions, subscriptionId, 'GiveUpCharging', {}))
    service.passTime(40 * DAY_MS)
    const as = await service.staff()
    const body = { amount: 10_000, currency: 'EUR', method: 'BANK_TRANSFER' }
    const paid = await service.call('POST', `/api/admin/subscriptions/${subscriptionId}/payments`, { as, body })
    expect(paid.status, paid.text).toBe(201)
    const { status, currentPeriodStart } = await state(subscriptionId)
    expect(status).toBe('ACTIVE')
    expect(now().getTime() - Date.parse(currentPeriodStart)).toBeLessThan(DAY_MS)
  })

  it('whose charge has failed is over at once for who leaves at the end of what he has', async () => {
    const { subscriptionId } = await pastDue()
    const { kid } = (await state(subscriptionId)).licenses[0]!
    await service.run((unit) => unit.decide(subscriptions, subscriptionId, 'ScheduleCancellation', { kid }))
    await service.settle()
    expect((await state(subscriptionId)).status).toBe('CANCELLED')
  })

  it('without a means of payment ends, its license with it; of a free plan it becomes active', async () => {
    const trial = async (terms: object) => {
      const { slug } = await plan({ trialDays: 7, ...terms })
      const body = {
        email: `trial-${(customersMade += 1)}@example.test`,
        planSlug: slug,
        billingCycle: 'MONTHLY',
        status: 'TRIALING',
      }
      return (await provision(body, await service.staff())).body.subscription.id as string
    }
    const [dear, free] = [await trial({ priceMonthly: 1_000 }), await trial({})]
    service.passTime(7 * DAY_MS + 60_000)
    await service.settle()
    expect((await state(dear)).status).toBe('EXPIRED')
    expect((await state(free)).status).toBe('ACTIVE')
  })
})

/** The address of a new member of staff. */
async function member(role: Role): Promise<string> {
  const me = await service.call('GET', '/api/admin/auth/me', { as: await service.staff(role) })
  return me.body.email
}

const refund = async (id: string, body: object = { reason: 'unhappy' }) =>
  service.call('POST', `/api/admin/payments/${id}/refund`, { as: await service.staff(), body })

describe('a refund by the provider', () => {
  it('of a period leaves nothing of it to be credited', async () => {
    const { id, subscriptionId } = await bought({}, { seats: 3 })
    const fewer = (proration: 'invoice' | 'none') =>
      service.run((unit) => {
        const ask = { seats: 1, effective: 'now', proration } as const
        return changeSubscription(unit, subscriptionId, ask, { iss: service.settings.baseUrl })
      })
    expect((await refund(id, { amount: 3_000, reason: 'unhappy' })).status).toBe(200)
    await expect(fewer('invoice')).rejects.toMatchObject({ statusCode: 409, code: 'PAYMENT_RETURNED' })
    expect(await fewer('none')).toMatchObject({ seats: 1 })
  })

  it('is under way at first, and paid when the provider says so', async () => {
    const { id, subscriptionId } = await bought()
    const { status, body } = await refund(id, { amount: 400, reason: 'unhappy' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'PAID', refunds: [{ status: 'PENDING', amount: 400 }] })
    await service.settle()
    expect(stripe.asked('POST /v1/refunds').at(-1)!.fields).toMatchObject({ amount: '400' })
    expect((await listed(subscriptionId))[0]).toMatchObject({
      status: 'PARTIALLY_REFUNDED',
      refunds: [{ status: 'PAID', providerRef: expect.stringMatching(/^re_/), invoiceNumber: expect.any(String) }],
    })
  })

  it('that fails in the end leaves the money to be given back', async () => {
    const { id, subscriptionId } = await bought()
    stripe.card('refund', 'takes its time')
    await refund(id)
    await service.settle()
    stripe.card('refund', 'pays')
    expect((await listed(subscriptionId))[0]).toMatchObject({ refunds: [{ status: 'PENDING' }] })
    const pending = stripe.objects('refund').at(-1)!
    expect((await send('refund.failed', stripe.finishRefund(pending['id'], 'failed'))).status).toBe(200)
    expect((await listed(subscriptionId))[0]).toMatchObject({ status: 'PAID', refunds: [{ status: 'FAILED' }] })
    expect((await refund(id)).status).toBe(200)
  })
})

it('gives back once, though the provider has forgotten by then that it was asked', async () => {
  const { id, subscriptionId, paid } = await bought()
  expect((await refund(id, { amount: 400, reason: 'x' })).status).toBe(200)
  await lostAnswers()
  stripe.forgetKeys()
  await service.settle()
  expect(stripe.objects('refund').filter(({ payment_intent: of }) => of === paid['payment_intent'])).toHaveLength(1)
  expect((await listed(subscriptionId))[0]).toMatchObject({ refunds: [{ status: 'PAID', amount: 400 }] })
})

describe('a refund that fails after it went through', () => {
  async function lost() {
    const sold = await bought()
    expect((await refund(sold.id)).status).toBe(200)
    await service.settle()
    expect((await listed(sold.subscriptionId))[0]).toMatchObject({ status: 'REFUNDED', refunds: [{ status: 'PAID' }] })
    const gone = stripe.finishRefund(stripe.objects('refund').at(-1)!['id'], 'failed')
    expect((await send('charge.refund.updated', gone)).status).toBe(200)
    return { ...sold, gone }
  }

  it('is given back no more, and can be given back again', async () => {
    const { id, subscriptionId, gone } = await lost()
    expect((await listed(subscriptionId))[0]).toMatchObject({
      status: 'PAID',
      refunds: [{ status: 'FAILED', paidAt: null, amount: 1_000 }],
    })
    expect((await send('refund.failed', gone)).status).toBe(200)
    expect((await refund(id)).status).toBe(200)
    await service.settle()
    expect((await listed(subscriptionId))[0]).toMatchObject({
      status: 'REFUNDED',
      refunds: [{ status: 'PAID' }, { status: 'FAILED' }],
    })
    expect((await audit(id)).filter(({ action }) => action === 'payment.refund_failed')).toHaveLength(1)
  })

  it('can be given back by hand, which asks nothing of the provider', async () => {
    const { id, subscriptionId } = await lost()
    const asked = stripe.asked('POST /v1/refunds').length
    const { status, body } = await refund(id, { amount: 600, reason: 'account closed', byHand: true })
    expect({ status, refunds: body.refunds.length }).toEqual({ status: 200, refunds: 2 })
    await service.settle()
    expect(stripe.asked('POST /v1/refunds').length).toBe(asked)
    expect((await listed(subscriptionId))[0]).toMatchObject({
      status: 'PARTIALLY_REFUNDED',
      refunds: [{ status: 'PAID', amount: 600, provider: 'manual', providerRef: null }, { status: 'FAILED' }],
    })
    expect((await refund(id, { amount: 401, reason: 'x' })).headers.get('error-code')).toBe('MORE_THAN_IS_LEFT')
  })

  it('leaves the books right: another invoice takes its credit note back', async () => {
    const { subscriptionId } = await lost()
    const { rows } = await service.superuser.query(
      'SELECT kind, total::int, lines FROM read.invoices WHERE subscription_id = $1 ORDER BY number',
      [subscriptionId],
    )
    const [, note, again] = rows
    expect(rows).toMatchObject([
      { kind: 'INVOICE' },
      { kind: 'CREDIT_NOTE', total: 1_000 },
      { kind: 'INVOICE', total: 1_000 },
    ])
    expect(note).toBeDefined()
    expect(again.lines[0].label).toMatch(/^Not given back: credit note \d{4}-\d{6}$/)
  })

  it('is told to those who can give it back again, and to nobody else of the staff', async () => {
    const [helper, biller] = [await member('SUPPORT'), await member('BILLING')]
    const invited = { email: 'invited@staff.test', name: 'Ines', roles: ['BILLING'] }
    const as = await service.staff()
    expect((await service.call('POST', '/api/admin/staff', { as, body: invited })).status).toBe(201)
    const { id } = await lost()
    await service.settle()
    const told = service.mails.filter(({ subject, text }) => /refund failed/.test(subject) && text.includes(id))
    expect(told.map(({ to }) => to)).toContain(biller)
    for (const other of [helper, invited.email]) expect(told.map(({ to }) => to)).not.toContain(other)
  })
})

describe('a dispute', () => {
  it('keeps the money from being given back twice, until it is decided', async () => {
    const { id, subscriptionId, paid } = await bought()
    const dispute = stripe.dispute(paid['payment_intent'])
    expect((await send('charge.dispute.created', dispute)).status).toBe(200)
    expect((await refund(id)).headers.get('error-code')).toBe('PAYMENT_DISPUTED')
    expect((await listed(subscriptionId))[0]).toMatchObject({
      status: 'PAID',
      disputes: [{ status: 'OPEN', amount: 1_000, reason: 'fraudulent', providerRef: dispute['id'], closedAt: null }],
    })
    expect(
      (await send('charge.dispute.closed', stripe.dispute(paid['payment_intent'], { status: 'won' }))).status,
    ).toBe(200)
    expect((await listed(subscriptionId))[0]).toMatchObject({
      disputes: [{ status: 'WON', closedAt: expect.any(String) }],
    })
    expect((await refund(id)).status).toBe(200)
  })

  it('that is lost leaves nothing to give back, and the license to the staff, who are told', async () => {
    const biller = await member('BILLING')
    const { id, subscriptionId, paid } = await bought()
    expect((await send('charge.dispute.created', stripe.dispute(paid['payment_intent']))).status).toBe(200)
    expect(
      (await send('charge.dispute.closed', stripe.dispute(paid['payment_intent'], { status: 'lost' }))).status,
    ).toBe(200)
    await service.settle()
    expect((await refund(id)).headers.get('error-code')).toBe('NOTHING_LEFT')
    expect(await state(subscriptionId)).toMatchObject({ status: 'ACTIVE', licenses: [{ status: 'ACTIVE' }] })
    const told = service.mails.filter(({ to, text }) => to === biller && text.includes(id))
    expect(told.map(({ subject }) => subject).toSorted()).toEqual(['A dispute is lost', 'A payment is disputed'])
    const actions = (await audit(id)).map(({ action }) => action)
    expect(actions).toEqual(expect.arrayContaining(['payment.disputed', 'payment.dispute_closed']))
  })

  it('is told once, in whatever order, and nobody else’s is passed over', async () => {
    const { subscriptionId, paid } = await bought()
    const dispute = stripe.dispute(paid['payment_intent'], { status: 'lost' })
    for (const type of ['charge.dispute.closed', 'charge.dispute.created', 'charge.dispute.funds_withdrawn'])
      expect((await send(type, dispute)).status).toBe(200)
    expect((await listed(subscriptionId))[0].disputes).toMatchObject([{ status: 'LOST' }])
    const before = (await service.history()).length
    expect((await send('charge.dispute.created', { id: 'dp_unknown' })).status).toBe(200)
    expect((await service.history()).length).toBe(before)
  })

  it('that is only a question lets the money be given back', async () => {
    const { id, paid } = await bought()
    const asked = { status: 'warning_needs_response', is_charge_refundable: true }
    expect((await send('charge.dispute.created', stripe.dispute(paid['payment_intent'], asked))).status).toBe(200)
    expect((await refund(id)).status).toBe(200)
  })

  it('of what was paid twice is about what was paid the second time', async () => {
    const { subscriptionId, method } = await bought()
    stripe.card(method, 'takes its time')
    await toPeriodEnd(subscriptionId)
    await service.settle()
    const body = { amount: 1_000, currency: 'EUR', method: 'BANK_TRANSFER' }
    const as = await service.staff()
    await service.call('POST', `/api/admin/subscriptions/${subscriptionId}/payments`, { as, body })
    const intent = stripe.finish(charges(method).at(-1)!['id'], 'succeeded')
    expect((await send('payment_intent.succeeded', intent)).status).toBe(200)
    expect((await send('charge.dispute.created', stripe.dispute(intent['id']))).status).toBe(200)
    expect(await listed(subscriptionId)).toMatchObject([
      { provider: 'stripe', providerRef: intent['id'], disputes: [{ status: 'OPEN' }] },
      { provider: 'manual', disputes: [] },
      { disputes: [] },
    ])
  })
})

/** Staff, Stripe and banks act in any order; notices arrive late, twice or never. Stripe's books are the oracle. */
it('never gives back more than was paid, nor says otherwise than the provider', { timeout: 120_000 }, async () => {
  const step = fc.oneof(
    fc.record({ does: fc.constant('refund' as const), amount: fc.integer({ min: 1, max: 700 }), slow: fc.boolean() }),
    fc.record({
      does: fc.constant('decide' as const),
      nth: fc.nat({ max: 3 }),
      well: fc.boolean(),
      told: fc.nat({ max: 2 }),
    }),
    fc.record({ does: fc.constant('dispute' as const), status: fc.constantFrom('needs_response', 'won', 'lost') }),
    fc.record({ does: fc.constant('pay again' as const) }),
  )
  const run = async (steps: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[]) => {
    const { id, subscriptionId, paid } = await bought()
    const intent = paid['payment_intent'] as string
    const refunds = () => stripe.objects('refund').filter(({ payment_intent: of }) => of === intent)
    for (const each of steps) {
      stripe.card('refund', each.does === 'refund' && each.slow ? 'takes its time' : 'pays')
      if (each.does === 'refund') await refund(id, { amount: each.amount, reason: 'x' })
      if (each.does === 'pay again') await send('payment_intent.succeeded', stripe.object(intent))
      if (each.does === 'dispute') {
        const isOpen = each.status === 'needs_response'
        const isDecided = ['won', 'lost'].includes(
          stripe.objects('dispute').find((one) => one['payment_intent'] === intent)?.['status'],
        )
        if (!isOpen || !isDecided)
          await send(
            isOpen ? 'charge.dispute.created' : 'charge.dispute.closed',
            stripe.dispute(intent, { status: each.status }),
          )
      }
      const one = each.does === 'decide' ? refunds()[each.nth] : undefined
      if (each.does === 'decide' && one && one['status'] !== 'failed') {
        stripe.finishRefund(one['id'], each.well ? 'succeeded' : 'failed')
        for (let told = 0; told < each.told; told += 1) await send('refund.updated', one)
      }
      await service.settle()
    }
    stripe.card('refund', 'pays')
    for (const one of refunds()) await send('refund.updated', one)
    const payment = (await listed(subscriptionId)).find((row: { id: string }) => row.id === id)
    const ours = (status: string) => payment.refunds.filter((row: { status: string }) => row.status === status)
    const sumOf = (rows: readonly Record<string, any>[]) => rows.reduce((total, { amount }) => total + amount, 0)
    const theirs = (status: string) => refunds().filter((row) => row['status'] === status)
    expect(sumOf(ours('PAID'))).toBe(sumOf(theirs('succeeded')))
    expect(sumOf(ours('PENDING'))).toBe(sumOf(theirs('pending')))
    const gone = sumOf(ours('PAID'))
    expect(gone).toBeLessThanOrEqual(1_000)
    const status = gone === 0 ? 'PAID' : gone === 1_000 ? 'REFUNDED' : 'PARTIALLY_REFUNDED'
    expect(payment).toMatchObject({ amount: 1_000, status })
    const { rows } = await service.superuser.query(
      `SELECT kind, total::int AS amount FROM read.invoices WHERE payment_id = $1`,
      [id],
    )
    const billed = (kind: string) => sumOf(rows.filter((row) => row.kind === kind))
    expect(billed('INVOICE') - billed('CREDIT_NOTE'), 'the books say what is left').toBe(1_000 - gone)
  }
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 8 }), run), { numRuns: 4 })
  await service.rebuiltEqualsLive()
})

describe('what is paid twice', () => {
  it('is given back', async () => {
    const { subscriptionId, method } = await bought()
    stripe.card(method, 'takes its time')
    await toPeriodEnd(subscriptionId)
    await service.settle()
    const body = { amount: 1_000, currency: 'EUR', method: 'BANK_TRANSFER' }
    const as = await service.staff()
    expect(
      (await service.call('POST', `/api/admin/subscriptions/${subscriptionId}/payments`, { as, body })).status,
    ).toBe(201)
    const intent = stripe.finish(charges(method).at(-1)!['id'], 'succeeded')
    for (const type of ['payment_intent.succeeded', 'payment_intent.succeeded'])
      expect((await send(type, intent)).status).toBe(200)
    await service.settle()
    expect(await listed(subscriptionId)).toMatchObject([
      { provider: 'stripe', status: 'REFUNDED' },
      { provider: 'manual', status: 'PAID' },
      { status: 'PAID' },
    ])
  })
})

it('sends an invoice for what is too little to be charged', async () => {
  const { subscriptionId, customerId, method } = await bought()
  const due = { customerId, subscriptionId, purpose: 'CHANGE', currency: 'EUR', occurrence: null } as const
  await service.run((unit) => requestPayment(unit, { ...due, lines: [{ label: 'A day of one seat', amount: 49 }] }))
  await service.settle()
  expect(charges(method)).toHaveLength(1)
  expect((await listed(subscriptionId))[0]).toMatchObject({
    provider: 'manual',
    status: 'PENDING',
    invoiceNumber: expect.any(String),
  })
  expect((await state(subscriptionId)).status).toBe('ACTIVE')
})

it('charges nothing for one occurrence twice', async () => {
  const { subscriptionId, customerId } = await bought()
  const due = {
    customerId,
    subscriptionId,
    purpose: 'RENEWAL',
    currency: 'EUR',
    lines: [{ label: 'x', amount: 5 }],
  } as const
  const ask = () => service.run((unit) => requestPayment(unit, { ...due, occurrence: 'period/once' }))
  const done = await Promise.allSettled([ask(), ask(), ask()])
  expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

it('writes its secrets nowhere', async () => {
  const { secretKey, webhookSecret } = stripe.settings
  const everything = (await service.dump()) + service.logs()
  expect(everything).not.toContain(secretKey)
  expect(everything).not.toContain(webhookSecret)
})

it('knows a provider that is away from one that refuses', async () => {
  const provider = stripeProvider({ ...stripe.settings, apiBase: new URL('http://127.0.0.1:9') })
  await expect(provider.fetchReport('pi_1')).rejects.toMatchObject({ name: 'ProviderUnavailable' })
})
