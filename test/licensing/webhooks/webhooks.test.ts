/** Webhooks over HTTP: which are called, with what, when and how often, and their signatures. */
import { createPublicKey, verify } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { runJob } from '#kernel/jobs/job-runner'
import { ATTEMPT_AFTER_MS, tryAcquireDelivery, dueDelivery } from '#licensing/workflows/webhook-delivery/deliveries'
import { webhookReceiver } from '#test/support/webhook-receiver'
import type { ReceivedWebhook } from '#test/support/webhook-receiver'
import { workerDependencies } from '../../../src/composition/worker.ts'
import { startService } from '../../support/licensing/service.ts'
import type { Reply } from '../../support/licensing/service.ts'

const PATH = '/api/admin/webhooks'
const UNKNOWN_ID = '01890000-0000-7000-8000-00000000dead'
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const CANARY = 'canary@customer.test'

// After many changes of the clock: compared once, at the end.
const service = await startService({ webhookAllow: ['127.0.0.0/8'], compareReadModels: false })
const { settle } = service
const there = await webhookReceiver()
afterAll(() => there.close())
afterAll(() => service.rebuiltEqualsLive())

let aheadMs = 0
function passTime(ms: number): void {
  aheadMs += ms
  service.passTime(ms)
}

async function call(method: string, path: string, body?: unknown): Promise<Reply> {
  return service.call(method, path, { as: await service.staff(), ...(body === undefined ? {} : { body }) })
}
async function ok(method: string, path: string, body?: unknown): Promise<any> {
  const reply = await call(method, path, body)
  expect(reply.status, reply.text).toBeLessThan(300)
  return reply.body
}
const create = (more: object = {}) => call('POST', PATH, { url: there.url, events: ['*'], ...more })

interface Made {
  readonly id: string
  readonly secret: string
}

/** A webhook that has answered its ping. */
async function active(more: object = {}): Promise<Made> {
  const { webhook, secret } = (await create(more)).body
  await settle()
  expect((await ok('GET', `${PATH}/${webhook.id}`)).status).toBe('ACTIVE')
  return { id: webhook.id, secret }
}

const statusOf = async (id: string): Promise<string> => (await ok('GET', `${PATH}/${id}`)).status
const deliveriesOf = async (id: string, query = ''): Promise<any[]> =>
  (await ok('GET', `${PATH}/${id}/deliveries?limit=100&sort=createdAt${query}`)).items
const toldOf = (licenseId: string) => there.heard.filter(({ json }) => json.data.licenseId === licenseId)

async function licensed(more: object = {}) {
  const { license, subscription, customer } = await ok('POST', '/api/admin/provisioning', {
    email: CANARY,
    planSlug: 'team',
    reference: `order ${Math.random()}`,
    ...more,
  })
  return {
    licenseId: license.id as string,
    subscriptionId: subscription.id as string,
    customerId: customer.id as string,
  }
}
const revoke = (licenseId: string) => ok('POST', `/api/admin/licenses/${licenseId}/revoke`, { reason: 'returned' })

/** Verifies as the receiver would, at the time of the service's clock. @throws WebhookVerificationError */
function verified({ body, headers }: ReceivedWebhook, secret: string): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + aheadMs })
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>)
  } finally {
    vi.useRealTimers()
  }
}

beforeAll(() => ok('POST', '/api/admin/plans', { slug: 'team', name: 'Team' }))
beforeEach(() => (there.heard as ReceivedWebhook[]).splice(0))
/** Each test has the receiver to itself. */
afterEach(async () => {
  there.answer(() => 204)
  for (const { id } of (await ok('GET', `${PATH}?limit=100`)).items) await ok('DELETE', `${PATH}/${id}`)
  await settle()
})

