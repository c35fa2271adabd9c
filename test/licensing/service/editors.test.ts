/** Two editors of one record do not overwrite each other, if they send the version that they have read. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { startService } from '../../support/licensing/service.ts'

const service = await startService()
const as = await service.staff()
const call = (method: string, path: string, body?: unknown, ifMatch?: string) =>
  service.call(method, path, { as, body, headers: ifMatch === undefined ? {} : { 'If-Match': ifMatch } })

async function made(path: string, body: object): Promise<string> {
  const { status, body: reply, text } = await call('POST', path, body)
  expect(status, text).toBe(201)
  return `${path}/${(reply.webhook ?? reply).id}`
}

async function etagOf(path: string): Promise<string> {
  const { headers } = await call('GET', path)
  expect(headers.get('etag')).toMatch(/^"[\w-]{43}"$/)
  return headers.get('etag')!
}

const customer = () => made('/api/admin/customers', { email: `${randomUUID()}@example.test`, name: 'Ada' })
const feature = () => made('/api/admin/features', { key: `f-${randomUUID().slice(0, 8)}`, name: 'Ada' })
const plan = () => made('/api/admin/plans', { slug: `p-${randomUUID()}`, name: 'Ada', free: true })
const announcement = () =>
  made('/api/admin/announcements', {
    title: 'Ada',
    body: 'Text',
    level: 'INFO',
    visibleFrom: '2020-01-01T00:00:00Z',
    visibleUntil: '2020-01-02T00:00:00Z',
  })
const webhook = () => made('/api/admin/webhooks', { url: `https://hooks.example.test/${randomUUID()}`, events: ['*'] })

describe.each([
  ['a customer', customer, 'name'],
  ['a feature', feature, 'name'],
  ['a plan', plan, 'name'],
  ['an announcement', announcement, 'title'],
] as const)('%s', (_which, create, field) => {
  test('is not changed by an editor who has not seen the last change', async () => {
    const path = await create()
    const read = await etagOf(path)
    expect((await call('PATCH', path, { [field]: 'Grace' }, read)).status).toBe(200)
    const refused = await call('PATCH', path, { [field]: 'Edsger' }, read)
    expect(refused.status).toBe(412)
    expect(refused.headers.get('error-code')).toBe('CHANGED_SINCE')
    expect(refused.body).toEqual({
      statusCode: 412,
      message: 'The record has changed since you read it: read it again',
    })
    expect((await call('GET', path)).body[field]).toBe('Grace')
    expect((await call('PATCH', path, { [field]: 'Edsger' }, await etagOf(path))).status).toBe(200)
  })

  test('is changed as before without a version', async () => {
    const path = await create()
    for (const name of ['Grace', 'Edsger']) expect((await call('PATCH', path, { [field]: name })).status).toBe(200)
  })

  test('has the same version after a change of another one', async () => {
    const [path, other] = [await create(), await create()]
    const read = await etagOf(path)
    await call('PATCH', other, { [field]: 'Grace' })
    expect(await etagOf(path)).toBe(read)
    expect(await etagOf(other)).not.toBe(read)
  })

  test('is changed by one of several editors at once', async () => {
    const path = await create()
    const read = await etagOf(path)
    const names = Array.from({ length: 8 }, (_, index) => `Editor ${index}`)
    const replies = await Promise.all(names.map((name) => call('PATCH', path, { [field]: name }, read)))
    const statuses = replies.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 412)).toHaveLength(7)
    expect((await call('GET', path)).body[field]).toBe(names[statuses.indexOf(200)])
  })
})

test('a refusal of the change itself comes first', async () => {
  const path = await customer()
  await call('PATCH', `${path}/status`, { status: 'SUSPENDED' })
  expect((await call('PATCH', `${path.slice(0, -1)}_`, { name: 'Grace' }, '"old"')).status).toBe(404)
  expect((await call('PATCH', path, { name: '' }, '"old"')).status).toBe(400)
  expect((await call('PATCH', path, { name: 'Grace' }, '"old"')).status).toBe(409)
})

test('a webhook is not changed by an editor who has not seen the last change', async () => {
  const path = await webhook()
  const read = await etagOf(path)
  expect((await call('PATCH', path, { ordering: 'none' }, read)).status).toBe(200)
  expect((await call('PATCH', path, { ed25519: true }, read)).status).toBe(412)
})

test('a subscription has a version of its terms', async () => {
  const [planPath, customerPath] = [await plan(), await customer()]
  const { slug } = (await call('GET', planPath)).body
  const path = await made('/api/admin/subscriptions', { customerId: customerPath.split('/').at(-1), planSlug: slug })
  const read = await etagOf(path)
  expect((await call('PATCH', path, { seats: 2 }, read)).status).toBe(200)
  expect((await call('PATCH', path, { seats: 3 }, read)).status).toBe(412)
  expect((await call('GET', path)).body.seats).toBe(2)
})
