/** What staff do to a subscription, over HTTP. */
import { beforeAll, describe, expect, it } from 'vitest'
import { normalisedEmail } from '#kernel/credentials/email-address'
import { customers } from '#licensing/customers/decider'
import { inDays } from '../../support/licensing/examples.ts'
import { startService } from '../../support/licensing/service.ts'
import { shopFixture } from '../../support/licensing/shop-fixture.ts'

const service = await startService()
const { admin, plan, provision, get, post, audit } = await shopFixture(service)
const UNKNOWN = '01890000-0000-7000-8000-00000000ffff'

let team: { slug: string; id: string }
let big: { slug: string; id: string }
beforeAll(async () => {
  team = await plan({ maxActivations: 3, maxSeats: 50, priceYearly: 36_500, priceMonthly: 3_100, trialDays: 14 })
  big = await plan({ maxActivations: 10, priceYearly: 73_000, priceMonthly: 6_200 })
})

let number = 0
const address = () => `change-${(number += 1)}@example.test`
async function sold(more: object = {}) {
  const { status, body, text } = await provision({ email: address(), planSlug: team.slug, ...more })
  expect(status, text).toBe(201)
  return body
}
const path = (id: string, rest = '') => `/api/admin/subscriptions/${id}${rest}`
const patch = (id: string, body: unknown, as = admin) => service.call('PATCH', path(id), { as, body })
const read = async (id: string) => (await get(path(id))).body
const license = async (id: string) => (await get(`/api/admin/licenses/${id}`)).body
const preview = (id: string, body: unknown, as = admin) => post(path(id, '/change-preview'), body, as)
const refusal = ({ status, body }: { status: number; body: any }) => [status, body.message]

async function customer(): Promise<string> {
  const email = address()
  const emailKey = await service.licensing.vault.hmac('pepper', normalisedEmail(email))
  return service.run(async (unit) => {
    const customerId = unit.newId()
    const ask = { customerId, email, emailKey, name: null, company: null }
    await unit.decide(customers, customerId, 'RegisterCustomer', ask)
    return customerId
  })
}

describe('creating', () => {
  it('sells with a license, for one cycle from now', async () => {
    const customerId = await customer()
    const body = { customerId, planSlug: team.slug, seats: 3, billingCycle: 'MONTHLY' }
    const made = await post('/api/admin/subscriptions', body)
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ customerId, planSlug: team.slug, seats: 3, status: 'ACTIVE', reference: null })
    expect(made.body).toEqual(await read(made.body.id))
    expect(await license(made.body.licenseId)).toMatchObject({
      effectiveStatus: 'ACTIVE',
      subscriptionId: made.body.id,
      expiresAt: made.body.currentPeriodEnd,
    })
    const lastsDays = (Date.parse(made.body.currentPeriodEnd) - Date.parse(made.body.currentPeriodStart)) / 86_400_000
    expect(lastsDays).toBeGreaterThanOrEqual(28)
    expect(lastsDays).toBeLessThanOrEqual(31)
    expect((await audit(made.body.id)).map(({ action }) => action)).toEqual([
      'license.issued',
      'subscription.created',
      'customer.subscribed',
    ])
  })

  it('sells without a license, as a trial, until when it was asked to', async () => {
    const currentPeriodEnd = inDays(60, new Date())
    const ask = { customerId: await customer(), planSlug: team.slug, status: 'TRIALING', currentPeriodEnd }
    const { body } = await post('/api/admin/subscriptions', { ...ask, issueLicense: false })
    expect(body).toMatchObject({ status: 'TRIALING', licenseId: null, currentPeriodEnd })
    expect(body.trialEndsAt).toBe(inDays(14, new Date(body.currentPeriodStart)))
  })

  it('is refused for what cannot be sold, and to whom', async () => {
    const customerId = await customer()
    const asking = (more: object) => post('/api/admin/subscriptions', { customerId, planSlug: team.slug, ...more })
    expect(refusal(await asking({ customerId: UNKNOWN }))).toEqual([404, 'Not found'])
    expect(refusal(await asking({ planSlug: 'no-such-plan' }))).toEqual([400, 'Plan no-such-plan does not exist'])
    expect(refusal(await asking({ seats: 51 }))).toEqual([400, `Plan ${team.slug} has at most 50 seats`])
    for (const wrong of [{ seats: 0 }, { status: 'PAUSED' }, { colour: 'red' }, { issueLicense: 'yes' }])
      expect((await asking(wrong)).status).toBe(400)
  })

  it('is ended with the customer when he is erased', async () => {
    const { customer: he } = await sold()
    const { body } = await post('/api/admin/subscriptions', { customerId: he.id, planSlug: team.slug })
    expect((await post(`/api/admin/customers/${he.id}/erase`, { confirmEmail: he.email })).status).toBe(202)
    expect(await read(body.id)).toMatchObject({ status: 'CANCELLED', licenseId: null })
    expect((await license(body.licenseId)).effectiveStatus).toBe('REVOKED')
    const again = await post('/api/admin/subscriptions', { customerId: he.id, planSlug: team.slug })
    expect([...refusal(again), again.headers.get('error-code')]).toEqual([
      409,
      'The customer is erased',
      'CUSTOMER_ERASED',
    ])
  })

  it('to one who is being erased is refused or ended with him', async () => {
    const { customer: he } = await sold()
    const [erased, ...sales] = await Promise.all([
      post(`/api/admin/customers/${he.id}/erase`, { confirmEmail: he.email }),
      ...Array.from({ length: 20 }, () => post('/api/admin/subscriptions', { customerId: he.id, planSlug: team.slug })),
    ])
    expect(erased.status).toBe(202)
    for (const { status, body } of sales) {
      expect([201, 409]).toContain(status)
      if (status === 201) expect((await read(body.id)).status).toBe('CANCELLED')
    }
  })
})