describe('POST /webhooks', () => {
  test('201: the record, and the secret, here and nowhere else', async () => {
    const reply = await create({ events: ['license.revoked', 'license.issued', 'license.revoked'] })
    expect(reply.status, reply.text).toBe(201)
    expect(reply.headers.get('cache-control')).toBe('no-store')
    const { webhook, secret } = reply.body
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(webhook).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      url: `${there.url}/`,
      events: ['license.issued', 'license.revoked'],
      ordering: 'subject',
      ed25519: false,
      publicKey: null,
      status: 'PENDING',
      disabledReason: null,
      createdAt: expect.any(String),
      verifiedAt: null,
      oldSecretUntil: null,
      failingSince: null,
    })
    await service.licensing.projector.catchUp()
    expect((await call('GET', `${PATH}/${webhook.id}`)).body).toEqual(webhook)
    expect((await ok('GET', PATH)).items).toEqual([webhook])
    await settle()
    for (const place of [await service.dump(), service.logs(), (await call('GET', PATH)).text])
      expect(place.includes(secret.slice(6))).toBe(false)
    expect(await service.dump()).not.toContain(there.url)
  })

  test('asked again with the same Idempotency-Key, there is one, and its secret is not shown again', async () => {
    const ask = async () =>
      service.call('POST', PATH, {
        as: await service.staff(),
        body: { url: there.url, events: ['*'] },
        headers: { 'idempotency-key': 'once' },
      })
    const [first, again] = [await ask(), await ask()]
    expect(again.body.webhook).toEqual(first.body.webhook)
    expect([first.body.secret, again.body.secret]).toEqual([expect.stringMatching(/^whsec_/), undefined])
  })

  test.each([
    ['no url', { url: undefined }],
    ['a url of another scheme', { url: 'ftp://example.com/' }],
    ['a url with credentials', { url: 'https://me:secret@example.com/' }],
    ['a url with a fragment', { url: 'https://example.com/#x' }],
    ['a url with a port that is none of the web', { url: 'https://example.com:25/' }],
    ['a url that is none', { url: 'example' }],
    ['no events', { events: undefined }],
    ['an empty list of events', { events: [] }],
    ['an event that nobody declared', { events: ['license.eaten'] }],
    ['an event of the staff', { events: ['staff.added'] }],
    ['an event of its own', { events: ['webhook.created'] }],
    ['a name that is none', { events: ['License*'] }],
    ['an ordering that is none', { ordering: 'total' }],
    ['an unknown field', { secret: 'whsec_mine' }],
  ])('400 for %s', async (_what, more) => {
    const before = await service.licensing.store.head()
    const reply = await create(more)
    expect(reply.status, reply.text).toBe(400)
    expect(await service.licensing.store.head()).toBe(before)
  })
})

test('404 for whatever is about an unknown webhook', async () => {
  const lines = [
    'GET /:id',
    'PATCH /:id',
    'DELETE /:id',
    'POST /:id/ping',
    'POST /:id/rotate-secret',
    'GET /:id/deliveries',
  ]
  for (const line of [...lines, 'POST /deliveries/:id/redeliver']) {
    const [method = '', path = ''] = line.split(' ')
    const body = method === 'PATCH' ? {} : undefined
    expect((await call(method, PATH + path.replace(':id', UNKNOWN_ID), body)).status, line).toBe(404)
  }
  expect((await service.call('GET', `/api/webhooks/${UNKNOWN_ID}/keys`)).status).toBe(404)
})

test('GET /webhooks/events lists what can be told, each with its fields', async () => {
  const { events } = await ok('GET', `${PATH}/events`)
  expect(events).toContainEqual({
    type: 'license.revoked',
    subjectType: 'license',
    fields: expect.arrayContaining(['licenseId', 'subscriptionId', 'reason']),
  })
  expect(events.map(({ type }: { type: string }) => type)).toEqual(
    events.map(({ type }: { type: string }) => type).toSorted(),
  )
})

