/**
 * What an `Idempotency-Key` repeats (A19): no secret, and no answer that a first call would be refused at
 * that moment.
 */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { parseTrustedProxies } from '#kernel/credentials/source-address'
import type { EventStore } from '#kernel/events/store-port'
import { staffAccounts } from '#licensing/staff/decider'
import { overrideStore } from '#test/support/override-store'
import { panel } from '../../support/licensing/client-panel.ts'
import { enableTotp, fromNewAddress, signIn, newStaff } from '../../support/licensing/people.ts'
import { claimsOf } from '../../support/licensing/raw-panel.ts'
import { startService } from '../../support/licensing/service.ts'
import type { Reply } from '../../support/licensing/service.ts'
import { shopFixture } from '../../support/licensing/shop-fixture.ts'
import { SHOP_URL, signedInShopper } from '../../support/licensing/shoppers.ts'

const MINUTE_MS = 60_000
const HOME = '198.51.100.7'
/** Where answers are stored, sealed. */
const KEPT = { subject: 'installation', type: 'IdempotentCall', field: 'answer' }

let broken: Error | undefined
/** Fails every append of a key read while `broken` is set. */
const fragile = (store: EventStore): EventStore =>
  overrideStore(store, {
    append: async (append) => {
      if (broken && append.parts.some(({ stream }) => stream.startsWith('licenseReads'))) throw broken
      return store.append(append)
    },
  })

const service = await startService({
  wrapStore: fragile,
  trustedProxies: parseTrustedProxies('127.0.0.1'),
  shopUrl: SHOP_URL,
})
const floor = await shopFixture(service)
const { slug } = await floor.plan({ maxActivations: 5 })

interface Asked {
  readonly as: string
  readonly body?: object
  readonly from?: string
}

/** Sends the same request each time that it is called. */
function keyed(path: string, { as, body, from }: Asked): (changed?: Partial<Asked>) => Promise<Reply> {
  const key = { 'idempotency-key': randomUUID() }
  const place = (address: string | undefined) =>
    address === undefined ? fromNewAddress() : { 'x-forwarded-for': address }
  return (changed = {}) => {
    const headers = { ...key, ...place(changed.from ?? from) }
    return service.call('POST', path, { as: changed.as ?? as, body, headers })
  }
}

let customers = 0
const order = (more: object = {}) => ({
  email: `repeated-${(customers += 1)}@customer.test`,
  planSlug: slug,
  reference: `order-${customers}`,
  ...more,
})

function expectNothing({ status, text, headers }: Reply, refused: number, first: Reply): void {
  expect(status, text).toBe(refused)
  expect(headers.has('idempotent-replayed')).toBe(false)
  for (const part of first.body.licenseKey.split('.').slice(1)) expect(text).not.toContain(part)
}

const readsOf = async (licenseId: string) =>
  (await floor.audit(licenseId)).filter(({ action }) => action === 'license.key_read')

