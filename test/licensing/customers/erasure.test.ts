import { pino } from 'pino'
import { afterAll, describe, expect, it } from 'vitest'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { normalisedEmail } from '#kernel/credentials/email-address'
import type { EventStore } from '#kernel/events/store-port'
import { isBroken, verifyChain } from '#kernel/history/chain'
import { StaffSessionSteppedUp, staffSessionEvents } from '#licensing/auth/events'
import { customers } from '#licensing/customers/decider'
import type { Customer } from '#licensing/customers/decider'
import {
  CustomerErased,
  CustomerRegistered,
  CustomerSubscribed,
  customerEvents,
  customerSubject,
} from '#licensing/customers/events'
import { LicenseRevoked } from '#licensing/licenses/events'
import { ProvisioningCompleted } from '#licensing/provisioning/events'
import { StaffTotpDisabled, StaffTotpEnabled, staffEvents } from '#licensing/staff/events'
import { subscriptions } from '#licensing/subscriptions/decider'
import { SubscriptionCancelled } from '#licensing/subscriptions/events'
import { AT, given } from '#test/support/decider-spec'
import { overrideStore } from '#test/support/override-store'
import { openLicensing } from '../../../src/composition/licensing.ts'
import {
  aPlan,
  subscriptionCreated,
  CUSTOMER_ID,
  licenseIssued,
  LICENSE_ID,
  SUBSCRIPTION_ID,
} from '../../support/licensing/examples.ts'
import { startService } from '../../support/licensing/service.ts'
import { shopFixture } from '../../support/licensing/shop-fixture.ts'

let broken: Error | undefined
/** Fails every append while `broken` is set. */
const failing = (store: EventStore): EventStore =>
  overrideStore(store, {
    append: async (append) => {
      if (broken) throw broken
      return store.append(append)
    },
  })

const service = await startService({ wrapStore: failing })
const { admin, plan, provision, get, post, audit } = await shopFixture(service)
const { slug } = await plan()
const UNKNOWN = '01890000-0000-7000-8000-00000000ffff'

let number = 0
const address = () => `erased-${(number += 1)}@example.test`
const sold = async (more: object = {}) => (await provision({ email: address(), planSlug: slug, ...more })).body
const erase = (id: string, confirmEmail: string) => post(`/api/admin/customers/${id}/erase`, { confirmEmail })
const customer = async (id: string) => (await get(`/api/admin/customers/${id}`)).body

async function isDestroyed(id: string): Promise<boolean> {
  const { rows } = await service.superuser.query('SELECT wrapped FROM vault.data_key WHERE subject = $1', [
    customerSubject(id),
  ])
  expect(rows).toHaveLength(1)
  return rows[0].wrapped === null
}