describe('the handshake', () => {
  test('is a ping, signed like everything else', async () => {
    const { id, secret } = await active()
    const [ping, ...others] = there.heard
    expect(others).toEqual([])
    expect(ping!.json).toEqual({ type: 'webhook.ping', timestamp: expect.any(String), data: { webhookId: id } })
    verified(ping!, secret)
    expect(ping!.headers['content-type']).toBe('application/json')
  })

  test('comes before everything else, which waits for it and is not lost', async () => {
    there.answer(() => 500)
    const { webhook } = (await create()).body
    const { licenseId } = await licensed()
    await settle()
    expect(there.heard.map(({ json }) => json.type)).toEqual(['webhook.ping'])
    expect(await statusOf(webhook.id)).toBe('PENDING')
    there.answer(() => 200)
    passTime(5_000)
    await settle()
    expect(await statusOf(webhook.id)).toBe('ACTIVE')
    expect(toldOf(licenseId).map(({ json }) => json.type)).toContain('license.issued')
  })

  test('holds for what was woken before as well', async () => {
    there.answer(() => 500)
    const { webhook } = (await create({ events: ['license.issued'] })).body
    await licensed()
    await settle()
    const [waiting] = await deliveriesOf(webhook.id, '&type=license.issued')
    const parts = { ...workerDependencies(service.licensing, service.settings, undefined), enqueue: async () => {} }
    const woken = { lane: 'outside', name: 'deliver-webhooks', key: waiting.id, atMs: 0 } as const
    await runJob(parts, woken, new AbortController().signal)
    expect(there.heard.map(({ json }) => json.type)).toEqual(['webhook.ping'])
  })

  test('that nobody answers is given up, and somebody is told', async () => {
    there.answer(() => 404)
    const { webhook } = (await create()).body
    const before = service.mails.length
    for (const afterMs of ATTEMPT_AFTER_MS) {
      passTime(afterMs)
      await settle()
    }
    expect(there.heard).toHaveLength(10)
    expect(await ok('GET', `${PATH}/${webhook.id}`)).toMatchObject({ status: 'DISABLED', disabledReason: 'UNVERIFIED' })
    expect(service.mails.slice(before)).toEqual([
      expect.objectContaining({ to: 'superadmin@staff.test', subject: 'A webhook was disabled' }),
    ])
  })

  test('is asked of another URL again, and what answered before is told nothing meanwhile', async () => {
    const { id } = await active()
    const other = await webhookReceiver()
    other.answer(() => 500)
    expect(await ok('PATCH', `${PATH}/${id}`, { url: other.url })).toMatchObject({
      status: 'PENDING',
      url: `${other.url}/`,
    })
    const { licenseId } = await licensed()
    await settle()
    expect(toldOf(licenseId)).toEqual([])
    expect(other.heard.map(({ json }) => json.type)).toEqual(['webhook.ping'])
    other.answer(() => 200)
    passTime(5_000)
    await settle()
    expect(other.told('license.issued')).toHaveLength(1)
    await other.close()
  })
})

