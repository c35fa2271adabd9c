import { describe, expect, it } from 'vitest'
import type { EventStore } from '#kernel/events/store-port'
import { kyselyFor } from '#kernel/projections/read-database'
import { effectiveStatus } from '#licensing/licenses/rules'
import type { License } from '#licensing/licenses/rules'
import { subscriptionEvents } from '#licensing/subscriptions/events'
import { effectiveStatusAt, licenseTable } from '#projections/licensing/licenses'
import { overrideStore } from '#test/support/override-store'
import {
  subscriptionCreated,
  CUSTOMER_ID,
  inDays,
  licenseIssued,
  SUBSCRIPTION_ID,
} from '../../support/licensing/examples.ts'
import { startService } from '../../support/licensing/service.ts'
import { shopFixture } from '../../support/licensing/shop-fixture.ts'

let broken: Error | undefined
/** Fails every append of a key read while `broken` is set, and no other append. */
const fragile = (store: EventStore): EventStore =>
  overrideStore(store, {
    append: async (append) => {
      const isRead = append.parts.some(({ stream }) => stream.startsWith('licenseReads-'))
      if (broken && isRead) throw broken
      return store.append(append)
    },
  })

const service = await startService({ wrapStore: fragile })
const { admin, plan, provision, get, post, audit } = await shopFixture(service)
const team = await plan({ maxActivations: 3, graceDays: 14 })
const UNKNOWN = '01890000-0000-7000-8000-00000000ffff'

let number = 0
const provisioned = async (more: object = {}) => {
  const asked = { email: `license-${(number += 1)}@example.test`, planSlug: team.slug, ...more }
  const { status, body, text } = await provision(asked)
  expect(status, text).toBe(201)
  return body
}