describe('erasing', () => {
  it('answers 202 without a body when the customer is erased and his key destroyed', async () => {
    const { customer: he } = await sold()
    const { status, text } = await erase(he.id, `  ${he.email.toUpperCase()} `)
    expect([status, text]).toEqual([202, ''])
    expect(await isDestroyed(he.id)).toBe(true)
    expect(await customer(he.id)).toEqual({
      id: he.id,
      email: 'ERASED',
      name: null,
      company: null,
      status: 'ERASED',
      createdAt: expect.any(String),
      counts: { subscriptions: 1, activeLicenses: 0 },
      credit: [],
    })
    const listed = (await get('/api/admin/customers?status=ERASED')).body.items
    expect(listed.find(({ id }: { id: string }) => id === he.id)).toMatchObject({ email: 'ERASED', status: 'ERASED' })
    expect((await get(`/api/admin/customers?q=${he.email}`)).body.items).toEqual([])
  })

  it('opens nothing of him again, his name and company included', async () => {
    const customerId = '01890000-0000-7000-8000-0000000000ac'
    const email = address()
    const emailKey = await service.licensing.vault.hmac('pepper', email)
    const registered = CustomerRegistered({ customerId, email, emailKey, name: 'Nora Named', company: 'Names Ltd' })
    await service.run(async (unit) => unit.appendEvent(customerEvents, customerId, registered))
    await service.licensing.projector.catchUp()
    expect(await customer(customerId)).toMatchObject({ email, name: 'Nora Named' })
    expect((await erase(customerId, email)).status).toBe(202)
    expect(await customer(customerId)).toMatchObject({ email: 'ERASED', name: 'ERASED', company: 'ERASED' })
  })

  it('leaves no answer that an Idempotency-Key would show again, and does nothing again for it', async () => {
    const email = address()
    const keyed = async (path: string, body: object) =>
      service.call('POST', path, { as: admin, body, headers: { 'idempotency-key': `${path}-${email}` } })
    const register = () => keyed('/api/admin/customers', { email, name: 'Nora Named' })
    const provisioned = () => keyed('/api/admin/provisioning', { email, planSlug: slug })
    const { id } = (await register()).body
    expect((await provisioned()).status).toBe(201)
    expect((await provisioned()).body.customer).toMatchObject({ id, email })
    expect((await erase(id, email)).status).toBe(202)
    const before = (await service.history()).length
    for (const again of [await register(), await provisioned()]) {
      expect(again.status).toBe(409)
      expect(again.headers.get('error-code')).toBe('IDEMPOTENCY_ANSWER_LOST')
      expect(again.text).not.toContain(email)
    }
    expect((await service.history()).length).toBe(before)
  })

  it('changes nothing the second time, whatever is confirmed', async () => {
    const { customer: he } = await sold()
    expect((await erase(he.id, he.email)).status).toBe(202)
    const before = await audit(he.id)
    expect((await erase(he.id, he.email)).status).toBe(202)
    expect((await erase(he.id, 'somebody@example.test')).status).toBe(202)
    expect(await audit(he.id)).toEqual(before)
  })

  it('answers 400 to another address than his, and does nothing', async () => {
    const { customer: he, license } = await sold()
    const { customer: other } = await sold()
    for (const confirmEmail of [other.email, 'x', `x${he.email}`]) {
      const { status, body, headers } = await erase(he.id, confirmEmail)
      expect({ status, body }).toEqual({
        status: 400,
        body: { statusCode: 400, message: 'confirmEmail is not the address of this customer' },
      })
      expect(headers.get('error-code')).toBe('CONFIRMATION_WRONG')
    }
    for (const body of [undefined, {}, { confirmEmail: '' }, { confirmEmail: he.email, force: true }])
      expect((await post(`/api/admin/customers/${he.id}/erase`, body)).status).toBeGreaterThanOrEqual(400)
    expect(await customer(he.id)).toMatchObject({ email: he.email, status: 'ACTIVE' })
    expect((await get(`/api/admin/licenses/${license.id}`)).body.status).toBe('ACTIVE')
    expect(await isDestroyed(he.id)).toBe(false)
  })

  it('answers 404 for nobody', async () => {
    for (const id of [UNKNOWN, 'not-an-id']) expect((await erase(id, address())).status).toBe(404)
  })

  it('answers 403 STEP_UP_REQUIRED where the account has a second factor, until it was proved again', async () => {
    const { customer: he } = await sold()
    const { id: staffId, accessToken: as } = await service.somebody('SUPERADMIN')
    const staffSessionId = JSON.parse(Buffer.from(as.split('.')[1]!, 'base64url').toString()).sid
    const enabled = StaffTotpEnabled({ staffId, step: 1, staffSessionId, backupCodes: [] })
    const disabled = StaffTotpDisabled({ staffId, step: 2, staffSessionId })
    const record = async (work: (unit: UnitOfWork) => void) => {
      await service.run(async (unit) => work(unit))
      await service.licensing.projector.catchUp()
    }
    try {
      await record((unit) => unit.appendEvent(staffEvents, staffId, enabled))
      const refused = await erase(he.id, he.email)
      expect([refused.status, refused.headers.get('error-code')]).toEqual([403, 'STEP_UP_REQUIRED'])
      expect(await isDestroyed(he.id)).toBe(false)
      const steppedUp = StaffSessionSteppedUp({ staffSessionId, staffId })
      await record((unit) => unit.appendEvent(staffSessionEvents, staffId, steppedUp))
      expect((await erase(he.id, he.email)).status).toBe(202)
    } finally {
      await record((unit) => unit.appendEvent(staffEvents, staffId, disabled))
    }
  })

  it('answers 503 when it could not be recorded, and destroys nothing', async () => {
    const { customer: he } = await sold()
    broken = new Error('the disk is full')
    try {
      expect((await erase(he.id, he.email)).status).toBeGreaterThanOrEqual(500)
    } finally {
      broken = undefined
    }
    expect(await isDestroyed(he.id)).toBe(false)
    expect(await customer(he.id)).toMatchObject({ email: he.email })
  })
})