describe('a delivery', () => {
  test('says what happened, by ids, and is signed so that the specification’s library verifies it', async () => {
    const { id, secret } = await active({ events: ['license.revoked', 'customer.registered', 'subscription.created'] })
    const { licenseId, subscriptionId } = await licensed({
      email: 'somebody-new@customer.test',
      reference: 'order of Ada',
    })
    await revoke(licenseId)
    await settle()
    const [, ...told] = there.heard
    expect(told.map(({ json }) => String(json.type)).toSorted()).toEqual([
      'customer.registered',
      'license.revoked',
      'subscription.created',
    ])
    for (const each of told) verified(each, secret)
    const [revoked] = there.told('license.revoked')
    expect(revoked!.json).toMatchObject({
      type: 'license.revoked',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: { licenseId, subscriptionId, reason: 'returned' },
    })
    const everything = JSON.stringify(there.heard)
    for (const personal of ['somebody-new', 'order of Ada', 'eyJ']) expect(everything).not.toContain(personal)
    const [delivery] = await deliveriesOf(id, '&type=license.revoked')
    expect(delivery).toEqual({
      id: revoked!.id,
      webhookId: id,
      type: 'license.revoked',
      subject: { type: 'license', id: licenseId },
      status: 'DELIVERED',
      attempts: 1,
      nextAttemptAt: null,
      createdAt: expect.any(String),
      deliveredAt: expect.any(String),
      tries: [{ at: expect.any(String), status: 204, error: null, ms: expect.any(Number) }],
      payload: revoked!.json,
    })
  })

  test('is not made of what happened before the webhook, nor of what it does not want', async () => {
    const before = await licensed()
    const { id } = await active({ events: ['license.revoked'] })
    await licensed()
    await settle()
    expect(await deliveriesOf(id, '&type=license.issued')).toEqual([])
    await revoke(before.licenseId)
    await settle()
    expect(toldOf(before.licenseId).map(({ json }) => json.type)).toEqual(['license.revoked'])
  })

  test('goes to each webhook that wants it, under an id of its own', async () => {
    const [one, other] = [await active({ events: ['license.issued'] }), await active({ events: ['license.issued'] })]
    const { licenseId } = await licensed()
    await settle()
    const told = toldOf(licenseId)
    expect(told).toHaveLength(2)
    expect(new Set(told.map(({ id }) => id)).size).toBe(2)
    const secretOf = async (heard: ReceivedWebhook) =>
      (await deliveriesOf(one.id)).some(({ id }) => id === heard.id) ? one.secret : other.secret
    for (const heard of told) verified(heard, await secretOf(heard))
  })

  test('that fails is made again after 5 s, 1 min, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h and 20 h, with one id, then no more', async () => {
    const { id, secret } = await active({ events: ['license.issued'] })
    there.answer(() => 503)
    const { licenseId } = await licensed()
    await settle()
    const waits = [5, 60, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000].map((seconds) => seconds * 1_000)
    for (const [nth, waitMs] of waits.entries()) {
      const [delivery] = await deliveriesOf(id, '&type=license.issued')
      expect(delivery).toMatchObject({ status: 'WAITING', attempts: nth + 1 })
      const { at, ms } = delivery.tries.at(-1)
      expect(Date.parse(delivery.nextAttemptAt) - Date.parse(at) - ms).toBe(waitMs)
      await settle()
      expect(toldOf(licenseId), 'not before its time').toHaveLength(nth + 1)
      passTime(waitMs)
      await settle()
      expect(toldOf(licenseId)).toHaveLength(nth + 2)
      verified(toldOf(licenseId).at(-1)!, secret)
    }
    const [failed] = await deliveriesOf(id, '&type=license.issued')
    expect(failed).toMatchObject({ status: 'FAILED', attempts: 10, nextAttemptAt: null })
    expect(new Set(toldOf(licenseId).map((heard) => heard.id)).size).toBe(1)
    passTime(10 * DAY_MS)
    await settle()
    expect(toldOf(licenseId)).toHaveLength(10)
  })

  test.each([301, 307, 400, 401, 404, 429, 500, 502])('answered %i has failed', async (status) => {
    const { id } = await active({ events: ['license.issued'] })
    there.answer(() => (response) => response.writeHead(status, { Location: `${there.url}/elsewhere` }).end())
    await licensed()
    await settle()
    const [delivery] = await deliveriesOf(id, '&type=license.issued')
    expect(delivery).toMatchObject({ status: 'WAITING', attempts: 1, tries: [{ status, error: null }] })
    expect((await ok('GET', `${PATH}/${id}`)).failingSince).not.toBeNull()
    expect(there.heard.filter(({ path }) => path === '/elsewhere')).toEqual([])
  })

  test.each([
    ['a reset', (response: any) => response.socket.resetAndDestroy()],
    ['a closed connection', (response: any) => response.socket.end()],
  ])('that ends in %s is made again', async (_what, manners) => {
    const { id } = await active({ events: ['license.issued'] })
    there.answer(() => manners)
    const { licenseId } = await licensed()
    await settle()
    expect((await deliveriesOf(id, '&status=WAITING'))[0].tries[0]).toMatchObject({
      status: null,
      error: expect.any(String),
    })
    there.answer(() => 200)
    passTime(5_000)
    await settle()
    expect(toldOf(licenseId)).toHaveLength(2)
    expect((await ok('GET', `${PATH}/${id}`)).failingSince).toBeNull()
  })

  test('waits for as long as its receiver asks it to', async () => {
    const { id } = await active({ events: ['license.issued'] })
    there.answer(() => (response) => response.writeHead(429, { 'Retry-After': '3600' }).end())
    await licensed()
    await settle()
    const [{ nextAttemptAt, tries }] = await deliveriesOf(id, '&type=license.issued')
    expect(Date.parse(nextAttemptAt) - Date.parse(tries[0].at) - tries[0].ms).toBe(HOUR_MS)
  })

  test('that whoever made it did not live to note is made again under the same id', async () => {
    const { id } = await active({ events: ['license.issued'] })
    const { licenseId } = await licensed()
    await settle()
    const lost = `UPDATE telemetry.webhook_delivery SET status = 'WAITING', attempts = 0, delivered_at = NULL,
      next_at = now() + $1 * interval '1 ms' WHERE webhook_id = $2 AND NOT is_ping`
    await service.superuser.query(lost, [aheadMs + 20_000, id])
    await settle()
    expect(toldOf(licenseId)).toHaveLength(1)
    passTime(20_000)
    await settle()
    expect(new Set(toldOf(licenseId).map((heard) => heard.id)).size).toBe(1)
    expect(toldOf(licenseId)).toHaveLength(2)
  })
})