describe('changing', () => {
  it('seats keeps the license and its key, and signs it anew', async () => {
    const { subscription, license: before } = await sold()
    const { status, body } = await patch(subscription.id, { seats: 7 })
    expect(status).toBe(200)
    expect(body).toEqual(await read(subscription.id))
    expect(body).toMatchObject({ seats: 7, licenseId: before.id })
    expect(await license(before.id)).toMatchObject({ keyId: before.keyId, seq: 2, seats: 7, status: 'ACTIVE' })
    const [, changed] = await audit(subscription.id)
    expect(changed).toMatchObject({ action: 'subscription.changed', meta: { settlement: { due: 'next_invoice' } } })
  })

  it('the plan issues a new license, and the old one names it', async () => {
    const { subscription, license: before } = await sold()
    const { body } = await patch(subscription.id, { planSlug: big.slug })
    expect(body).toEqual(await read(subscription.id))
    expect(body).toMatchObject({ planSlug: big.slug, planVersion: 1, maxActivations: 10 })
    expect(body.licenseId).not.toBe(before.id)
    expect(await license(before.id)).toMatchObject({ status: 'REVOKED', replacedBy: body.licenseId })
    expect(await license(body.licenseId)).toMatchObject({ planSlug: big.slug, maxActivations: 10, seq: 1 })
  })

  it('the cycle begins a new period at once', async () => {
    const { subscription } = await sold()
    const { body } = await patch(subscription.id, { billingCycle: 'MONTHLY' })
    expect(body).toEqual(await read(subscription.id))
    expect(Date.parse(body.currentPeriodEnd) - Date.parse(body.currentPeriodStart)).toBeLessThan(32 * 86_400_000)
    expect((await license(body.licenseId)).expiresAt).toBe(body.currentPeriodEnd)
  })

  it('is scheduled for the end of the period, and withdrawn by asking for what is', async () => {
    const { subscription } = await sold()
    const { body } = await patch(subscription.id, { seats: 9, effective: 'period_end', proration: 'none' })
    expect(body).toEqual(await read(subscription.id))
    expect(body).toMatchObject({
      seats: 1,
      scheduledChange: { seats: 9, proration: 'none', effectiveAt: body.currentPeriodEnd },
    })
    const { body: withdrawn } = await patch(subscription.id, { seats: 1, effective: 'period_end' })
    expect(withdrawn).toEqual(await read(subscription.id))
    expect(withdrawn.scheduledChange).toBeNull()
  })

  it('to what it is already records nothing', async () => {
    const { subscription } = await sold()
    const head = await service.licensing.store.head()
    expect((await patch(subscription.id, { seats: 1 })).status).toBe(200)
    expect(await service.licensing.store.head()).toBe(head)
  })

  it('is refused with a bad body, for an unknown one, a closed plan, too many seats', async () => {
    const { subscription } = await sold()
    const closed = await plan({ active: false })
    for (const wrong of [{}, { effective: 'now' }, { seats: 0 }, { seats: 2, proration: 'all' }, { status: 'ACTIVE' }])
      expect((await patch(subscription.id, wrong)).status).toBe(400)
    expect((await patch(UNKNOWN, { seats: 2 })).status).toBe(404)
    expect((await patch('not-an-id', { seats: 2 })).status).toBe(404)
    expect(refusal(await patch(subscription.id, { planSlug: closed.slug }))).toEqual([
      400,
      `Plan ${closed.slug} is not active`,
    ])
    expect(refusal(await patch(subscription.id, { seats: 51 }))[0]).toBe(400)
  })

  it('many at once leaves one license that is not revoked', async () => {
    const { subscription } = await sold()
    const slugs = [team.slug, big.slug]
    const replies = await Promise.all(
      Array.from({ length: 16 }, (_none, nth) => patch(subscription.id, { planSlug: slugs[nth % 2], seats: 1 + nth })),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    await service.licensing.projector.catchUp()
    const { rows } = await service.superuser.query(
      `SELECT id FROM read.licenses WHERE subscription_id = $1 AND status = 'ACTIVE'`,
      [subscription.id],
    )
    expect(rows).toEqual([{ id: (await read(subscription.id)).licenseId }])
  })
})

describe('previewing a change', () => {
  it('answers terms, lines, money, license and date, and records nothing', async () => {
    const { subscription } = await sold()
    const head = await service.licensing.store.head()
    const before = await read(subscription.id)
    const { status, body } = await preview(subscription.id, { planSlug: big.slug, seats: 2, proration: 'invoice' })
    expect(status).toBe(200)
    const offer = { billingCycle: 'YEARLY', currency: 'EUR', planVersion: 1, currentPeriodEnd: before.currentPeriodEnd }
    expect(body).toEqual({
      current: { ...offer, planSlug: team.slug, seats: 1, maxActivations: 3, price: 36_500 },
      next: { ...offer, planSlug: big.slug, seats: 2, maxActivations: 10, price: 146_000 },
      lines: [
        { label: `Unused time: ${team.slug}, 1 seat, yearly`, amount: -36_500 },
        { label: `Remaining time: ${big.slug}, 2 seats, yearly`, amount: 146_000 },
      ],
      creditAmount: 0,
      dueNow: 109_500,
      nextInvoice: { date: before.currentPeriodEnd, amount: 146_000 },
      license: { willReissue: true, slotsOverBy: 0 },
      effectiveAt: expect.any(String),
      previewToken: expect.any(String),
    })
    expect(await service.licensing.store.head()).toBe(head)
    expect(await read(subscription.id)).toEqual(before)
  })

  it('puts a prorated difference on the next invoice, and credits a lower price', async () => {
    const { subscription } = await sold()
    expect((await preview(subscription.id, { seats: 2 })).body).toMatchObject({
      dueNow: 0,
      creditAmount: 0,
      nextInvoice: { amount: 73_000 + 36_500 },
      license: { willReissue: false },
    })
    await patch(subscription.id, { seats: 2, proration: 'none' })
    await patch(subscription.id, { seats: 5, proration: 'invoice' })
    await post(path(subscription.id, '/payments'), { amount: 146_000, currency: 'EUR', method: 'BANK_TRANSFER' })
    const { body } = await preview(subscription.id, { seats: 1 })
    expect(body).toMatchObject({ dueNow: 0, creditAmount: 146_000, nextInvoice: { amount: 36_500 } })
  })

  it('shows what comes at the end of the period', async () => {
    const { subscription } = await sold()
    const { currentPeriodEnd } = await read(subscription.id)
    const { body } = await preview(subscription.id, { billingCycle: 'MONTHLY', effective: 'period_end' })
    expect(body).toMatchObject({
      lines: [],
      dueNow: 0,
      creditAmount: 0,
      nextInvoice: { date: currentPeriodEnd, amount: 3_100 },
      effectiveAt: currentPeriodEnd,
    })
  })

  it('of no change costs nothing', async () => {
    const { subscription } = await sold()
    const { body } = await preview(subscription.id, { seats: 1 })
    expect(body).toMatchObject({ lines: [], dueNow: 0, creditAmount: 0, nextInvoice: { amount: 36_500 } })
  })

  it('needs subscriptions:view only, and the change subscriptions:manage', async () => {
    const { subscription } = await sold()
    const viewer = await service.token(['subscriptions:view'])
    const manager = await service.token(['subscriptions:manage'])
    expect((await preview(subscription.id, { seats: 2 }, viewer)).status).toBe(200)
    const { body } = await preview(subscription.id, { seats: 2 }, viewer)
    expect((await patch(subscription.id, { seats: 2 }, viewer)).status).toBe(403)
    expect((await patch(subscription.id, { seats: 2, previewToken: body.previewToken }, manager)).status).toBe(200)
  })
})

describe('cancelling', () => {
  const cancel = (id: string, body: unknown, query = '') => post(path(id, `/cancel${query}`), body)

  it('at once revokes the license, in the same append', async () => {
    const { subscription, license: it_ } = await sold()
    const { status, body, headers } = await cancel(subscription.id, { mode: 'now', reason: 'not needed any more' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'CANCELLED', cancelledAt: expect.any(String), licenseId: null })
    expect(body).toEqual(await read(subscription.id))
    expect(await license(it_.id)).toMatchObject({ effectiveStatus: 'REVOKED', reason: 'not needed any more' })
    const all = await service.history()
    const appended = all.filter(({ metadata }) => metadata['requestId'] === headers.get('x-request-id'))
    expect(appended.map(({ type }) => type).slice(0, 2)).toEqual(['SubscriptionCancelled', 'LicenseRevoked'])
    expect((await cancel(subscription.id, { mode: 'now' })).body).toEqual(body)
  })

  it('at the end of the period ends the license with it, without grace, until it is withdrawn', async () => {
    const { subscription, license: it_ } = await sold()
    const before = await license(it_.id)
    const { body } = await cancel(subscription.id, { mode: 'period_end' })
    expect(body).toEqual(await read(subscription.id))
    expect(body).toMatchObject({ status: 'ACTIVE', cancelAtPeriodEnd: true, cancelledAt: null })
    expect(await license(it_.id)).toMatchObject({
      expiresAt: body.currentPeriodEnd,
      graceEndsAt: body.currentPeriodEnd,
      seq: 2,
    })
    expect((await patch(subscription.id, { seats: 2 })).status).toBe(409)
    const back = await post(path(subscription.id, '/uncancel'), { reason: 'stays' })
    expect(back.body).toEqual(await read(subscription.id))
    expect(back.body.cancelAtPeriodEnd).toBe(false)
    expect(await license(it_.id)).toEqual({ ...before, seq: 3 })
    const again = await post(path(subscription.id, '/uncancel'))
    expect(refusal(again)).toEqual([409, 'No cancellation is pending'])
  })

  it('is only tried out with dryRun', async () => {
    const { subscription } = await sold()
    const before = await read(subscription.id)
    const head = await service.licensing.store.head()
    for (const mode of ['now', 'period_end']) {
      const { status, body } = await cancel(subscription.id, { mode }, '?dryRun=true')
      expect(status).toBe(200)
      expect(body).toMatchObject(
        mode === 'now' ? { status: 'CANCELLED', licenseId: null } : { cancelAtPeriodEnd: true },
      )
    }
    expect(await service.licensing.store.head()).toBe(head)
    expect(await read(subscription.id)).toEqual(before)
  })

  it('keeps the customer’s own words sealed', async () => {
    const { subscription } = await sold()
    const comment = 'Wilhelmina said that nobody here uses it'
    await cancel(subscription.id, { mode: 'period_end', comment })
    const text = (await service.dump()) + service.logs()
    expect(text).not.toContain('Wilhelmina')
  })

  it('is refused with a bad body, for an unknown one, and at the end of what is over', async () => {
    const { subscription } = await sold()
    for (const wrong of [{}, { mode: 'later' }, { mode: 'now', reason: '' }, { mode: 'now', colour: 'red' }])
      expect((await cancel(subscription.id, wrong)).status).toBe(400)
    expect((await cancel(subscription.id, { mode: 'now' }, '?dryRun=perhaps')).status).toBe(400)
    expect((await cancel(UNKNOWN, { mode: 'now' })).status).toBe(404)
    expect((await cancel(UNKNOWN, { mode: 'now' }, '?dryRun=true')).status).toBe(404)
    await cancel(subscription.id, { mode: 'now' })
    expect(refusal(await cancel(subscription.id, { mode: 'period_end' }))).toEqual([
      409,
      'The subscription is cancelled',
    ])
  })
})

describe('pausing', () => {
  it('suspends the license until it is resumed, and provisioning finds none active', async () => {
    const reference = 'paused for a while'
    const email = address()
    const { subscription, license: it_ } = await sold({ email, reference })
    const replay = () => provision({ email, planSlug: team.slug, reference })
    const paused = await post(path(subscription.id, '/pause'), { reason: 'on holiday' })
    expect(paused.body).toMatchObject({ status: 'PAUSED' })
    expect(paused.body).toEqual(await read(subscription.id))
    expect((await license(it_.id)).effectiveStatus).toBe('SUSPENDED')
    expect(refusal(await replay())).toEqual([400, `Reference ${reference} has no active license`])
    expect(refusal(await post(path(subscription.id, '/pause'), {}))).toEqual([409, 'The subscription is paused'])
    expect((await patch(subscription.id, { seats: 2 })).status).toBe(409)
    const resumed = await post(path(subscription.id, '/resume'), undefined)
    expect(resumed.body).toMatchObject({ status: 'ACTIVE' })
    expect((await license(it_.id)).effectiveStatus).toBe('ACTIVE')
    expect((await replay()).status).toBe(200)
    expect((await audit(subscription.id)).find(({ action }) => action === 'subscription.paused')!.meta).toMatchObject({
      reason: 'on holiday',
    })
  })
})

describe('the money of a change', () => {
  const paymentsOf = async (id: string) => (await get(path(id, '/payments'))).body.items
  const pay = (id: string, amount: number) =>
    post(path(id, '/payments'), { amount, currency: 'EUR', method: 'BANK_TRANSFER' })
  const outstanding = [409, 'A charge is outstanding: settle it first, or change without proration']

  it('is requested with it, and what it gives back becomes credit', async () => {
    const { subscription, customer: he } = await sold()
    await patch(subscription.id, { seats: 3, proration: 'invoice' })
    expect(await paymentsOf(subscription.id)).toMatchObject([{ type: 'CHARGE', amount: 73_000, status: 'PENDING' }])
    expect((await pay(subscription.id, 73_000)).status).toBe(201)
    const { status, headers } = await patch(subscription.id, { seats: 2 })
    expect(status).toBe(200)
    const all = await service.history()
    const appended = all.filter(({ metadata }) => metadata['requestId'] === headers.get('x-request-id'))
    expect(appended.map(({ type }) => type)).toEqual(['SubscriptionChanged', 'LicenseResigned', 'CreditGranted'])
    expect(appended.at(-1)!.data).toMatchObject({ customerId: he.id, amount: 36_500, currency: 'EUR' })
  })

  it('is not given back where it was never paid, whichever way round', async () => {
    const { subscription } = await sold()
    await patch(subscription.id, { seats: 3, proration: 'invoice' })
    for (const proration of ['prorate', 'invoice']) {
      expect(refusal(await patch(subscription.id, { seats: 1, proration }))).toEqual(outstanding)
      expect(refusal(await preview(subscription.id, { seats: 1, proration }))).toEqual(outstanding)
    }
    expect((await patch(subscription.id, { seats: 2, proration: 'none' })).status).toBe(200)
    await pay(subscription.id, 73_000)
    expect((await patch(subscription.id, { seats: 1 })).status).toBe(200)
  })

  it('of a period that a change began is not given back before it is paid', async () => {
    const { subscription } = await sold({ billingCycle: 'MONTHLY', currentPeriodEnd: inDays(31, new Date()) })
    await patch(subscription.id, { billingCycle: 'YEARLY' })
    expect(refusal(await patch(subscription.id, { billingCycle: 'MONTHLY' }))).toEqual(outstanding)
  })

  it('that was left for the next invoice is owed when the subscription is cancelled, and given back only when paid', async () => {
    const { subscription } = await sold()
    await patch(subscription.id, { seats: 3 })
    expect(await paymentsOf(subscription.id)).toEqual([])
    await post(path(subscription.id, '/cancel'), { mode: 'period_end' })
    expect(await paymentsOf(subscription.id)).toMatchObject([{ amount: 73_000, status: 'PENDING' }])
    await post(path(subscription.id, '/uncancel'))
    expect(refusal(await patch(subscription.id, { seats: 1 }))).toEqual(outstanding)
    await pay(subscription.id, 73_000)
    expect((await patch(subscription.id, { seats: 1 })).status).toBe(200)
  })
})

/** Last: time passes here, and all sessions end. */
describe('the token of a preview', () => {
  it('keeps its price for who presents its token, also when the plan has become dearer', async () => {
    const { slug, id } = await plan({ priceYearly: 10_000 })
    const { subscription } = await sold()
    const ask = { planSlug: slug, proration: 'invoice' }
    const { body: previewed } = await preview(subscription.id, ask)
    await service.call('PATCH', `/api/admin/plans/${id}`, { as: admin, body: { priceYearly: 90_000 } })
    service.passTime(300_000)
    const as = await service.staff()
    const { status, body } = await patch(subscription.id, { ...ask, previewToken: previewed.previewToken }, as)
    expect(status).toBe(200)
    expect(body).toMatchObject({ planSlug: slug, planVersion: 1 })
    const events = await service.history()
    const changed = events.findLast(({ type }) => type === 'SubscriptionChanged')!
    expect((changed.data as any).settlement).toMatchObject({
      amount: previewed.dueNow - previewed.creditAmount,
      lines: previewed.lines,
      from: previewed.effectiveAt,
    })
  })

  it('has a token that is good for one change of one subscription, for ten minutes, until something changes', async () => {
    const as = await service.staff()
    const { subscription } = await sold()
    const { subscription: other } = await sold()
    const ask = { seats: 2 }
    const { previewToken } = (await preview(subscription.id, ask, as)).body
    const [text, mac] = previewToken.split('.')
    const invalid = [400, 'previewToken belongs to another change: request a preview of this one']
    const asking = async (id: string, body: object) => refusal(await patch(id, body, as))
    expect(await asking(other.id, { ...ask, previewToken })).toEqual(invalid)
    expect(await asking(subscription.id, { seats: 3, previewToken })).toEqual(invalid)
    expect(await asking(subscription.id, { ...ask, effective: 'period_end', previewToken })).toEqual(invalid)
    for (const forged of ['', 'x', text, `${text}.`, `${text}.${mac}x`, `${text}x.${mac}`, `.${mac}`])
      expect(await asking(subscription.id, { ...ask, previewToken: forged })).toEqual(invalid)
    expect((await patch(subscription.id, { ...ask, previewToken: 'x'.repeat(2_001) }, as)).status).toBe(400)
    await patch(subscription.id, { seats: 4 }, as)
    expect(await asking(subscription.id, { ...ask, previewToken })).toEqual([
      409,
      'The subscription has changed since the preview: request another preview',
    ])
    const { previewToken: late } = (await preview(subscription.id, ask, as)).body
    service.passTime(600_001)
    const later = await service.staff()
    expect(refusal(await patch(subscription.id, { ...ask, previewToken: late }, later))).toEqual([
      409,
      'The preview is more than ten minutes old: request another preview',
    ])
  })
})

it('a cancellation for the end of the period takes effect with it, before anybody has written that down', async () => {
  const as = await service.staff()
  const ask = { email: address(), planSlug: team.slug, currentPeriodEnd: inDays(2, new Date()) }
  const { subscription } = (await provision(ask, as)).body
  const one = () => service.staff().then((somebody) => get(path(subscription.id), somebody))
  const { body: before } = await post(path(subscription.id, '/cancel'), { mode: 'period_end' }, as)
  service.passTime(3 * 86_400_000)
  expect((await one()).body).toEqual({
    ...before,
    status: 'CANCELLED',
    cancelAtPeriodEnd: false,
    cancelledAt: before.currentPeriodEnd,
  })
  const later = await service.staff()
  const list = async (status: string) =>
    (await get(`/api/admin/subscriptions?customerId=${before.customerId}&status=${status}`, later)).body.total
  expect([await list('CANCELLED'), await list('ACTIVE')]).toEqual([1, 0])
  expect((await post(path(subscription.id, '/uncancel'), {}, later)).status).toBe(409)
  expect((await post('/api/admin/licenses', { subscriptionId: subscription.id }, later)).status).toBe(409)
})