describe('what an erased customer had', () => {
  it('ends in the same append: subscriptions are cancelled, licenses revoked', async () => {
    const email = address()
    const [one, two] = [await sold({ email, reference: 'erased one' }), await sold({ email })]
    await post(`/api/admin/licenses/${two.license.id}/revoke`, { reason: 'before' })
    const { headers } = await erase(one.customer.id, email)
    const all = await service.history()
    const appended = all.filter(({ metadata }) => metadata['requestId'] === headers.get('x-request-id'))
    const ended = [
      'CustomerErased',
      'SubscriptionCancelled',
      'LicenseRevoked',
      'SlotsReleased',
      'SubscriptionCancelled',
      'SlotsReleased',
    ]
    expect(appended.map(({ type }) => type)).toEqual(ended)
    expect((await get(`/api/admin/licenses/${one.license.id}`)).body).toMatchObject({
      effectiveStatus: 'REVOKED',
      reason: 'customer erased',
    })
    expect((await get(`/api/admin/licenses/${two.license.id}`)).body.reason).toBe('before')
    for (const { subscription } of [one, two])
      expect((await get(`/api/admin/subscriptions/${subscription.id}`)).body).toMatchObject({
        status: 'CANCELLED',
        cancelledAt: expect.any(String),
        reference: subscription.id === one.subscription.id ? 'ERASED' : null,
        licenseId: null,
      })
    const actions = (await audit(one.subscription.id)).map(({ action }) => action)
    expect(actions.slice(0, 3)).toEqual(['slots.released', 'license.revoked', 'subscription.cancelled'])
    expect((await audit(one.customer.id)).some(({ action }) => action === 'customer.erased')).toBe(true)
  })

  it('cannot be licensed again: 409, also where no license was left to revoke', async () => {
    const { customer: he, subscription, license } = await sold()
    await post(`/api/admin/licenses/${license.id}/revoke`, { reason: 'before' })
    await erase(he.id, he.email)
    const { status, headers } = await post('/api/admin/licenses', { subscriptionId: subscription.id })
    expect([status, headers.get('error-code')]).toEqual([409, 'SUBSCRIPTION_NOT_RUNNING'])
  })

  it('keeps its reference: 400, no active license, whoever asks', async () => {
    const { customer: he } = await sold({ reference: 'of the erased' })
    await erase(he.id, he.email)
    for (const email of [he.email, address()]) {
      const { status, body } = await provision({ email, planSlug: slug, reference: 'of the erased' })
      expect({ status, message: body.message }).toEqual({
        status: 400,
        message: 'Reference of the erased has no active license',
      })
    }
    const found = (await get('/api/admin/subscriptions?reference=of%20the%20erased')).body.items
    expect(found).toMatchObject([{ customerId: he.id, status: 'CANCELLED', reference: 'ERASED' }])
  })

  it('frees his address: whoever has it next is a new customer', async () => {
    const { customer: he } = await sold()
    await erase(he.id, he.email)
    const { status, body } = await provision({ email: he.email, planSlug: slug })
    expect([status, body.customer.created, body.customer.email]).toEqual([201, true, he.email])
    expect(body.customer.id).not.toBe(he.id)
    expect((await get(`/api/admin/customers?q=${he.email}`)).body.items).toMatchObject([{ id: body.customer.id }])
    expect(await customer(he.id)).toMatchObject({ email: 'ERASED' })
  })
})