describe('order', () => {
  async function story(ordering: string) {
    const webhook = await active({ ordering, events: ['license.issued', 'license.revoked'] })
    const [ill, well] = [await licensed(), await licensed()]
    await settle()
    expect(toldOf(ill.licenseId)).toHaveLength(1)
    const third = await licensed()
    there.answer(({ json }) => (json.data.licenseId === third.licenseId && json.type === 'license.issued' ? 500 : 200))
    await settle()
    await revoke(third.licenseId)
    await revoke(well.licenseId)
    await settle()
    expect(toldOf(well.licenseId).map(({ json }) => json.type)).toEqual(['license.issued', 'license.revoked'])
    return { ...webhook, licenseId: third.licenseId }
  }
  const types = (licenseId: string) => toldOf(licenseId).map(({ json }) => json.type)

  test('of one subject: what came later waits for what came before, other subjects do not', async () => {
    const { licenseId } = await story('subject')
    expect(types(licenseId)).toEqual(['license.issued'])
    there.answer(() => 200)
    passTime(60_000)
    await settle()
    expect(types(licenseId)).toEqual(['license.issued', 'license.issued', 'license.revoked'])
  })

  test('of one subject: what came later goes on when what came before has failed for good', async () => {
    const { licenseId } = await story('subject')
    for (const afterMs of ATTEMPT_AFTER_MS) {
      passTime(afterMs)
      await settle()
    }
    expect(types(licenseId).slice(-2)).toEqual(['license.issued', 'license.revoked'])
    expect(types(licenseId)).toHaveLength(11)
  })

  test('of none: nothing waits for anything', async () => {
    const { licenseId } = await story('none')
    expect(types(licenseId)).toEqual(['license.issued', 'license.revoked'])
  })

  test('of one subject: an event that has no delivery yet holds up what came after it', async () => {
    const { id } = await active({ events: ['license.issued'] })
    const { licenseId } = await licensed()
    await settle()
    const [issued] = await deliveriesOf(id, '&type=license.issued')
    const { superuser, licensing } = service
    await superuser.query(
      `UPDATE telemetry.webhook_delivery SET status = 'WAITING', next_at = '2020-01-01' WHERE id = $1`,
      [issued.id],
    )
    const claim = (isOrdered: boolean) =>
      tryAcquireDelivery(licensing.pool, issued.id, { now: new Date('2021-01-01'), isOrdered })
    await superuser.query(`INSERT INTO telemetry.work_pending (reaction, position) VALUES ('webhooks', 0)`)
    expect((await dueDelivery(licensing.pool, issued.id, new Date('2021-01-01')))?.isEarly).toBe(true)
    expect(await claim(true)).toBeUndefined()
    await superuser.query(`DELETE FROM telemetry.work_pending WHERE position = 0`)
    expect(await claim(true)).toMatchObject({ id: issued.id, webhookId: id })
    expect(await claim(true), 'while somebody else tries').toBeUndefined()
    expect(toldOf(licenseId)).toHaveLength(1)
  })
})

