/** Suspending, resuming, extending and reissuing licenses over HTTP, and the mails and events about it. */
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { inDays } from '../../support/licensing/examples.ts'
import { startService } from '../../support/licensing/service.ts'
import { shopFixture } from '../../support/licensing/shop-fixture.ts'

const service = await startService()
const { admin, plan, provision, get, post, audit } = await shopFixture(service)
const team = await plan({ maxActivations: 3, graceDays: 14 })
const UNKNOWN = '01890000-0000-7000-8000-00000000ffff'

let number = 0
async function provisioned(more: object = {}) {
  const { status, body, text } = await provision({
    email: `license-command-${(number += 1)}@example.test`,
    planSlug: team.slug,
    ...more,
  })
  expect(status, text).toBe(201)
  return body
}
const ask = (id: string, verb: string, body?: unknown) => post(`/api/admin/licenses/${id}/${verb}`, body)
const read = async (id: string) => (await get(`/api/admin/licenses/${id}`)).body
const keyOf = async (id: string): Promise<string> => (await get(`/api/admin/licenses/${id}/key`)).body.licenseKey
const refusal = ({ status, body }: { status: number; body: any }) => [status, body.message]

describe('suspending', () => {
  it('holds on the very next request, and resuming brings the license back as it was', async () => {
    const { license, licenseKey } = await provisioned()
    const before = await read(license.id)
    const { status, body } = await ask(license.id, 'suspend', { reason: 'looks shared' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'SUSPENDED',
      effectiveStatus: 'SUSPENDED',
      reason: 'looks shared',
      suspendedAt: expect.any(String),
    })
    expect(await read(license.id)).toEqual(body)
    expect(refusal(await ask(license.id, 'suspend', { reason: 'again' }))).toEqual([409, 'The license is not active'])
    const resumed = await ask(license.id, 'resume')
    expect(resumed.body).toEqual({ license: before })
    expect(await read(license.id)).toEqual(before)
    expect(await keyOf(license.id)).toBe(licenseKey)
    expect(refusal(await ask(license.id, 'resume'))).toEqual([409, 'The license is not suspended'])
  })

  it('makes a replay find no active license', async () => {
    const asked = { email: 'suspended-replay@example.test', planSlug: team.slug, reference: 'suspended one' }
    const { license } = await provisioned(asked)
    await ask(license.id, 'suspend', { reason: 'looks shared' })
    expect(refusal(await provision(asked))).toEqual([400, 'Reference suspended one has no active license'])
    await ask(license.id, 'resume')
    expect((await provision(asked)).status).toBe(200)
  })
})

describe('a key', () => {
  it.each([
    ['reissue', { mode: 'routine' }],
    ['extend', { days: 30 }],
  ])('is not shown again without a record to who asks to %s again with one Idempotency-Key', async (verb, body) => {
    const { license } = await provisioned()
    const path = `/api/admin/licenses/${license.id}/${verb}`
    const once = async () =>
      service.call('POST', path, { as: admin, body, headers: { 'idempotency-key': `${verb}-once` } })
    const first = await once()
    const again = await once()
    expect(first.body.licenseKey).toEqual(expect.any(String))
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.body).toEqual({ license: first.body.license })
  })
})

