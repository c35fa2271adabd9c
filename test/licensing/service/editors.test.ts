/** Two editors of one record do not overwrite each other, if they send the version that they have read. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { routes } from '../../../src/composition/licensing.ts'
import { startService } from '../../support/licensing/service.ts'
import { signedInShopper } from '../../support/licensing/shoppers.ts'
import { oneEditorWins, versionedChanges } from '../../support/one-editor-wins.ts'
import type { Edit } from '../../support/one-editor-wins.ts'
import { overrideStore } from '../../support/override-store.ts'

let streamsRead = 0
const service = await startService({
  wrapStore: (store) =>
    overrideStore(store, {
      readStream: (...asked) => {
        streamsRead += 1
        return store.readStream(...asked)
      },
    }),
})
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
const plan = (more: object = {}) =>
  made('/api/admin/plans', { slug: `p-${randomUUID()}`, name: 'Ada', free: true, ...more })
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

test.each([
  ['a customer', customer],
  ['a feature', feature],
  ['a plan', plan],
])('the version of %s costs no read of the log', async (_which, create) => {
  const path = await create()
  await etagOf(path)
  const before = streamsRead
  for (let nth = 0; nth < 5; nth += 1) await etagOf(path)
  expect(streamsRead).toBe(before)
  expect((await call('PATCH', path, { name: 'Grace' }, await etagOf(path))).status).toBe(200)
  expect(streamsRead, 'the count counts').toBeGreaterThan(before)
})

test('a refusal of the change itself comes first', async () => {
  const path = await customer()
  await call('PATCH', `${path}/status`, { status: 'SUSPENDED' })
  expect((await call('PATCH', `${path.slice(0, -1)}_`, { name: 'Grace' }, '"old"')).status).toBe(404)
  expect((await call('PATCH', path, { name: '' }, '"old"')).status).toBe(400)
  expect((await call('PATCH', path, { name: 'Grace' }, '"old"')).status).toBe(409)
})

const shopper = async () => signedInShopper(service)

async function subscription(): Promise<{ id: string; as: string }> {
  const { email, as } = await shopper()
  const planPath = await plan({ public: true })
  const { slug: planSlug } = (await call('GET', planPath)).body
  const { body, text } = await call('POST', '/api/admin/provisioning', { email, planSlug })
  expect(body.subscription, text).toBeDefined()
  return { id: body.subscription.id, as }
}

const names = { first: { name: 'Grace' }, second: { name: 'Edsger' } }
const seats = { first: { seats: 2 }, second: { seats: 3 } }

const EDITS: Record<string, () => Promise<Omit<Edit, 'as'> & { as?: string; read?: string }>> = {
  'PATCH /api/admin/customers/:id': async () => ({ path: await customer(), ...names }),
  'PATCH /api/admin/customers/:id/status': async () => {
    const read = await customer()
    return { path: `${read}/status`, read, first: { status: 'SUSPENDED' }, second: { status: 'ACTIVE' } }
  },
  'PATCH /api/admin/features/:id': async () => ({
    path: await feature(),
    first: { archived: true },
    second: { archived: false },
  }),
  'PATCH /api/admin/plans/:id': async () => ({
    path: await plan(),
    first: { features: [{ key: 'backup', value: true }] },
    second: { trialDays: 14 },
  }),
  'PATCH /api/admin/announcements/:id': async () => ({
    path: await announcement(),
    first: { title: 'Grace' },
    second: { visibleUntil: '2020-02-02T00:00:00Z' },
  }),
  'PATCH /api/admin/webhooks/:id': async () => ({
    path: await webhook(),
    first: { ordering: 'none' },
    second: { ed25519: true },
  }),
  'PATCH /api/admin/subscriptions/:id': async () => ({
    path: `/api/admin/subscriptions/${(await subscription()).id}`,
    ...seats,
  }),
  'PATCH /api/shop/me': async () => ({ path: '/api/shop/me', as: (await shopper()).as, ...names }),
  'PATCH /api/shop/subscriptions/:id': async () => {
    const { id, as } = await subscription()
    return { path: `/api/shop/subscriptions/${id}`, as, ...seats }
  },
}

test('every change that takes a version is tried', () => {
  expect(Object.keys(EDITS).toSorted()).toEqual(versionedChanges(routes).toSorted())
})

test.each(Object.entries(EDITS))('%s', async (line, prepare) => {
  const { read, ...edit } = await prepare()
  await oneEditorWins(service.call, line.split(' ')[0]!, { as, ...edit }, read)
})
