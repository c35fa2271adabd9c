import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { BULK_ACTIONS } from '#licensing/bulk/events'
import { bulkRoutes } from '#licensing/bulk/routes'
import { subscriptions } from '#licensing/subscriptions/decider'
import { startService } from '../../support/licensing/service.ts'
import { shopFixture } from '../../support/licensing/shop-fixture.ts'

const UNKNOWN = '01890000-0000-7000-8000-00000000dead'
const service = await startService()
const { plan, provision, get, post } = await shopFixture(service)
const { slug } = await plan()

let people = 0
const sold = async (planSlug = slug) =>
  (await provision({ email: `bulk-${(people += 1)}@example.test`, planSlug })).body as {
    license: { id: string }
    subscription: { id: string }
    customer: { id: string }
  }
const asked = (body: object, as?: string) => post('/api/admin/bulk', body, as)
const bulk = async (id: string, as?: string) => get(`/api/admin/bulk/${id}`, as)

/** Starts the action, runs it, and returns its result. */
async function performed(body: object) {
  const begun = await asked(body)
  expect(begun.status, begun.text).toBe(202)
  expect(begun.body).toMatchObject({ status: 'RUNNING', done: 0, completedAt: null, problems: [] })
  expect((await bulk(begun.body.id)).body).toEqual(begun.body)
  await service.settle()
  await service.licensing.projector.catchUp()
  return (await bulk(begun.body.id)).body
}

const statusOf = async (licenseId: string) => (await get(`/api/admin/licenses/${licenseId}`)).body.effectiveStatus

describe('a bulk action', () => {
  test('does it to every id once, and says of which it could not', async () => {
    const [one, other, done] = [await sold(), await sold(), await sold()]
    await post(`/api/admin/licenses/${done.license.id}/revoke`, { reason: 'before' })
    const ids = [one, other, done].map(({ license }) => license.id)
    const result = await performed({
      action: 'licenses.revoke',
      ids: [...ids, ids[0], UNKNOWN],
      reason: 'leaked batch',
    })
    expect(result).toMatchObject({
      status: 'COMPLETED',
      total: 4,
      done: 2,
      skipped: 1,
      failed: 1,
      reason: 'leaked batch',
    })
    expect(result.problems).toEqual([
      { target: ids[2], status: 'SKIPPED', message: 'The license is already revoked' },
      { target: UNKNOWN, status: 'FAILED', message: 'Not found' },
    ])
    for (const id of ids) expect(await statusOf(id)).toBe('REVOKED')
  })

  test('does it to whatever a filter finds, and to nothing else', async () => {
    const { slug: own } = await plan()
    const [one, other] = [await sold(own), await sold(own)]
    const apart = await sold()
    const filter = { planSlug: own, status: 'ACTIVE' }
    const dry = await asked({ action: 'licenses.suspend', filter, reason: 'audit', dryRun: true })
    const ids = [one.license.id, other.license.id].toSorted()
    expect([dry.status, dry.body]).toEqual([200, { action: 'licenses.suspend', total: 2, sample: ids }])
    expect(await statusOf(one.license.id)).toBe('ACTIVE')
    expect(await performed({ action: 'licenses.suspend', filter, reason: 'audit' })).toMatchObject({
      total: 2,
      done: 2,
    })
    for (const id of ids) expect(await statusOf(id)).toBe('SUSPENDED')
    expect(await statusOf(apart.license.id)).toBe('ACTIVE')
    const again = await performed({ action: 'licenses.resume', filter: { ...filter, status: 'SUSPENDED' } })
    expect(again).toMatchObject({ total: 2, done: 2 })
    expect(
      await performed({ action: 'licenses.suspend', filter: { planSlug: 'nobody-has-it' }, reason: 'x' }),
    ).toMatchObject({ total: 0, status: 'COMPLETED' })
  })

  test('suspends and activates customers, extends licenses, cancels subscriptions', async () => {
    const { customer, license, subscription } = await sold()
    expect(await performed({ action: 'customers.suspend', ids: [customer.id] })).toMatchObject({ done: 1 })
    expect(await statusOf(license.id)).toBe('SUSPENDED')
    expect(await performed({ action: 'customers.suspend', ids: [customer.id] })).toMatchObject({ done: 0, skipped: 1 })
    expect(await performed({ action: 'customers.activate', ids: [customer.id] })).toMatchObject({ done: 1 })
    const expiresAt = new Date(Date.now() + 800 * 86_400_000).toISOString()
    expect(await performed({ action: 'licenses.extend', ids: [license.id], expiresAt })).toMatchObject({ done: 1 })
    expect((await get(`/api/admin/licenses/${license.id}`)).body.expiresAt).toBe(expiresAt)
    expect(
      await performed({ action: 'subscriptions.cancel', ids: [subscription.id], reason: 'closing' }),
    ).toMatchObject({
      done: 1,
    })
    expect((await get(`/api/admin/subscriptions/${subscription.id}`)).body.status).toBe('CANCELLED')
    expect(await statusOf(license.id)).toBe('REVOKED')
  })

  test('is one entry of the trail for who asked, and one for each thing done, which name it', async () => {
    const { license } = await sold()
    const { id } = await performed({ action: 'licenses.suspend', ids: [license.id], reason: 'audit' })
    const { items } = (await get(`/api/admin/audit?subject=${id}`)).body
    expect(items.map(({ action }: { action: string }) => action)).toEqual(['bulk.completed', 'bulk.requested'])
    expect(items[1].actor.type).toBe('STAFF')
    const events = await service.history()
    const requested = events.find(({ type, data }) => type === 'BulkRequested' && data['bulkId'] === id)!
    const suspended = events.find(({ type, data }) => type === 'LicenseSuspended' && data['licenseId'] === license.id)!
    expect(suspended.metadata).toMatchObject({ causationId: requested.id, actor: { type: 'SYSTEM' } })
  })

  test('goes on where a killed worker stopped, and does nothing twice', async () => {
    const all = [await sold(), await sold(), await sold()]
    const ids = all.map(({ license }) => license.id)
    const { body } = await asked({ action: 'licenses.suspend', ids, reason: 'audit' })
    // As if the worker had done the first item and was killed before it recorded that.
    const { subscription, license } = all[0]!
    const ask = { licenseId: license.id, reason: 'audit' }
    await service.run((unit) => unit.decide(subscriptions, subscription.id, 'SuspendLicense', ask))
    await service.settle()
    await service.settle()
    await service.licensing.projector.catchUp()
    expect((await bulk(body.id)).body).toMatchObject({ status: 'COMPLETED', done: 2, skipped: 1, failed: 0 })
    const suspended = (await service.history()).filter(
      ({ type, data }) => type === 'LicenseSuspended' && ids.includes(data['licenseId'] as string),
    )
    expect(suspended).toHaveLength(3)
  })
})

