/** What staff read of the money of all customers: payments, invoices with their files, and credit. */
import { expect, test } from 'vitest'
import { startService } from '../../support/licensing/service.ts'
import { shopFixture } from '../../support/licensing/shop-fixture.ts'

const service = await startService({ payments: { seller: ['Example GmbH'] } })
const { plan, provision, get, post } = await shopFixture(service)
const { slug } = await plan({ priceMonthly: 1_000 })

interface Sold {
  readonly customerId: string
  readonly subscriptionId: string
  readonly paymentId: string
}

/** A customer who has paid once. */
async function paid(email: string): Promise<Sold> {
  const { customer, subscription } = (await provision({ email, planSlug: slug, billingCycle: 'MONTHLY' })).body
  const body = { amount: 1_000, currency: 'EUR', method: 'BANK_TRANSFER' }
  const payment = await post(`/api/admin/subscriptions/${subscription.id}/payments`, body)
  expect(payment.status, payment.text).toBe(201)
  return { customerId: customer.id, subscriptionId: subscription.id, paymentId: payment.body.id }
}

const one = await paid('one@example.test')
const other = await paid('other@example.test')
const refund = await post(`/api/admin/payments/${other.paymentId}/refund`, { amount: 400, reason: 'unhappy' })
expect(refund.status, refund.text).toBe(200)
await service.licensing.projector.catchUp()

const read = async (path: string, as?: string) => {
  const reply = await get(path, as ?? (await service.staff('BILLING')))
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}
const idsOf = (body: { items: { id: string }[] }) => body.items.map(({ id }) => id)

test('payments of all customers stand in one list, newest first, each with its refunds', async () => {
  const body = await read('/api/admin/payments')
  expect(idsOf(body)).toEqual([other.paymentId, one.paymentId])
  const { customerId, subscriptionId } = other
  expect(body.items[0]).toMatchObject({ customerId, subscriptionId, type: 'CHARGE', amount: 1_000 })
  expect(body.items[0].refunds).toMatchObject([{ type: 'REFUND', amount: 400 }])
  expect(body.items[1].refunds).toEqual([])
})

test('payments are found by customer, subscription, status, kind and time', async () => {
  const list = async (query: string) => idsOf(await read(`/api/admin/payments?${query}`))
  expect(await list(`customerId=${one.customerId}`)).toEqual([one.paymentId])
  expect(await list(`subscriptionId=${other.subscriptionId}`)).toEqual([other.paymentId])
  expect(await list('status=PARTIALLY_REFUNDED')).toEqual([other.paymentId])
  expect(await list('type=CREDIT')).toEqual([])
  const later = new Date(Date.now() + 60_000).toISOString()
  expect(await list(`createdAfter=${later}`)).toEqual([])
  expect(await list(`createdBefore=${later}&limit=1`)).toEqual([other.paymentId])
  expect((await get('/api/admin/payments?type=REFUND')).status, 'a refund stands with its charge').toBe(400)
})

test('invoices and credit notes of all customers stand in one list, without the buyer', async () => {
  const { items } = await read('/api/admin/invoices')
  expect(items).toMatchObject([
    { kind: 'CREDIT_NOTE', customerId: other.customerId, paymentId: other.paymentId },
    { kind: 'INVOICE', customerId: other.customerId, corrects: null, total: 1_000, currency: 'EUR' },
    { kind: 'INVOICE', customerId: one.customerId, subscriptionId: one.subscriptionId },
  ])
  expect(items[0].corrects).toBe(items[1].number)
  expect(JSON.stringify(items)).not.toContain('example.test')
})

test('invoices are found by customer, kind and whole number', async () => {
  const { items } = await read('/api/admin/invoices')
  const list = async (query: string) => idsOf(await read(`/api/admin/invoices?${query}`))
  expect(await list(`customerId=${one.customerId}`)).toEqual([items[2].id])
  expect(await list('kind=CREDIT_NOTE')).toEqual([items[0].id])
  expect(await list(`number=${items[2].number}`)).toEqual([items[2].id])
  expect(await list(`subscriptionId=${other.subscriptionId}&sort=issuedAt`)).toEqual([items[1].id, items[0].id])
})

test('the file of an invoice of any customer is for staff with the permission', async () => {
  const { items } = await read('/api/admin/invoices')
  const as = await service.staff('BILLING')
  const file = await service.call('GET', `/api/admin/invoices/${items[2].id}/pdf`, { as })
  expect(file.status).toBe(200)
  expect(file.headers.get('content-type')).toBe('application/pdf')
  expect(file.headers.get('content-disposition')).toContain(`invoice-${items[2].number}.pdf`)
  expect(file.text.startsWith('%PDF-')).toBe(true)
  expect((await get(`/api/admin/invoices/${one.customerId}/pdf`, as)).status).toBe(404)
  expect((await get('/api/admin/invoices/none/pdf', as)).status).toBe(404)
})

test('credit is granted, spent and returned, and the balance is what is left of each currency', async () => {
  const { body: created } = await post('/api/admin/customers', { email: 'credit@example.test' })
  const path = `/api/admin/customers/${created.id}`
  const credit = async () => (await read(path)).credit
  expect(await credit()).toEqual([])
  for (const [amount, currency, reason] of [
    [700, 'EUR', 'for the outage'],
    [300, 'EUR', 'for the second one'],
    [50, 'USD', 'a mistake'],
  ])
    expect((await post(`${path}/credits`, { amount, currency, reason })).status).toBe(201)
  expect(await credit()).toEqual([
    { currency: 'EUR', amount: 1_000 },
    { currency: 'USD', amount: 50 },
  ])
  const { items } = await read(`${path}/credits`)
  expect(items.map(({ amount, reason }: { amount: number; reason: string }) => [amount, reason])).toEqual([
    [50, 'a mistake'],
    [300, 'for the second one'],
    [700, 'for the outage'],
  ])
  expect((await read(`${path}/credits?kind=SPENT`)).items).toEqual([])
  expect((await get(`/api/admin/customers/${one.paymentId}/credits`)).status).toBe(404)
})

test('the balance is not for those who may not view payments', async () => {
  const token = await service.token(['customers:view'])
  expect((await read(`/api/admin/customers/${one.customerId}`, token)).credit).toBeNull()
  const other = await service.token(['customers:view', 'payments:view'])
  expect((await read(`/api/admin/customers/${one.customerId}`, other)).credit).toEqual([])
})