describe('extending', () => {
  it('moves the end and the grace under the same key id, with a new key', async () => {
    const { license, licenseKey } = await provisioned()
    const expiresAt = inDays(900, new Date())
    const { status, body, headers } = await ask(license.id, 'extend', { expiresAt })
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body.license).toMatchObject({
      keyId: license.keyId,
      seq: 2,
      expiresAt,
      graceEndsAt: inDays(14, new Date(expiresAt)),
    })
    expect(body.license).toEqual(await read(license.id))
    expect(body.licenseKey).toBe(await keyOf(license.id))
    expect(body.licenseKey).not.toBe(licenseKey)
    const claims = decodeJwt(body.licenseKey)
    expect(claims).toMatchObject({ jti: license.keyId, seq: 2, k: decodeJwt(licenseKey)['k'] })
    expect(claims.exp).toBe(Math.floor(Date.parse(expiresAt) / 1000))
  })

  it('counts days from the end', async () => {
    const { license } = await provisioned()
    const { body } = await ask(license.id, 'extend', { days: 30 })
    expect(body.license.expiresAt).toBe(inDays(30, new Date(license.expiresAt)))
  })

  it('is refused backwards, into the past, too far, both ways at once or not at all', async () => {
    const { license } = await provisioned()
    const message = async (body: object) => refusal(await ask(license.id, 'extend', body))
    expect(await message({ expiresAt: inDays(3, new Date()) })).toEqual([
      400,
      'expiresAt must be later than the present end of the license',
    ])
    expect(await message({ expiresAt: '2020-01-01T00:00:00Z' })).toEqual([400, 'expiresAt must be in the future'])
    expect(await message({ days: 3_650 })).toEqual([400, 'expiresAt must be at most 10 years ahead'])
    for (const wrong of [
      {},
      { days: 3, expiresAt: inDays(900, new Date()) },
      { days: 0 },
      { days: 1.5 },
      { days: 3_651 },
    ])
      expect((await message(wrong))[0], JSON.stringify(wrong)).toBe(400)
  })
})

describe('reissuing', () => {
  it.each(['leaked', 'routine'])('for a key that is %s gives another key id and secret', async (mode) => {
    const { license, licenseKey } = await provisioned()
    const { status, body, headers } = await ask(license.id, 'reissue', { mode })
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body.license).toEqual(await read(license.id))
    expect(body.license).toMatchObject({ id: license.id, seq: 2, status: 'ACTIVE', expiresAt: license.expiresAt })
    expect(body.license.keyId).not.toBe(license.keyId)
    expect(body.licenseKey).toBe(await keyOf(license.id))
    const [old, fresh] = [decodeJwt(licenseKey), decodeJwt(body.licenseKey)]
    expect(fresh.jti).toBe(body.license.keyId)
    expect(fresh['k']).not.toBe(old['k'])
    expect(Buffer.from(String(fresh['k']), 'base64url')).toHaveLength(32)
    expect(fresh).toEqual({ ...old, jti: fresh.jti, k: fresh['k'], seq: 2, iat: fresh.iat })
    expect(await service.dump()).not.toContain(fresh['k'])
  })

  it('is refused in another mode', async () => {
    const { license } = await provisioned()
    for (const wrong of [{}, { mode: 'stolen' }, { mode: 'leaked', keyId: 'lic_mine' }])
      expect((await ask(license.id, 'reissue', wrong)).status).toBe(400)
  })
})

it('nothing of this is done to a license that is revoked or unknown', async () => {
  const { license } = await provisioned()
  await ask(license.id, 'revoke', { reason: 'over' })
  const asks = [
    ['suspend', { reason: 'any' }],
    ['resume', undefined],
    ['extend', { days: 3 }],
    ['reissue', { mode: 'leaked' }],
    ['revoke', { reason: 'any' }],
  ] as const
  for (const [verb, body] of asks) {
    expect((await ask(license.id, verb, body)).status, verb).toBe(409)
    expect((await ask(UNKNOWN, verb, body)).status, verb).toBe(404)
    expect((await ask('not-an-id', verb, body)).status, verb).toBe(404)
  }
})

it('a license of a subscription that is cancelled at the end of its period is not extended past it', async () => {
  const { license, subscription } = await provisioned()
  await post(`/api/admin/subscriptions/${subscription.id}/cancel`, { mode: 'period_end' })
  expect(refusal(await ask(license.id, 'extend', { days: 900 }))).toEqual([
    409,
    'The subscription is about to be cancelled',
  ])
})