describe('who may', () => {
  test('is whoever may do the action; others are not even told of it', async () => {
    const { license } = await sold()
    const body = { action: 'licenses.suspend', ids: [license.id], reason: 'x' }
    const support = await service.staff('SUPPORT')
    const billing = await service.staff('BILLING')
    const refused = await asked(body, billing)
    expect(refused.body).toEqual({ statusCode: 403, message: 'Missing permission licenses:manage' })
    const begun = await asked(body, support)
    expect(begun.status).toBe(202)
    expect((await bulk(begun.body.id, support)).status).toBe(200)
    expect((await bulk(begun.body.id, billing)).status).toBe(404)
    expect((await bulk(UNKNOWN)).status).toBe(404)
  })

  test.each(['SUPPORT', 'BILLING'] as const)('the document tells which actions %s may do', async (role) => {
    const { body } = bulkRoutes.find(({ method }) => method === 'POST')!
    const { properties } = z.toJSONSchema(body!, { io: 'input' })
    const needed = (properties!['action'] as { 'x-permissions': Record<string, string> })['x-permissions']
    const as = await service.staff(role)
    const { permissions } = (await get('/api/admin/auth/me', as)).body as { permissions: string[] }
    for (const [action, permission] of Object.entries(needed)) {
      const { status } = await asked({ action, filter: {}, dryRun: true, reason: 'x' }, as)
      expect(status === 403, action).toBe(!permissions.includes(permission))
    }
  })

  test('the document tells with which actions each field is given', async () => {
    const { body } = bulkRoutes.find(({ method }) => method === 'POST')!
    const { properties } = z.toJSONSchema(body!, { io: 'input' })
    const { action: given } = (properties!['expiresAt'] as { 'x-with': { action: string[] } })['x-with']
    for (const action of BULK_ACTIONS) {
      const ask = { action, filter: {}, dryRun: true, reason: 'x' }
      const statuses = [(await asked({ ...ask, expiresAt: '2099-01-01T00:00:00Z' })).status, (await asked(ask)).status]
      expect(statuses, action).toEqual(given.includes(action) ? [200, 400] : [400, 200])
    }
  })

  test('lists those alone, running ones with their progress', async () => {
    const { license } = await sold()
    const begun = await asked({ action: 'licenses.suspend', ids: [license.id, UNKNOWN], reason: 'x' })
    const { problems: _problems, ...running } = begun.body
    const listed = async (query: string, as?: string) =>
      (await get(`/api/admin/bulk?${query}`, as)).body.items as { id: string; action: string }[]
    expect((await listed('status=RUNNING')).find(({ id }) => id === running.id)).toEqual(running)
    await service.settle()
    await service.licensing.projector.catchUp()
    const { problems: _also, ...completed } = (await bulk(running.id)).body
    expect(completed).toMatchObject({ status: 'COMPLETED', done: 1, failed: 1 })
    expect((await listed('action=licenses.suspend&limit=1'))[0]).toEqual(completed)
    const seen = async (role: 'SUPPORT' | 'BILLING' | 'AUDITOR') =>
      new Set((await listed('limit=100', await service.staff(role))).map(({ action }) => action.split('.')[0]))
    expect(await seen('SUPPORT')).toEqual(new Set(['licenses']))
    expect(await seen('BILLING')).toEqual(new Set(['subscriptions']))
    expect(await seen('AUDITOR')).toEqual(new Set())
  })

  test.each([
    ['neither ids nor a filter', { action: 'customers.suspend' }],
    ['both', { action: 'customers.suspend', ids: [UNKNOWN], filter: {} }],
    ['no reason', { action: 'licenses.revoke', ids: [UNKNOWN] }],
    ['no date', { action: 'licenses.extend', ids: [UNKNOWN] }],
    ['a date that means nothing', { action: 'customers.suspend', ids: [UNKNOWN], expiresAt: '2030-01-01T00:00:00Z' }],
    [
      'a date that no event holds',
      { action: 'licenses.extend', ids: [UNKNOWN], expiresAt: '9999-12-31T23:59:59-12:00' },
    ],
    ['a filter that it does not have', { action: 'customers.suspend', filter: { planSlug: 'x' } }],
    ['an action that is none', { action: 'staff.remove', ids: [UNKNOWN] }],
    ['no id', { action: 'customers.suspend', ids: [] }],
    ['too many ids', { action: 'customers.suspend', ids: Array.from({ length: 2_001 }, () => UNKNOWN) }],
  ])('400 for %s', async (_what, body) => {
    const before = await service.licensing.store.head()
    expect((await asked(body)).status).toBe(400)
    expect(await service.licensing.store.head()).toBe(before)
  })
})
