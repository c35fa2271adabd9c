/** The histories of customers and subscriptions, which staff reads who may not read the audit trail. */
import { describe, expect, test } from 'vitest'
import type { Role } from '#licensing/access/permissions'
import { startService } from '#test/support/licensing/service'
import { shopFixture } from '#test/support/licensing/shop-fixture'
import { signedInShopper } from '#test/support/licensing/shoppers'

const service = await startService()
const { plan, provision, get, post } = await shopFixture(service)
const { slug } = await plan({ priceMonthly: 500 })
const UNKNOWN = '01890000-0000-7000-8000-00000000ffff'

const change = async (path: string, body: unknown, as?: string) =>
  service.call('PATCH', path, { as: as ?? (await service.staff()), body })

const actionsOf = (items: readonly { action: string }[]) => items.map(({ action }) => action)

async function history(kind: 'customers' | 'subscriptions', id: string, role?: Role) {
  await service.licensing.projector.catchUp()
  const { status, text, body } = await get(`/api/admin/${kind}/${id}/history`, await service.staff(role))
  expect(status, text).toBe(200)
  return body
}

/** With events of a license and of a payment, which name the customer and the subscription too. */
async function sold(email: string) {
  const { customer, subscription } = (await provision({ email, planSlug: slug, billingCycle: 'MONTHLY' })).body
  expect((await change(`/api/admin/customers/${customer.id}`, { name: 'Nora' })).status).toBe(200)
  const money = { amount: 500, currency: 'EUR', method: 'BANK_TRANSFER' }
  expect((await post(`/api/admin/subscriptions/${subscription.id}/payments`, money)).status).toBe(201)
  expect((await post(`/api/admin/subscriptions/${subscription.id}/pause`, { reason: 'on holiday' })).status).toBe(200)
  return { customer, subscription }
}

describe('the history of a customer', () => {
  test('tells what happened to the account, by whom and in which request, and nothing of what it holds', async () => {
    const { customer } = await sold('history@customer.test')
    const suspended = await change(`/api/admin/customers/${customer.id}/status`, {
      status: 'SUSPENDED',
      reason: 'fraud',
    })
    const { items, total } = await history('customers', customer.id)
    expect(actionsOf(items)).toEqual(['customer.suspended', 'customer.changed', 'customer.registered'])
    expect(total).toBe(3)
    const { id, email } = await service.somebody('SUPERADMIN')
    expect(items[0]).toEqual({
      position: Number(suspended.headers.get('event-position')),
      at: expect.any(String),
      actor: { type: 'STAFF', id, label: email },
      action: 'customer.suspended',
      requestId: suspended.headers.get('x-request-id'),
      sentence: `suspended customer ${customer.id} (fraud)`,
      meta: { customerId: customer.id, reason: 'fraud' },
    })
  })

  test('names members of staff only', async () => {
    const token = await service.token(['customers:manage'], { name: 'a robot with a name' })
    const { id, as, email } = await signedInShopper(service)
    expect((await change('/api/shop/me', { name: 'Own' }, as)).status).toBe(200)
    expect((await change(`/api/admin/customers/${id}`, { name: 'Given' }, token)).status).toBe(200)
    const body = await history('customers', id)
    expect(body.items.slice(0, 2).map(({ actor }: any) => [actor.type, actor.label])).toEqual([
      ['TOKEN', null],
      ['CUSTOMER', null],
    ])
    for (const hidden of [email, 'a robot', 'Own', 'Given', '127.0.0.1'])
      expect(JSON.stringify(body)).not.toContain(hidden)
  })
})

describe('the history of a subscription', () => {
  test('tells what happened to its terms, and nothing of its license and its payments', async () => {
    const { subscription } = await sold('history@subscription.test')
    const { items } = await history('subscriptions', subscription.id)
    const nouns = new Set(items.map(({ action }: any) => action.split('.')[0]))
    expect(nouns).toEqual(new Set(['subscription', 'provisioning']))
    expect(items[0]).toMatchObject({ action: 'subscription.paused', meta: { reason: 'on holiday' } })
    expect(actionsOf(items.slice(-2))).toEqual(['subscription.created', 'provisioning.completed'])
  })
})

describe.each(['customers', 'subscriptions'] as const)('the history of %s', (kind) => {
  test('is open to roles without the audit trail, with the names of their colleagues', async () => {
    const { customer, subscription } = await sold(`colleagues@${kind}.test`)
    const { id } = kind === 'customers' ? customer : subscription
    const whole = await history(kind, id)
    const { email } = await service.somebody('SUPERADMIN')
    expect(whole.items[0].actor.label).toBe(email)
    for (const role of ['SUPPORT', 'BILLING', 'AUDITOR'] as const) expect(await history(kind, id, role)).toEqual(whole)
    const path = `/api/admin/${kind}/${id}/history`
    expect((await get(path, await service.staff('RELEASE'))).status).toBe(403)
    expect((await get(path, await service.token([`${kind}:view`]))).status).toBe(403)
    const first = (await get(`${path}?limit=1`)).body
    const rest = (await get(`${path}?limit=50&cursor=${first.nextCursor}`)).body
    expect([...first.items, ...rest.items]).toEqual(whole.items)
  })

  test('is 404 for a record that does not exist, and for the id of another kind', async () => {
    const { customer, subscription } = await sold(`other@${kind}.test`)
    const { id: other } = kind === 'customers' ? subscription : customer
    for (const id of [UNKNOWN, other, 'no-id'])
      expect((await get(`/api/admin/${kind}/${id}/history`)).status, id).toBe(404)
  })
})