describe('a webhook is disabled', () => {
  test('by 410, at once; what waits goes on when it is enabled, what happens meanwhile is not told', async () => {
    const { id } = await active({ events: ['license.issued'] })
    there.answer(() => 410)
    const waiting = await licensed()
    await settle()
    expect(await ok('GET', `${PATH}/${id}`)).toMatchObject({ status: 'DISABLED', disabledReason: 'GONE' })
    expect(service.mails.at(-1)).toMatchObject({ to: 'superadmin@staff.test', text: expect.stringContaining(id) })
    const missed = await licensed()
    passTime(DAY_MS)
    await settle()
    expect(there.heard).toHaveLength(2)
    there.answer(() => 200)
    expect(await ok('PATCH', `${PATH}/${id}`, { active: true })).toMatchObject({ status: 'PENDING' })
    await settle()
    expect(await statusOf(id)).toBe('ACTIVE')
    expect(toldOf(waiting.licenseId)).toHaveLength(2)
    expect(toldOf(missed.licenseId)).toEqual([])
  })

  test('by five days of failures, and not by less', async () => {
    const { id } = await active({ events: ['license.issued'] })
    there.answer(() => 500)
    await licensed()
    await settle()
    passTime(5 * DAY_MS - HOUR_MS)
    await licensed()
    await settle()
    expect(await statusOf(id)).toBe('ACTIVE')
    passTime(HOUR_MS)
    await licensed()
    await settle()
    expect(await ok('GET', `${PATH}/${id}`)).toMatchObject({ status: 'DISABLED', disabledReason: 'FAILING' })
  })

  test('and begins to count anew after one success', async () => {
    const { id } = await active({ events: ['license.issued'] })
    there.answer(() => 500)
    await licensed()
    await settle()
    passTime(3 * DAY_MS)
    there.answer(() => 200)
    await settle()
    there.answer(() => 500)
    passTime(3 * DAY_MS)
    await licensed()
    await settle()
    expect(await statusOf(id)).toBe('ACTIVE')
  })

  test('by staff: nothing is sent from the answer on', async () => {
    const { id } = await active()
    await licensed()
    expect(await ok('PATCH', `${PATH}/${id}`, { active: false })).toMatchObject({
      status: 'DISABLED',
      disabledReason: 'STAFF',
    })
    const mails = service.mails.length
    await settle()
    expect(there.heard).toHaveLength(1)
    expect(service.mails).toHaveLength(mails)
    expect((await call('POST', `${PATH}/${id}/ping`)).status).toBe(409)
  })
})

test('a ping is made once, whatever is answered', async () => {
  const { id } = await active()
  there.answer(() => 500)
  const { deliveryId } = await ok('POST', `${PATH}/${id}/ping`)
  await settle()
  passTime(DAY_MS)
  await settle()
  expect(there.heard.filter((heard) => heard.id === deliveryId)).toHaveLength(1)
  expect((await deliveriesOf(id)).find((each) => each.id === deliveryId)).toMatchObject({
    status: 'FAILED',
    attempts: 1,
  })
})

describe('a repeated delivery', () => {
  test('comes again under the same id, out of turn', async () => {
    const { id } = await active({ events: ['license.issued', 'license.revoked'] })
    const { licenseId } = await licensed()
    await settle()
    const [issued] = await deliveriesOf(id, '&type=license.issued')
    there.answer(() => 500)
    const reply = await call('POST', `${PATH}/deliveries/${issued.id}/redeliver`)
    expect(reply.status, reply.text).toBe(202)
    expect(reply.body.id).toBe(issued.id)
    await settle()
    there.answer(({ json }) => (json.type === 'license.issued' ? 500 : 200))
    await revoke(licenseId)
    await settle()
    expect(toldOf(licenseId).map(({ json }) => json.type)).toEqual([
      'license.issued',
      'license.issued',
      'license.revoked',
    ])
    there.answer(() => 200)
    passTime(5_000)
    await settle()
    expect(new Set(there.told('license.issued').map((heard) => heard.id)).size).toBe(1)
    expect(await deliveriesOf(id, '&status=WAITING')).toEqual([])
  })

  test('409 while its webhook is disabled', async () => {
    const { id } = await active({ events: ['license.issued'] })
    await licensed()
    await settle()
    const [issued] = await deliveriesOf(id, '&type=license.issued')
    await ok('PATCH', `${PATH}/${id}`, { active: false })
    expect((await call('POST', `${PATH}/deliveries/${issued.id}/redeliver`)).status).toBe(409)
  })
})

describe('a rotated secret', () => {
  test('is shown once; for a day messages verify with both, then with the new one alone', async () => {
    const { id, secret: old } = await active({ events: ['license.issued'] })
    const { webhook, secret: fresh } = await ok('POST', `${PATH}/${id}/rotate-secret`)
    expect(fresh).not.toBe(old)
    expect(Date.parse(webhook.oldSecretUntil)).toBeGreaterThan(Date.now() + aheadMs + DAY_MS - 60_000)
    const first = await licensed()
    await settle()
    for (const secret of [old, fresh]) verified(toldOf(first.licenseId)[0]!, secret)
    passTime(DAY_MS)
    const second = await licensed()
    await settle()
    verified(toldOf(second.licenseId)[0]!, fresh)
    expect(() => verified(toldOf(second.licenseId)[0]!, old)).toThrow('No matching signature')
    expect((await service.dump()).includes(fresh.slice(6))).toBe(false)
  })

  test('takes the old one’s place at once when it is asked to', async () => {
    const { id, secret: old } = await active({ events: ['license.issued'] })
    const { secret: fresh } = await ok('POST', `${PATH}/${id}/rotate-secret`, { overlapMinutes: 0 })
    const { licenseId } = await licensed()
    await settle()
    verified(toldOf(licenseId)[0]!, fresh)
    expect(() => verified(toldOf(licenseId)[0]!, old)).toThrow('No matching signature')
    expect((await call('POST', `${PATH}/${id}/rotate-secret`, { overlapMinutes: 1_441 })).status).toBe(400)
  })
})