it('leaves nothing of him in any table, event, claim or log, not even what a guess could be tried on; the chain holds', async () => {
  const who = {
    customerId: '01890000-0000-7000-8000-0000000000ca',
    email: 'Cassandra.Canary@yellow-bird.example',
    name: 'Cassandra Canary',
    company: 'Yellow Bird Holdings',
  }
  const emailKey = await service.licensing.vault.hmac('pepper', normalisedEmail(who.email))
  await service.run((unit) => unit.decide(customers, who.customerId, 'RegisterCustomer', { ...who, emailKey }))
  const { license } = await sold({ email: who.email, reference: 'cassandra canary, first order' })
  await provision({ email: who.email, planSlug: slug, reference: 'cassandra canary, first order' })
  await get(`/api/admin/licenses/${license.id}/key`)
  await get(`/api/admin/customers/${who.customerId}/export`)
  await erase(who.customerId, 'not.cassandra@yellow-bird.example')
  // Outside of Postgres, a unique constraint is a stream that is named by a hash of its key.
  if (service.keepsEvents) expect((await service.dump()).includes(emailKey)).toBe(true)
  expect((await erase(who.customerId, who.email)).status).toBe(202)
  await get(`/api/admin/customers/${who.customerId}/export`)
  await service.licensing.projector.catchUp()

  const text = (await service.dump()) + service.logs()
  expect(/cassandra|canary|yellow.?bird/i.exec(text)?.[0]).toBeUndefined()
  expect(text.includes(emailKey)).toBe(false)
  if (service.keepsEvents) expect(isBroken(await verifyChain(service.superuser))).toBe(false)
  await service.rebuiltEqualsLive()
  expect(await customer(who.customerId)).toMatchObject({ status: 'ERASED', email: 'ERASED', name: 'ERASED' })
})

describe('exporting', () => {
  it('answers everything about him, and nothing secret or anybody else’s', async () => {
    const { customer: he, subscription, license, licenseKey } = await sold({ reference: 'exported' })
    await sold()
    await post(`/api/admin/licenses/${license.id}/revoke`, { reason: 'for the export' })
    const arrived = { amount: 100, currency: 'EUR', method: 'CASH' }
    expect((await post(`/api/admin/subscriptions/${subscription.id}/payments`, arrived)).status).toBe(201)
    const { status, body, text, headers } = await get(`/api/admin/customers/${he.id}/export`)
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-disposition')).toBe(`attachment; filename="customer-${he.id}.json"`)
    const parts = ['customer', 'subscriptions', 'licenses', 'instances', 'payments', 'invoices', 'audit', 'auditTotal']
    expect(Object.keys(body)).toEqual(['exportedAt', ...parts])
    expect(body.payments).toMatchObject([{ type: 'CHARGE', amount: 100, refunds: [] }])
    expect(body.invoices).toMatchObject([{ number: body.payments[0].invoiceNumber, total: 100 }])
    expect(body.customer).toMatchObject({ id: he.id, email: he.email, status: 'ACTIVE' })
    expect(body.subscriptions).toEqual([(await get(`/api/admin/subscriptions/${subscription.id}`)).body])
    expect(body.subscriptions[0].reference).toBe('exported')
    expect(body.licenses).toEqual([(await get(`/api/admin/licenses/${license.id}`)).body])
    expect(body.audit.map(({ action }: { action: string }) => action)).toEqual([
      'invoice.issued',
      'payment.invoiced',
      'payment.recorded',
      'subscription.renewed',
      'slots.released',
      'license.revoked',
      'license.issued',
      'subscription.created',
      'provisioning.completed',
      'customer.registered',
    ])
    expect(body.auditTotal).toBe(10)
    const [, payload] = licenseKey.split('.')
    expect(text).not.toContain(JSON.parse(Buffer.from(payload, 'base64url').toString()).k)
    expect(text).not.toContain('@staff.test')
    expect(text).not.toContain('127.0.0.1')
  })

  it('is audited before it is answered, and again for every time', async () => {
    const { customer: he } = await sold()
    for (const times of [1, 2]) {
      await get(`/api/admin/customers/${he.id}/export`)
      const exports = (await audit(he.id)).filter(({ action }) => action === 'customer.exported')
      expect(exports).toHaveLength(times)
      expect(exports[0]!.actor).toEqual(expect.objectContaining({ type: 'STAFF' }))
    }
  })

  it('fails closed: 503 and not one word of him when it cannot be recorded', async () => {
    const { customer: he } = await sold()
    broken = new Error('the disk is full')
    try {
      const { status, text } = await get(`/api/admin/customers/${he.id}/export`)
      expect(status).toBe(503)
      expect(text).not.toContain(he.email)
    } finally {
      broken = undefined
    }
  })

  it('answers 404 for nobody, and records nothing', async () => {
    const head = () => service.licensing.store.head()
    const before = await head()
    for (const id of [UNKNOWN, 'not-an-id']) expect((await get(`/api/admin/customers/${id}/export`)).status).toBe(404)
    expect(await head()).toBe(before)
  })

  it('of an erased one shows what is left', async () => {
    const { customer: he, license } = await sold({ reference: 'gone' })
    await erase(he.id, he.email)
    const { body } = await get(`/api/admin/customers/${he.id}/export`)
    expect(body.customer).toMatchObject({ email: 'ERASED', status: 'ERASED' })
    expect(body.subscriptions).toMatchObject([{ reference: 'ERASED', status: 'CANCELLED' }])
    expect(body.licenses).toMatchObject([{ id: license.id, status: 'REVOKED' }])
    expect(body.audit[0].action).toBe('slots.released')
  })
})