describe('a provisioning', () => {
  const provisioning = async (more: object = {}, as?: string) => {
    const ask = keyed('/api/admin/provisioning', { as: as ?? (await service.staff()), body: order(more) })
    const first = await ask()
    expect(first.status, first.text).toBe(201)
    return { ask, first, licenseId: first.body.license.id as string, customerId: first.body.customer.id as string }
  }

  test('is repeated whole, and each repetition is recorded as a read of the key in the name of who asks', async () => {
    const { ask, first, licenseId } = await provisioning()
    expect(await readsOf(licenseId)).toEqual([])
    for (let times = 1; times <= 2; times += 1) {
      const again = await ask()
      expect(again).toMatchObject({ status: 201, body: first.body })
      expect(again.headers.get('idempotent-replayed')).toBe('true')
      expect(again.headers.get('cache-control')).toBe('no-store')
      const reads = await readsOf(licenseId)
      expect(reads).toHaveLength(times)
      expect(reads[0]!.actor).toMatchObject({ type: 'STAFF', id: (await service.somebody('SUPERADMIN')).id })
    }
  })

  test('shows the key of now: extended since, and of the license that took the place of the first', async () => {
    const { ask, first, licenseId } = await provisioning()
    await floor.post(`/api/admin/licenses/${licenseId}/extend`, { days: 400 })
    expect(claimsOf((await ask()).body.licenseKey)).toMatchObject({ sub: licenseId, seq: 2 })
    const { id: subscriptionId } = first.body.subscription
    const { license, licenseKey } = (await floor.post('/api/admin/licenses', { subscriptionId })).body
    const again = await ask()
    expect(again.body).toMatchObject({ created: true, license: { id: license.id, keyId: license.keyId }, licenseKey })
    expect(again.body.installCommand).toContain(licenseKey)
    expect(await readsOf(license.id)).toHaveLength(1)
  })

  test.each(['the store is away', 'the cause is unknown'])(
    'fails closed while the read cannot be recorded: %s',
    async (why) => {
      const { ask, first, licenseId } = await provisioning()
      broken = why === 'the cause is unknown' ? new TypeError(why) : Object.assign(new Error(why), { code: '08006' })
      try {
        expectNothing(await ask(), 503, first)
      } finally {
        broken = undefined
      }
      expect((await ask()).status).toBe(201)
      expect(await readsOf(licenseId)).toHaveLength(1)
    },
  )

  const UNUSABLE: Readonly<Record<string, (of: Awaited<ReturnType<typeof provisioning>>) => Promise<Reply>>> = {
    'the license is revoked': ({ licenseId }) => floor.post(`/api/admin/licenses/${licenseId}/revoke`, { reason: 'x' }),
    'the license is suspended': ({ licenseId }) =>
      floor.post(`/api/admin/licenses/${licenseId}/suspend`, { reason: 'x' }),
    'the subscription is cancelled': ({ first }) =>
      floor.post(`/api/admin/subscriptions/${first.body.subscription.id}/cancel`, { mode: 'now' }),
    'the customer is suspended': async ({ customerId }) =>
      service.call('PATCH', `/api/admin/customers/${customerId}/status`, {
        as: await service.staff(),
        body: { status: 'SUSPENDED' },
      }),
  }

  test.each(Object.keys(UNUSABLE))('is refused as a repetition by its reference is, when %s', async (what) => {
    const sold = await provisioning()
    expect((await UNUSABLE[what]!(sold)).status).toBeLessThan(300)
    const again = await sold.ask()
    expectNothing(again, 400, sold.first)
    expect(again.body.message).toMatch(/^Reference order-\d+ has no active license$/)
    expect(await readsOf(sold.licenseId)).toEqual([])
  })

  test('without a reference is refused alike', async () => {
    const { ask, first, licenseId } = await provisioning({ reference: undefined })
    expect((await ask()).body).toEqual(first.body)
    await floor.post(`/api/admin/licenses/${licenseId}/revoke`, { reason: 'x' })
    const again = await ask()
    expectNothing(again, 400, first)
    expect(again.body.message).toBe(`Subscription ${first.body.subscription.id} has no active license`)
  })

  test('of a customer who was erased is gone', async () => {
    const { ask, first, customerId } = await provisioning()
    const { email } = first.body.customer
    expect((await floor.post(`/api/admin/customers/${customerId}/erase`, { confirmEmail: email })).status).toBe(202)
    expectNothing(await ask(), 409, first)
  })

  test('is refused at the gate: token revoked, address not allowed, permission lost', async () => {
    const minted = { name: 'provisioner', permissions: ['licenses:manage'], allowedIps: [HOME] }
    const { token, secret } = (await floor.post('/api/admin/machine-tokens', minted)).body
    const ask = keyed('/api/admin/provisioning', { as: secret, body: order(), from: HOME })
    const first = await ask()
    expect((await ask()).status).toBe(201)
    expectNothing(await ask({ from: '198.51.100.8' }), 401, first)
    await floor.post(`/api/admin/machine-tokens/${token.id}/revoke`)
    expectNothing(await ask(), 401, first)

    const person = await newStaff(service, ['SUPPORT'])
    const support = await provisioning({}, (await signIn(service, person)).accessToken)
    await service.run((unit) => unit.decide(staffAccounts, person.id, 'ChangeStaff', { roles: ['AUDITOR'] }))
    await service.licensing.projector.catchUp()
    const { accessToken: as } = await signIn(service, person)
    expectNothing(await support.ask({ as }), 403, support.first)
  })

  test('no license key is kept', async () => {
    const { first, licenseId } = await provisioning()
    const last = 'SELECT answer FROM telemetry.idempotent_call ORDER BY at DESC LIMIT 1'
    const { answer } = (await service.superuser.query(last)).rows[0]
    const kept = await service.licensing.vault.open(answer, KEPT)
    expect(kept).toContain(licenseId)
    expect(kept).not.toContain(first.body.licenseKey.split('.')[2])
  })
})

