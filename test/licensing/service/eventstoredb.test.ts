/** The service on the double of KurrentDB, in every run. EVENT_STORE=double runs the whole suite on it. */
import pino from 'pino'
import { afterAll, expect, test } from 'vitest'
import { kurrentDouble } from '#test/support/doubles/kurrentdb'
import { openLicensing } from '../../../src/composition/licensing.ts'
import { startService } from '../../support/licensing/service.ts'
import { shopFixture } from '../../support/licensing/shop-fixture.ts'

const double = await kurrentDouble()
afterAll(() => double.stop())
const service = await startService({ eventStoreUrl: double.url })
const { admin, plan, provision, get, post, audit, count } = await shopFixture(service)
const { slug } = await plan()

test('every event is there, and none is in Postgres', async () => {
  expect((await service.history()).length).toBeGreaterThan(3)
  const { rows } = await service.superuser.query('SELECT count(*)::int AS events FROM store.event')
  expect(rows[0].events).toBe(0)
})

test('fifty calls at once with one reference make one of everything', async () => {
  const asked = { email: 'ada@example.test', planSlug: slug, reference: 'one order' }
  const replies = await Promise.all(Array.from({ length: 50 }, () => provision(asked)))
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(49)
  expect(new Set(replies.map(({ body }) => body.licenseKey)).size).toBe(1)
  expect([await count('customers'), await count('licenses')]).toEqual([1, 1])
})

test('a reference of another customer is refused whole', async () => {
  const customers = await count('customers')
  const asked = { email: 'bob@example.test', planSlug: slug, reference: 'one order' }
  expect((await provision(asked)).status).toBe(409)
  expect(await count('customers')).toBe(customers)
})

test('a revoked token is refused from the answer on', async () => {
  const minted = await post('/api/admin/machine-tokens', { name: 'shop', permissions: ['plans:view'] })
  const { secret, token } = minted.body
  expect((await get('/api/admin/plans', secret)).status).toBe(200)
  expect((await post(`/api/admin/machine-tokens/${token.id}/revoke`)).status).toBe(200)
  expect((await get('/api/admin/plans', secret)).status).toBe(401)
})

test('fifty-five tokens at once are fifty', async () => {
  const mint = () => post('/api/admin/machine-tokens', { name: 'one of many', permissions: ['plans:view'] })
  const statuses = (await Promise.all(Array.from({ length: 55 }, mint))).map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(50)
})

test('the audit trail has its entries in the order of the events', async () => {
  const made = await provision({ email: 'eve@example.test', planSlug: slug })
  expect((await audit(made.body.subscription.id)).map(({ action }) => action)).toEqual([
    'license.issued',
    'subscription.created',
    'provisioning.completed',
  ])
})

test('no address is in the log, nor is any key', async () => {
  const made = await provision({ email: 'mallory@example.test', planSlug: slug })
  const log = double.log.written.map(
    ({ stream, data, properties }) => stream + Buffer.from(data).toString() + JSON.stringify(properties),
  )
  for (const secret of ['mallory', made.body.licenseKey, admin]) expect(log.join('\n')).not.toContain(secret)
})

test('another process takes up the same history', async () => {
  const again = await openLicensing(service.settings, pino({ level: 'silent' }))
  const { port } = await again.listen(0, '127.0.0.1')
  const asked = { email: 'ada@example.test', planSlug: slug, reference: 'one order' }
  const reply = await fetch(`http://127.0.0.1:${port}/api/admin/provisioning`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
    body: JSON.stringify(asked),
  })
  expect(reply.status, await reply.text()).toBe(200)
  await again.close(0)
})

test('it is ready, however far its positions are apart', async () => {
  const { status, body } = await service.call('GET', '/api/health/ready')
  expect([status, body.status]).toEqual([200, 'ok'])
})

test('the chain is not said to be sound where there is none', async () => {
  const { status, headers } = await get('/api/admin/audit/verify')
  expect([status, headers.get('error-code')]).toEqual([409, 'NO_CHAIN'])
})

test('the same database without the event store is refused: its read models are of another history', async () => {
  const without = openLicensing({ ...service.settings, eventStoreUrl: undefined }, pino({ level: 'silent' }))
  await expect(without).rejects.toThrow('set EVENT_STORE_URL')
})

test('an event store beside a database with events of its own is refused', async () => {
  const own = await startService({ eventStoreUrl: undefined, compareReadModels: false })
  await own.staff()
  const both = openLicensing({ ...own.settings, eventStoreUrl: double.url }, pino({ level: 'silent' }))
  await expect(both).rejects.toThrow('events of its own')
})

test('a server that could write half of an append keeps the service from starting', async () => {
  const old = await kurrentDouble({ version: 25.1 })
  const start = openLicensing({ ...service.settings, eventStoreUrl: old.url }, pino({ level: 'silent' }))
  await expect(start).rejects.toThrow('use KurrentDB 26.1 or newer')
  old.stop()
})