describe('at the same time', () => {
  async function licensesInEffect(customerId: string): Promise<number> {
    await service.licensing.projector.catchUp()
    return (await customer(customerId)).counts.activeLicenses
  }

  it('selling to his address goes to a new customer, or is ended with him: nobody is erased and licensed', async () => {
    const email = address()
    const { customer: he } = await sold({ email })
    const [erased, ...replies] = await Promise.all([
      erase(he.id, email),
      ...Array.from({ length: 40 }, (_none, index) =>
        provision({ email, planSlug: slug, reference: `raced ${index}` }),
      ),
    ])
    expect(erased.status).toBe(202)
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]))
    expect(await licensesInEffect(he.id)).toBe(0)
    const last = await provision({ email, planSlug: slug })
    const others = new Set(replies.map(({ body }) => body.customer.id).filter((id) => id !== he.id))
    expect(others.size).toBeLessThanOrEqual(1)
    if (others.size === 1) expect([...others]).toEqual([last.body.customer.id])
    for (const { body } of replies) {
      const { status, customerId } = (await get(`/api/admin/subscriptions/${body.subscription.id}`)).body
      expect(status).toBe(customerId === he.id ? 'CANCELLED' : 'ACTIVE')
    }
  })

  it('twenty who erase him and twenty who license him again: one erasure, and no license in effect', async () => {
    const { customer: he, subscription } = await sold()
    const [erasures, issues] = await Promise.all([
      Promise.all(Array.from({ length: 20 }, () => erase(he.id, he.email))),
      Promise.all(Array.from({ length: 20 }, () => post('/api/admin/licenses', { subscriptionId: subscription.id }))),
    ])
    expect(new Set(erasures.map(({ status }) => status))).toEqual(new Set([202]))
    for (const { status } of issues) expect([201, 409]).toContain(status)
    expect(await licensesInEffect(he.id)).toBe(0)
    expect((await audit(he.id)).filter(({ action }) => action === 'customer.erased')).toHaveLength(1)
  })
})