describe('reading a license', () => {
  it('answers the whole record', async () => {
    const { license, subscription, customer } = await provisioned()
    const { body } = await get(`/api/admin/licenses/${license.id}`)
    expect(body).toEqual({
      id: license.id,
      keyId: license.keyId,
      kid: expect.stringMatching(/^[\w-]{43}$/),
      seq: 1,
      status: 'ACTIVE',
      effectiveStatus: 'ACTIVE',
      subscriptionId: subscription.id,
      customerId: customer.id,
      planSlug: team.slug,
      seats: 1,
      maxActivations: 3,
      activeInstances: 0,
      issuedAt: expect.any(String),
      expiresAt: license.expiresAt,
      graceEndsAt: inDays(14, new Date(license.expiresAt)),
      suspendedAt: null,
      revokedAt: null,
      reason: null,
      replacedBy: null,
    })
  })

  it('knows no license that is not there', async () => {
    for (const path of ['', '/key']) {
      const { status, body } = await get(`/api/admin/licenses/${UNKNOWN}${path}`)
      expect({ status, body }).toEqual({ status: 404, body: { statusCode: 404, message: 'Not found' } })
    }
    expect((await post(`/api/admin/licenses/${UNKNOWN}/revoke`, { reason: 'any' })).status).toBe(404)
    expect((await get('/api/admin/licenses/not-an-id')).status).toBe(404)
  })

  it('is listed by key id, customer, expiry and effective status', async () => {
    const { license, customer } = await provisioned({ currentPeriodEnd: inDays(5, new Date()) })
    const ids = async (query: string) =>
      (await get(`/api/admin/licenses?${query}`)).body.items.map(({ id }: { id: string }) => id)
    expect(await ids(`keyId=${license.keyId}`)).toEqual([license.id])
    expect(await ids(`customerId=${customer.id}`)).toEqual([license.id])
    expect(await ids(`expiresBefore=${inDays(6, new Date())}&customerId=${customer.id}`)).toEqual([license.id])
    expect(await ids(`expiresBefore=${inDays(4, new Date())}&customerId=${customer.id}`)).toEqual([])
    expect(await ids(`status=ACTIVE&customerId=${customer.id}`)).toEqual([license.id])
    expect(await ids(`status=REVOKED&customerId=${customer.id}`)).toEqual([])
  })

  it('is listed by subscription, revoked ones included', async () => {
    const { license, customer, subscription } = await provisioned()
    const { license: newer } = (await post('/api/admin/licenses', { subscriptionId: subscription.id })).body
    const { customer: same } = await provisioned({ email: customer.email })
    expect(same.id).toBe(customer.id)
    const ids = async (query: string) =>
      (await get(`/api/admin/licenses?${query}`)).body.items.map(({ id }: { id: string }) => id)
    expect(await ids(`subscriptionId=${subscription.id}`)).toEqual([newer.id, license.id])
    expect(await ids(`subscriptionId=${subscription.id}&status=ACTIVE`)).toEqual([newer.id])
    expect(await ids(`subscriptionId=${customer.id}`)).toEqual([])
  })

  it('is walked by a cursor without repeating or skipping one', async () => {
    const { customer } = await provisioned()
    const { rows } = await service.superuser.query('SELECT count(*)::int AS number FROM read.licenses')
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await get(`/api/admin/licenses?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
      seen.push(...body.items.map(({ id }: { id: string }) => id))
      cursor = body.nextCursor
    }
    expect(new Set(seen).size).toBe(rows[0].number)
    expect(seen).toHaveLength(rows[0].number)
    expect(customer.id).toBeTruthy()
  })
})

describe('what time makes of a license', () => {
  it('is said alike by the read model’s SQL and by the rules', async () => {
    const expiries = [-20, -14, -13, -1, 0, 1, 20]
    const now = new Date()
    const ids = expiries.map((_day, index) => `01890000-0000-7000-8000-0000000e000${index}`)
    await service.run(async (unit) => {
      unit.appendEvent(
        subscriptionEvents,
        SUBSCRIPTION_ID,
        subscriptionCreated({ referenceKey: null, reference: null }),
      )
      expiries.forEach((day, index) =>
        unit.appendEvent(
          subscriptionEvents,
          SUBSCRIPTION_ID,
          licenseIssued({ licenseId: ids[index]!, keyId: `lic_time_${index}`, expiresAt: inDays(day, now) }),
        ),
      )
    })
    await service.licensing.projector.catchUp()
    const read = kyselyFor(service.superuser)
    const rows = await licenseTable
      .queryIn(read)
      .select(['id', 'status', 'expiresAt', 'graceEndsAt'])
      .select(effectiveStatusAt(now).as('effectiveStatus'))
      .where('customerId', '=', CUSTOMER_ID)
      .orderBy('id')
      .execute()
    const dated = (row: (typeof rows)[number]): Pick<License, 'status' | 'expiresAt' | 'graceEndsAt'> => ({
      status: row.status,
      expiresAt: new Date(row.expiresAt).toISOString(),
      graceEndsAt: new Date(row.graceEndsAt).toISOString(),
    })
    expect(rows.map((row) => row.effectiveStatus)).toEqual(rows.map((row) => effectiveStatus(dated(row), now)))
    expect(rows.map((row) => row.effectiveStatus)).toEqual([
      'EXPIRED',
      'EXPIRED',
      'GRACE',
      'GRACE',
      'GRACE',
      'ACTIVE',
      'ACTIVE',
    ])
  })
})

describe('reading a key', () => {
  it('answers the same token as provisioning, to be stored nowhere', async () => {
    const { license, licenseKey } = await provisioned()
    const { status, body, headers } = await get(`/api/admin/licenses/${license.id}/key`)
    expect(status).toBe(200)
    expect(body).toEqual({ keyId: license.keyId, licenseKey, expiresAt: license.expiresAt })
    expect(headers.get('cache-control')).toBe('no-store')
  })

  it('is audited with the reader’s name, for sessions and tokens alike', async () => {
    const { license } = await provisioned()
    const token = await service.token(['licenses:view'])
    await get(`/api/admin/licenses/${license.id}/key`)
    expect((await get(`/api/admin/licenses/${license.id}/key`, token)).status).toBe(200)
    const [byToken, bySession] = await audit(license.id)
    expect([byToken!.action, byToken!.actor.type]).toEqual(['license.key_read', 'TOKEN'])
    expect([bySession!.action, bySession!.actor.type]).toEqual(['license.key_read', 'STAFF'])
    expect(byToken!.subject).toEqual({ type: 'license', id: license.id })
  })

  it('is refused without licenses:view, and leaves no trace then', async () => {
    const { license } = await provisioned()
    const token = await service.token(['licenses:manage'])
    expect((await get(`/api/admin/licenses/${license.id}/key`, token)).status).toBe(403)
    expect((await audit(license.id)).map(({ action }) => action)).not.toContain('license.key_read')
  })

  it.each([
    ['the store is away', Object.assign(new Error('connection lost'), { code: '08006' })],
    ['the database refuses to write', Object.assign(new Error('no space left'), { code: '53100' })],
    ['something nobody thought of happens', new TypeError('not thought of')],
  ])('fails closed when %s: 503 and not one byte of the key', async (_what, error) => {
    const { license, licenseKey } = await provisioned()
    broken = error
    try {
      const { status, text, body } = await get(`/api/admin/licenses/${license.id}/key`)
      expect(status).toBe(503)
      expect(Object.keys(body)).toEqual(['statusCode', 'message'])
      for (const part of licenseKey.split('.')) expect(text).not.toContain(part)
    } finally {
      broken = undefined
    }
    expect((await get(`/api/admin/licenses/${license.id}/key`)).status).toBe(200)
  })
})

describe('issuing', () => {
  it('answers 201 with the license and its key, and revokes the previous one in the same append', async () => {
    const { subscription, license: previous } = await provisioned()
    const { status, body, headers } = await post('/api/admin/licenses', { subscriptionId: subscription.id })
    expect(status).toBe(201)
    expect(body.license).toEqual((await get(`/api/admin/licenses/${body.license.id}`)).body)
    expect((await get(`/api/admin/licenses/${previous.id}`)).body).toMatchObject({
      status: 'REVOKED',
      effectiveStatus: 'REVOKED',
      reason: 'superseded',
      replacedBy: body.license.id,
      revokedAt: body.license.issuedAt,
    })
    expect((await get(`/api/admin/subscriptions/${subscription.id}`)).body.licenseId).toBe(body.license.id)
    const all = await service.history()
    const appended = all.filter(({ metadata }) => metadata['requestId'] === headers.get('x-request-id'))
    expect(appended.map(({ type }) => type)).toEqual(['LicenseRevoked', 'LicenseIssued'])
  })

  it('never lowers the cap when the plan’s was lowered, and raises it with the plan', async () => {
    const { slug, id } = await plan({ maxActivations: 5 })
    const { subscription } = await provisioned({ planSlug: slug })
    const change = (maxActivations: number) =>
      service.call('PATCH', `/api/admin/plans/${id}`, { as: admin, body: { maxActivations } })
    const granted = async () =>
      (await post('/api/admin/licenses', { subscriptionId: subscription.id, maxActivations: 1 })).body.license
        .maxActivations
    await change(2)
    expect(await granted()).toBe(5)
    await change(9)
    expect(await granted()).toBe(9)
    expect((await get(`/api/admin/subscriptions/${subscription.id}`)).body.maxActivations).toBe(9)
    const asked = (await audit(subscription.id)).find(({ action }) => action === 'license.issued')
    expect(asked!.meta).toMatchObject({ maxActivationsAsked: 1, maxActivations: 9 })
  })

  it('is refused for an inactive plan, a bad date, an unknown subscription or an unknown field', async () => {
    const { slug, id } = await plan()
    const { subscription } = await provisioned({ planSlug: slug })
    const subscriptionId = subscription.id
    const refusal = async (body: object) => {
      const refused = await post('/api/admin/licenses', body)
      return [refused.status, refused.body.message]
    }
    const past = { subscriptionId, expiresAt: '2020-01-01T00:00:00Z' }
    expect(await refusal(past)).toEqual([400, 'expiresAt must be in the future'])
    const far = { subscriptionId, expiresAt: inDays(3_700, new Date()) }
    expect(await refusal(far)).toEqual([400, 'expiresAt must be at most 10 years ahead'])
    expect(await refusal({ subscriptionId: UNKNOWN })).toEqual([404, 'Not found'])
    expect((await refusal({ subscriptionId, colour: 'red' }))[0]).toBe(400)
    await post(`/api/admin/plans/${id}/deactivate`)
    expect(await refusal({ subscriptionId })).toEqual([400, `Plan ${slug} is not active`])
  })

  it('leaves one license when many are issued at once', async () => {
    const { subscription } = await provisioned()
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => post('/api/admin/licenses', { subscriptionId: subscription.id })),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]))
    const { rows } = await service.superuser.query(
      `SELECT status, count(*)::int AS number FROM read.licenses WHERE subscription_id = $1 GROUP BY status ORDER BY status`,
      [subscription.id],
    )
    expect(rows).toEqual([
      { status: 'ACTIVE', number: 1 },
      { status: 'REVOKED', number: 20 },
    ])
  })
})

describe('revoking', () => {
  it('answers the license as it is now, keeps the row, and holds on the very next request', async () => {
    const { license, subscription } = await provisioned()
    const { status, body } = await post(`/api/admin/licenses/${license.id}/revoke`, { reason: 'leaked' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'REVOKED', effectiveStatus: 'REVOKED', reason: 'leaked', replacedBy: null })
    expect((await get(`/api/admin/licenses/${license.id}`)).body).toEqual(body)
    expect((await get(`/api/admin/subscriptions/${subscription.id}`)).body.licenseId).toBeNull()
    expect((await audit(license.id))[0]).toMatchObject({ action: 'license.revoked', meta: { reason: 'leaked' } })
  })

  it('is refused a second time', async () => {
    const { license } = await provisioned()
    await post(`/api/admin/licenses/${license.id}/revoke`, { reason: 'first' })
    const { status, body } = await post(`/api/admin/licenses/${license.id}/revoke`, { reason: 'second' })
    expect({ status, body }).toEqual({
      status: 409,
      body: { statusCode: 409, message: 'The license is already revoked' },
    })
  })

  it.each([{}, { reason: '' }, { reason: '   ' }, { reason: 'r'.repeat(501) }, { reason: 'any', colour: 'red' }])(
    'is refused with the body %j',
    async (body) => {
      const { license } = await provisioned()
      expect((await post(`/api/admin/licenses/${license.id}/revoke`, body)).status).toBe(400)
    },
  )
})
