/**
 * Two customers with the same objects; each requests the objects of the other. An id of the other customer is
 * answered to the byte like one that does not exist. The requests are generated from the routes, so that a
 * new route is included.
 */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { parseTrustedProxies } from '#kernel/credentials/source-address'
import { licenseSlots } from '#licensing/instances/decider'
import { billings } from '#licensing/payments/billing/decider'
import { requestPayment } from '#licensing/workflows/billing/request-payment'
import { fingerprintHash } from '#licensing/workflows/leases/lease-signer'
import { fromNewAddress } from '#test/support/licensing/people'
import { startService } from '#test/support/licensing/service'
import type { Reply } from '#test/support/licensing/service'
import { shopFixture } from '#test/support/licensing/shop-fixture'
import { SHOP_URL, signedInShopper } from '#test/support/licensing/shoppers'
import { routes } from '../../../src/composition/licensing.ts'

const service = await startService({ trustedProxies: parseTrustedProxies('127.0.0.1'), shopUrl: SHOP_URL })
const floor = await shopFixture(service)
const UNKNOWN_ID = '01890000-0000-7000-8000-00000000dead'

/** Bodies that pass the schemas, so that only the id can be refused. */
const BODIES: Readonly<Record<string, unknown>> = {
  'POST /api/shop/subscriptions/:id/change-preview': { seats: 2 },
  'PATCH /api/shop/subscriptions/:id': { seats: 2 },
  'POST /api/shop/subscriptions/:id/cancel': { mode: 'period_end' },
  'POST /api/shop/licenses/:id/rotate': { mode: 'leaked' },
  'POST /api/shop/licenses/:id/offline-activation': { request: 'no request', days: 1 },
}

interface Tenant {
  readonly as: string
  /** By the section of the shop. */
  readonly ids: Readonly<Record<string, string>>
}

async function tenant(planSlug: string): Promise<Tenant> {
  const { as, email, id } = await signedInShopper(service)
  const { subscription, license } = (await floor.provision({ email, planSlug })).body
  const paid = { amount: 1_000, currency: 'EUR', method: 'BANK_TRANSFER' }
  const payment = await floor.post(`/api/admin/subscriptions/${subscription.id}/payments`, paid)
  expect(payment.status, payment.text).toBe(201)
  const invoices = (await service.call('GET', '/api/shop/invoices', { as })).body.items
  const sold = { customerId: id, subscriptionId: subscription.id }
  const checkout = await service.run((unit) =>
    requestPayment(unit, {
      ...sold,
      purpose: 'FIRST',
      currency: 'EUR',
      lines: [{ label: 'A period', amount: 100 }],
      occurrence: 'FIRST',
      checkoutAt: 'stripe',
    }),
  )
  const means = { provider: 'stripe', customerRef: `cus_${id}`, methodRef: `pm_${id}` }
  await service.run((unit) => unit.decide(billings, subscription.id, 'SetBilling', { ...sold, ...means }))
  return {
    as,
    ids: {
      subscriptions: subscription.id,
      licenses: license.id,
      customer: id,
      instances: await panelOf({ ...sold, licenseId: license.id }),
      invoices: invoices[0].id,
      checkout: checkout.id,
      payment: payment.body.id,
    },
  }
}

async function panelOf(sold: { customerId: string; subscriptionId: string; licenseId: string }): Promise<string> {
  const instanceId = randomUUID()
  const fingerprint = { install: `install ${instanceId}`, machine: `machine ${instanceId}` }
  await service.run((unit) =>
    unit.decide(licenseSlots, sold.subscriptionId, 'ActivateInstance', {
      ...sold,
      instanceId,
      fingerprint,
      fingerprintHash: fingerprintHash(fingerprint),
      name: 'panel',
      hostname: 'panel.customer.test',
      version: '1.0.0',
      os: 'linux',
      arch: 'x64',
      ip: '192.0.2.7',
      keyThumbprint: `thumbprint ${instanceId}`,
      publicKey: `key ${instanceId}`,
      maxActivations: 1,
      reclaimable: [],
      silent: [],
    }),
  )
  await service.licensing.projector.catchUp()
  return instanceId
}

const { slug } = await floor.plan({ priceYearly: 1_000 })
const [one, other] = [await tenant(slug), await tenant(slug)]

const own = routes.filter(({ path, access }) => path.startsWith('/api/shop/') && access.kinds.includes('customer'))
const withIds = own.filter(({ path }) => path.includes(':id'))

function told({ status, text, headers }: Reply) {
  const shown = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
  return { status, text, headers: shown }
}

function ask(line: string, id: string, as: string): Promise<Reply> {
  const [method = '', path = ''] = line.split(' ')
  const body = BODIES[line]
  return service.call(method, path.replace(':id', id), {
    as,
    headers: fromNewAddress(),
    ...(body === undefined ? {} : { body }),
  })
}

test('there is something to ask', () => expect(withIds.length).toBeGreaterThanOrEqual(3))

test.each(withIds)('$line: any id of another is like none', async ({ line }) => {
  for (const [mine, theirs] of [
    [one, other],
    [other, one],
  ] as const) {
    const unknown = told(await ask(line, UNKNOWN_ID, mine.as))
    expect(unknown.status, line).toBe(404)
    for (const id of [...Object.values(theirs.ids), ...Object.values(theirs.ids).map((each) => each.toUpperCase())])
      expect(told(await ask(line, id, mine.as)), line).toEqual(unknown)
  }
})

test.each(withIds)('$line: what is mine is there', async ({ line, path }) => {
  const section = path.split('/')[3]!
  const id = one.ids[section]
  expect(id, `the mirror knows an id for ${section}`).toBeDefined()
  expect((await ask(line, id!, one.as)).status, line).not.toBe(404)
})

test('a price that was promised for another’s subscription is like one that nobody promised', async () => {
  const preview = await service.call('POST', `/api/shop/subscriptions/${other.ids['subscriptions']}/change-preview`, {
    as: other.as,
    body: { seats: 3 },
  })
  expect(preview.status, preview.text).toBe(200)
  const change = (previewToken: string) =>
    service.call('PATCH', `/api/shop/subscriptions/${one.ids['subscriptions']}`, {
      as: one.as,
      body: { seats: 3, previewToken },
    })
  const garbage = await change('garbage.garbage')
  expect(garbage.status).toBe(400)
  expect(told(await change(preview.body.previewToken))).toEqual(told(garbage))
})

/** Alike for all customers. */
const FOR_ALL = ['/api/shop/downloads', '/api/shop/announcements']

test('lists show what is mine and nothing else, whatever is filtered for', async () => {
  const lists = own.filter(
    ({ method, path, query }) => method === 'GET' && !path.includes(':id') && query !== undefined,
  )
  expect(lists.length).toBeGreaterThanOrEqual(2)
  for (const { path } of lists.filter(({ path }) => !FOR_ALL.includes(path))) {
    const everything = (await service.call('GET', `${path}?pageSize=100`, { as: one.as })).text
    const walked = (await service.call('GET', `${path}?limit=100`, { as: one.as })).text
    expect(JSON.parse(everything).total, `${path} lists something to compare`).toBeGreaterThan(0)
    for (const theirs of Object.values(other.ids)) {
      expect(everything, path).not.toContain(theirs)
      expect(walked, path).not.toContain(theirs)
    }
    for (const name of ['customerId', 'subscriptionId', 'id']) {
      const filtered = await service.call('GET', `${path}?${name}=${other.ids['subscriptions']}`, { as: one.as })
      for (const theirs of ['licenses', 'customer']) expect(filtered.text).not.toContain(other.ids[theirs])
    }
  }
})