describe('another process', async () => {
  const other = await openLicensing(service.settings, pino({ level: 'silent' }))
  const { port } = await other.listen(0, '127.0.0.1')
  afterAll(() => other.close(0))
  const there = async (path: string, body?: unknown) => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { authorization: `Bearer ${admin}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    })
    return (await reply.json()) as any
  }

  it('shows him erased within a second, although it had read and sold to him', { retry: 2 }, async () => {
    const { customer: he } = await sold()
    const reference = `sold there ${he.id}`
    await there('/api/admin/provisioning', { email: he.email, planSlug: slug, reference })
    expect((await there(`/api/admin/customers/${he.id}`)).email).toBe(he.email)
    await erase(he.id, he.email)
    const erasedMs = performance.now()
    await expect.poll(async () => (await there(`/api/admin/customers/${he.id}`)).email, { interval: 5 }).toBe('ERASED')
    expect(performance.now() - erasedMs).toBeLessThan(1_000)
    const again = await there('/api/admin/provisioning', { email: he.email, planSlug: slug, reference })
    expect(again.message).toBe(`Reference ${reference} has no active license`)
  })

  it('sells to his address beside it: nobody is erased and licensed', async () => {
    const { customer: he } = await sold()
    const ask = (index: number) => ({ email: he.email, planSlug: slug, reference: `beside ${he.id} ${index}` })
    const [erased, ...selling] = await Promise.all([
      erase(he.id, he.email),
      ...Array.from({ length: 15 }, (_none, index) => provision(ask(index)).then(({ body }) => body)),
      ...Array.from({ length: 15 }, (_none, index) => there('/api/admin/provisioning', ask(100 + index))),
    ])
    expect(erased.status).toBe(202)
    await service.licensing.projector.catchUp()
    expect((await customer(he.id)).counts.activeLicenses).toBe(0)
    for (const { subscription } of selling) {
      const { status, customerId } = (await get(`/api/admin/subscriptions/${subscription.id}`)).body
      expect(status).toBe(customerId === he.id ? 'CANCELLED' : 'ACTIVE')
    }
  })

  it('destroys the key when the one that erased did not live to', async () => {
    const { customer: he } = await sold()
    const emailKey = await service.licensing.vault.hmac('pepper', he.email)
    await service.run((unit) => unit.decide(customers, he.id, 'EraseCustomer', { emailKey }))
    await expect.poll(() => isDestroyed(he.id), { timeout: 10_000 }).toBe(true)
    // The key was destroyed first; every process learns of it within a second.
    await expect.poll(async () => (await customer(he.id)).email, { timeout: 5_000 }).toBe('ERASED')
  }, 20_000)
})

describe('the rules', () => {
  const registered = CustomerRegistered({
    customerId: CUSTOMER_ID,
    email: 'a@example.test',
    emailKey: 'hmac',
    name: null,
    company: null,
  })
  const completed = (subscriptionId: string) => ({
    subscriptionId,
    customerId: CUSTOMER_ID,
    licenseId: LICENSE_ID,
    customerCreated: true,
    maxActivationsAsked: null,
    maxActivations: 3,
  })
  const erased = CustomerErased({ customerId: CUSTOMER_ID, emailKey: 'hmac' })

  it('a customer is erased by his address, once, and forgets it', () => {
    const he = given(customers, [registered, ProvisioningCompleted(completed(SUBSCRIPTION_ID))])
    he.when('EraseCustomer', { emailKey: 'hmac' }).then([erased])
    he.when('EraseCustomer', { emailKey: 'other' }).refused(400, /address of this customer/)
    given(customers, []).when('EraseCustomer', { emailKey: 'hmac' }).refused(404, 'Not found')
    const gone = given(customers, [registered, ProvisioningCompleted(completed(SUBSCRIPTION_ID)), erased])
    expect(gone.state).toEqual({
      id: CUSTOMER_ID,
      email: 'ERASED',
      emailKey: 'ERASED',
      name: null,
      company: null,
      status: 'ERASED',
      createdAt: AT.toISOString(),
      subscriptionIds: [SUBSCRIPTION_ID],
    })
    gone.when('EraseCustomer', { emailKey: 'any' }).then([])
    gone.when('CompleteProvisioning', completed(SUBSCRIPTION_ID)).refused(409, 'The customer is erased')
  })

  it('nothing is sold to one who is suspended or erased', () => {
    const he = given(customers, [registered])
    const sale = { customerId: CUSTOMER_ID, subscriptionId: SUBSCRIPTION_ID }
    he.when('SubscribeCustomer', sale).then([CustomerSubscribed(sale)])
    given(customers, []).when('SubscribeCustomer', sale).refused(404, 'Not found')
    given(customers, [registered, erased]).when('SubscribeCustomer', sale).refused(409, 'The customer is erased')
    const suspended = { ...(he.state as Customer), status: 'SUSPENDED' as const }
    expect(() => customers.commands.SubscribeCustomer(suspended, sale)).toThrow('The customer is suspended')
    expect(() => customers.commands.CompleteProvisioning(suspended, completed(SUBSCRIPTION_ID))).toThrow(
      'The customer is suspended',
    )
  })

  it('a subscription is cancelled once, with its license', () => {
    const which = { subscriptionId: SUBSCRIPTION_ID, customerId: CUSTOMER_ID }
    const cancelled = SubscriptionCancelled({ ...which, reason: 'why', comment: null })
    const revoked = LicenseRevoked({ licenseId: LICENSE_ID, subscriptionId: SUBSCRIPTION_ID, reason: 'why' })
    given(subscriptions, [subscriptionCreated(), licenseIssued()])
      .when('CancelSubscription', { reason: 'why' })
      .then([cancelled, revoked])
    given(subscriptions, [subscriptionCreated()]).when('CancelSubscription', { reason: 'why' }).then([cancelled])
    const ended = given(subscriptions, [subscriptionCreated(), cancelled])
    ended.when('CancelSubscription', { reason: 'again' }).then([])
    const ask = { licenseId: LICENSE_ID, keyId: 'lic_x', kid: 'kid', k: 'k', iss: 'https://x.test', plan: aPlan() }
    ended.when('IssueLicense', ask).refused(409, 'The subscription is cancelled')
  })
})