it('the answers of a paused subscription’s license say what it is worth', async () => {
  const { license, subscription } = await provisioned()
  await post(`/api/admin/subscriptions/${subscription.id}/pause`)
  const { body } = await ask(license.id, 'reissue', { mode: 'routine' })
  expect(body.license).toMatchObject({ status: 'ACTIVE', effectiveStatus: 'SUSPENDED' })
  expect(body.license).toEqual(await read(license.id))
})

describe('a suspended customer', () => {
  const statusOf = (id: string, status: string) =>
    service.call('PATCH', `/api/admin/customers/${id}/status`, { as: admin, body: { status } })

  it('is sold and given nothing; what he has is worth nothing until he is active again', async () => {
    const asked = { email: 'suspended-customer@example.test', planSlug: team.slug, reference: 'of the suspended' }
    const { customer, subscription, license } = await provisioned(asked)
    expect((await statusOf(customer.id, 'SUSPENDED')).status).toBe(200)
    const refused = [409, 'The customer is suspended']
    expect(refusal(await provision({ ...asked, reference: 'another' }))).toEqual(refused)
    expect(refusal(await provision(asked))).toEqual([400, 'Reference of the suspended has no active license'])
    const sale = { customerId: customer.id, planSlug: team.slug }
    expect(refusal(await post('/api/admin/subscriptions', sale))).toEqual(refused)
    expect(refusal(await post('/api/admin/licenses', { subscriptionId: subscription.id }))).toEqual(refused)
    const path = `/api/admin/subscriptions/${subscription.id}`
    expect(refusal(await service.call('PATCH', path, { as: admin, body: { seats: 2 } }))).toEqual(refused)
    expect(refusal(await post(`${path}/change-preview`, { seats: 2 }))).toEqual(refused)
    const { body } = await ask(license.id, 'extend', { days: 3 })
    expect(body.license).toMatchObject({ status: 'ACTIVE', effectiveStatus: 'SUSPENDED' })
    expect(body.license).toEqual(await read(license.id))
    expect((await statusOf(customer.id, 'ACTIVE')).status).toBe(200)
    expect((await read(license.id)).effectiveStatus).toBe('ACTIVE')
    expect((await provision(asked)).status).toBe(200)
  })
})

describe('the history of a license', () => {
  it('tells what happened to it, newest first, and to no other', async () => {
    const { license, subscription } = await provisioned()
    await ask(license.id, 'suspend', { reason: 'looks shared' })
    await ask(license.id, 'resume')
    await ask(license.id, 'extend', { days: 3 })
    await ask(license.id, 'reissue', { mode: 'routine' })
    await keyOf(license.id)
    const { body } = await post('/api/admin/licenses', { subscriptionId: subscription.id })
    await service.licensing.projector.catchUp()
    const { status, body: history } = await get(`/api/admin/licenses/${license.id}/history`)
    expect(status).toBe(200)
    expect(history.items.map(({ action }: { action: string }) => action)).toEqual([
      'license.revoked',
      'license.key_read',
      'license.reissued',
      'license.extended',
      'license.resumed',
      'license.suspended',
      'license.issued',
    ])
    expect(history.total).toBe(7)
    expect(history.items[5]).toMatchObject({
      actor: { type: 'STAFF', id: expect.any(String) },
      sentence: `suspended license ${license.id} (looks shared)`,
      meta: { reason: 'looks shared' },
    })
    expect(JSON.stringify(history)).not.toContain(decodeJwt(body.licenseKey)['k'])
    const { body: first } = await get(`/api/admin/licenses/${license.id}/history?limit=2`)
    const { body: second } = await get(`/api/admin/licenses/${license.id}/history?limit=50&cursor=${first.nextCursor}`)
    expect([...first.items, ...second.items]).toEqual(history.items)
    expect((await audit(license.id)).length).toBeGreaterThan(7)
  })

  it('is nobody’s for an unknown one', async () => {
    expect((await get(`/api/admin/licenses/${UNKNOWN}/history`)).status).toBe(404)
  })
})