test('v1a signatures verify with the key set that anybody can read, and each webhook has a key of its own', async () => {
  const { id, secret } = await active({ ed25519: true })
  const other = await active({ ed25519: true })
  const { keys } = (await service.call('GET', `/api/webhooks/${id}/keys`)).body
  expect(keys).toEqual([{ kty: 'OKP', crv: 'Ed25519', x: expect.any(String), kid: id, alg: 'EdDSA', use: 'sig' }])
  const [ping] = there.heard
  const [v1, v1a] = String(ping!.headers['webhook-signature']).split(' ')
  expect([v1!.split(',')[0], v1a!.split(',')[0]]).toEqual(['v1', 'v1a'])
  const content = Buffer.from(`${ping!.id}.${String(ping!.headers['webhook-timestamp'])}.${ping!.body}`)
  const signature = Buffer.from(v1a!.slice(4), 'base64')
  const verifies = (key: { x: string }) =>
    verify(null, content, createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key.x }, format: 'jwk' }), signature)
  expect(verifies(keys[0])).toBe(true)
  const { publicKey } = await ok('GET', `${PATH}/${id}`)
  expect(publicKey).toBe(`whpk_${Buffer.from(keys[0].x, 'base64url').toString('base64')}`)
  expect(verifies((await service.call('GET', `/api/webhooks/${other.id}/keys`)).body.keys[0])).toBe(false)
  verified(ping!, secret)
  await ok('PATCH', `${PATH}/${id}`, { ed25519: false })
  await service.licensing.projector.catchUp()
  expect((await service.call('GET', `/api/webhooks/${id}/keys`)).status).toBe(404)
})

test('deliveries are kept for 30 days, and those of a deleted webhook not at all', async () => {
  const [kept, deleted] = [await active(), await active()]
  await licensed()
  await settle()
  const rowsOf = async (id: string) =>
    (await service.superuser.query('SELECT id FROM telemetry.webhook_delivery WHERE webhook_id = $1', [id])).rowCount
  expect(await rowsOf(kept.id)).toBeGreaterThan(1)
  expect((await call('DELETE', `${PATH}/${deleted.id}`)).status).toBe(204)
  await settle()
  expect(await rowsOf(deleted.id)).toBe(0)
  expect((await call('GET', `${PATH}/${deleted.id}/deliveries`)).status).toBe(404)
  passTime(29 * DAY_MS)
  await settle()
  expect(await rowsOf(kept.id)).toBeGreaterThan(1)
  passTime(DAY_MS + HOUR_MS)
  await settle()
  expect(await rowsOf(kept.id)).toBe(0)
})

test('figures and readiness tell of deliveries that nobody makes, and of receivers that fail', async () => {
  await active({ events: ['license.issued'] })
  there.answer(() => 500)
  await licensed()
  await settle()
  const figures = async () => (await service.call('GET', '/metrics')).text
  expect(await figures()).toContain('webhook_deliveries{state="waiting"} 1')
  expect(await figures()).toContain('webhook_deliveries{state="overdue"} 0')
  expect(await figures()).toContain('webhooks{state="failing"} 1')
  expect(await figures()).toContain('webhooks{state="active"} 1')
  passTime(5_000 + 121_000)
  expect(await figures()).toContain('webhook_deliveries{state="overdue"} 1')
  const ready = await service.call('GET', '/api/health/ready')
  expect(ready.body).toMatchObject({ status: 'degraded', checks: { webhooks: 'degraded' } })
  expect(ready.body.notes.webhooks).toContain('deliveries overdue: 1')
  await settle()
  expect((await service.call('GET', '/api/health/ready')).body.checks.webhooks).toBe('ok')
})
