/** One search box: whole ids, key ids, addresses, references and invoice numbers, for each as far as the caller may view. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '#licensing/access/permissions'
import { Panel } from '#test/support/licensing/raw-panel'
import { startService } from '#test/support/licensing/service'
import { shopFixture } from '#test/support/licensing/shop-fixture'

const service = await startService()
const { plan, provision, get, post } = await shopFixture(service)

interface Known {
  readonly customer: { readonly id: string }
  readonly subscription: { readonly id: string }
  readonly license: { readonly id: string; readonly keyId: string }
  readonly instanceId: string
  readonly payment: { readonly id: string; readonly invoiceNumber: string }
}

type Kind = 'customer' | 'subscription' | 'license' | 'instance'

const EMAIL = 'Wanted@search.test'
const REFERENCE = 'order 66/a'
let known: Known

/** Two of each, so that a search which ignores its text finds the other one. */
async function sold(email: string, reference: string): Promise<Known> {
  const { slug } = await plan({ priceMonthly: 500 })
  const sale = { email, planSlug: slug, billingCycle: 'MONTHLY', reference }
  const { customer, subscription, license, licenseKey } = (await provision(sale)).body
  const panel = new Panel(service, licenseKey)
  expect((await panel.activate()).status).toBe(201)
  const paid = await post(`/api/admin/subscriptions/${subscription.id}/payments`, {
    amount: 500,
    currency: 'EUR',
    method: 'BANK_TRANSFER',
  })
  expect(paid.status, paid.text).toBe(201)
  return { customer, subscription, license, instanceId: panel.instanceId!, payment: paid.body }
}

beforeAll(async () => {
  known = await sold(EMAIL, REFERENCE)
  await sold('other@search.test', 'order 67')
  await service.licensing.projector.catchUp()
})

async function search(q: string, role?: Role): Promise<readonly { readonly kind: Kind; readonly id: string }[]> {
  const { status, text, body } = await get(`/api/admin/search?q=${encodeURIComponent(q)}`, await service.staff(role))
  expect(status, text).toBe(200)
  return body.items
}

describe('a search', () => {
  it.each<[string, () => string, Kind]>([
    ['the id of a customer', () => known.customer.id, 'customer'],
    ['an id in capitals', () => known.customer.id.toUpperCase(), 'customer'],
    ['an address in any spelling', () => '  wanted@SEARCH.test ', 'customer'],
    ['the id of a subscription', () => known.subscription.id, 'subscription'],
    ['the reference of a provisioning call', () => REFERENCE, 'subscription'],
    ['the id of a payment', () => known.payment.id, 'subscription'],
    ['the number of an invoice', () => known.payment.invoiceNumber, 'subscription'],
    ['the id of a license', () => known.license.id, 'license'],
    ['a key id', () => known.license.keyId, 'license'],
    ['the id of an instance', () => known.instanceId, 'instance'],
  ])('finds one record by %s', async (_what, text, kind) => {
    const ids = {
      customer: known.customer.id,
      subscription: known.subscription.id,
      license: known.license.id,
      instance: known.instanceId,
    }
    expect(await search(text())).toEqual([{ kind, id: ids[kind] }])
  })

  it('finds nothing by a part, by another spelling of a reference, or by what exists nowhere', async () => {
    for (const text of ['wanted', REFERENCE.toUpperCase(), known.license.keyId.slice(0, -1), '%'])
      expect(await search(text), text).toEqual([])
  })

  it('refuses an empty or a long text', async () => {
    for (const q of ['', '%20%20', 'x'.repeat(321)])
      expect((await get(`/api/admin/search?q=${q}`)).status, q.slice(0, 9)).toBe(400)
  })
})

describe('a search finds only what the caller may view', () => {
  it.each([
    ['SUPPORT', ['customer', 'subscription', 'license', 'instance'], []],
    ['BILLING', ['customer', 'subscription'], ['subscription']],
    ['AUDITOR', ['customer', 'subscription', 'license', 'instance'], ['subscription']],
  ] as const)('%s', async (role, kinds, ofPayments) => {
    const { customer, subscription, license, instanceId, payment } = known
    const seen = []
    for (const id of [customer.id, subscription.id, license.id, instanceId]) seen.push(...(await search(id, role)))
    expect(seen.map(({ kind }) => kind)).toEqual(kinds)
    const keyed = await search(license.keyId, role)
    expect(keyed).toEqual(seen.filter(({ kind }) => kind === 'license'))
    for (const text of [payment.id, payment.invoiceNumber])
      expect((await search(text, role)).map(({ kind }) => kind)).toEqual(ofPayments)
  })
})