describe('a lease file', () => {
  test('is made anew and recorded each time, in one slot, and refused once the license does not count', async () => {
    const { license, licenseKey } = (await floor.provision(order())).body
    const { client } = await panel(service)
    const request = await client.offlineRequest(licenseKey)
    const path = `/api/admin/licenses/${license.id}/offline-lease`
    const ask = keyed(path, { as: await service.staff(), body: { request, days: 90 } })
    const first = await ask()
    const again = await ask()
    expect([first.status, again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 200, 'true'])
    expect(again.body.licenseKey).toBe(licenseKey)
    expect(await client.importFile(again.text)).toMatchObject({ state: 'ACTIVE', source: 'FILE' })
    const leased = (await floor.audit(license.id)).filter(({ action }) => action === 'license.leased_offline')
    expect(leased).toHaveLength(2)
    expect((await floor.get(`/api/admin/instances?licenseId=${license.id}`)).body.total).toBe(1)
    await floor.post(`/api/admin/licenses/${license.id}/suspend`, { reason: 'x' })
    const refused = await ask()
    expectNothing(refused, 409, first)
    expect(refused.body).not.toHaveProperty('lease')
    await client.stop()
  })

  test('of the shop needs a fresh proof each time', async () => {
    const { as, email } = await signedInShopper(service)
    const { license, licenseKey } = (await floor.provision(order({ email }))).body
    const { client } = await panel(service)
    const body = { request: await client.offlineRequest(licenseKey), days: 31 }
    const ask = keyed(`/api/shop/licenses/${license.id}/offline-activation`, { as, body })
    const first = await ask()
    expect([first.status, (await ask()).status], first.text).toEqual([200, 200])
    service.passTime(6 * MINUTE_MS)
    const refused = await ask()
    expectNothing(refused, 403, first)
    expect(refused.headers.get('error-code')).toBe('STEP_UP_REQUIRED')
    await client.stop()
  })
})

describe('what else a guard asks is asked again', () => {
  test('a rotation in the shop, and an export, without a fresh proof', async () => {
    const { as, email, id } = await signedInShopper(service)
    const { license } = (await floor.provision(order({ email }))).body
    const rotate = keyed(`/api/shop/licenses/${license.id}/rotate`, { as, body: { mode: 'leaked' } })
    const take = keyed('/api/shop/account/export', { as })
    const [rotated, taken] = [await rotate(), await take()]
    expect([rotated.status, taken.status]).toEqual([200, 200])
    expect((await rotate()).body).toEqual({ license: rotated.body.license })
    expect((await take()).body.customer).toEqual(taken.body.customer)
    expect((await floor.audit(id)).filter(({ action }) => action === 'customer.exported')).toHaveLength(2)
    service.passTime(6 * MINUTE_MS)
    expect([(await rotate()).status, (await take()).status]).toEqual([403, 403])
  })

  test('a token that was minted, without a step-up', async () => {
    const person = await newStaff(service)
    const { accessToken: as } = await signIn(service, person)
    const ask = keyed('/api/admin/machine-tokens', { as, body: { name: 'x', permissions: ['plans:view'] } })
    const first = await ask()
    expect((await ask()).body).toEqual({ token: first.body.token })
    await enableTotp(service, person)
    const refused = await ask()
    expect([refused.status, refused.headers.get('error-code')]).toEqual([403, 'STEP_UP_REQUIRED'])
  })

  test('a bulk action, without the permission that it needs', async () => {
    const person = await newStaff(service, ['SUPPORT'])
    const body = { action: 'licenses.suspend', filter: { status: 'GRACE' }, reason: 'x', dryRun: true }
    const ask = keyed('/api/admin/bulk', { as: (await signIn(service, person)).accessToken, body })
    expect((await ask()).status).toBe(200)
    await service.run((unit) => unit.decide(staffAccounts, person.id, 'ChangeStaff', { roles: ['AUDITOR'] }))
    await service.licensing.projector.catchUp()
    const refused = await ask({ as: (await signIn(service, person)).accessToken })
    expect([refused.status, refused.body.message]).toEqual([403, 'Missing permission licenses:manage'])
  })
})
