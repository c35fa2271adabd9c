/** What customers do with their objects: keys, machines, invoices, purchases, downloads. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { parseTrustedProxies } from '#kernel/credentials/source-address'
import { licenseSlots } from '#licensing/instances/decider'
import { versions } from '#licensing/versions/decider'
import { fingerprintHash } from '#licensing/workflows/leases/lease-signer'
import { panel } from '#test/support/licensing/client-panel'
import { fromNewAddress } from '#test/support/licensing/people'
import { startService } from '#test/support/licensing/service'
import { shopFixture } from '#test/support/licensing/shop-fixture'
import { mailedToken, SHOP_URL, signedInShopper, newShopper, shopSignIn } from '#test/support/licensing/shoppers'

const service = await startService({ trustedProxies: parseTrustedProxies('127.0.0.1'), shopUrl: SHOP_URL })
const floor = await shopFixture(service)

const post = (path: string, body: unknown, as?: string) =>
  service.call('POST', `/api/shop/${path}`, { as, body, headers: fromNewAddress() })
const get = (path: string, as: string) => service.call('GET', `/api/shop/${path}`, { as })

async function owner(terms: object = {}) {
  const shopper = await signedInShopper(service)
  const { slug } = await floor.plan({ maxActivations: 5, ...terms })
  const { subscription, license, licenseKey } = (await floor.provision({ email: shopper.email, planSlug: slug })).body
  return { ...shopper, slug, subscriptionId: subscription.id, licenseId: license.id, licenseKey }
}

async function machineOf({ id: customerId, subscriptionId, licenseId }: Awaited<ReturnType<typeof owner>>) {
  const instanceId = randomUUID()
  const fingerprint = { install: `install ${instanceId}`, machine: `machine ${instanceId}` }
  const about = { name: 'panel', hostname: 'p.customer.test', version: '1.0.0', os: 'linux', arch: 'x64', ip: null }
  await service.run((unit) =>
    unit.decide(licenseSlots, subscriptionId, 'ActivateInstance', {
      ...about,
      customerId,
      subscriptionId,
      licenseId,
      instanceId,
      fingerprint,
      fingerprintHash: fingerprintHash(fingerprint),
      keyThumbprint: `thumbprint ${instanceId}`,
      publicKey: `key ${instanceId}`,
      maxActivations: 5,
      reclaimable: [],
      silent: [],
    }),
  )
  await service.licensing.projector.catchUp()
  return instanceId
}

test('a period that was not paid in the shop gives a customer no credit', async () => {
  const mine = await owner({ priceYearly: 24_000, maxSeats: 100 })
  const { id, as } = mine
  const sold = { email: mine.email, planSlug: mine.slug, seats: 50, billingCycle: 'YEARLY', reference: randomUUID() }
  const { subscription } = (await floor.provision(sold)).body
  const path = `/api/shop/subscriptions/${subscription.id}`
  const fewer = { seats: 1 }
  const refused = { statusCode: 409, message: expect.stringMatching(/^This period was not paid in the shop/) }
  expect((await post(`subscriptions/${subscription.id}/change-preview`, fewer, as)).body).toEqual(refused)
  expect((await service.call('PATCH', path, { as, body: fewer })).body).toEqual(refused)
  const credits = (await floor.get(`/api/admin/customers/${id}/credits`)).body
  expect(JSON.stringify(credits)).not.toContain('CREDIT')
  const later = await service.call('PATCH', path, { as, body: { ...fewer, effective: 'period_end' } })
  expect(later, later.text).toMatchObject({ status: 200, body: { seats: 50 } })
})

test('a key is rotated: another key of the same license, at most five times a day', async () => {
  const mine = await owner()
  const rotate = () => post(`licenses/${mine.licenseId}/rotate`, { mode: 'leaked' }, mine.as)
  const rotated = await rotate()
  expect(rotated).toMatchObject({ status: 200, body: { license: { id: mine.licenseId, seq: 2 } } })
  expect(rotated.body.licenseKey).not.toBe(mine.licenseKey)
  expect(rotated.body.license).not.toHaveProperty('reason')
  expect((await get(`licenses/${mine.licenseId}/key`, mine.as)).body.licenseKey).toBe(rotated.body.licenseKey)
  for (let n = 0; n < 4; n += 1) expect((await rotate()).status).toBe(200)
  expect((await rotate()).status).toBe(429)
})

test('a machine without a network is activated by a file, for at most 31 days', async () => {
  const mine = await owner()
  const { client, network } = await panel(service)
  network.isUp = false
  const request = await client.offlineRequest(mine.licenseKey)
  const ask = (days: number, text = request) =>
    post(`licenses/${mine.licenseId}/offline-activation`, { request: text, days }, mine.as)
  expect((await ask(32)).status).toBe(400)
  expect((await ask(31, 'no request')).status).toBe(400)
  const file = await ask(31)
  expect([file.status, file.headers.get('cache-control')], file.text).toEqual([200, 'no-store'])
  expect(await client.importFile(file.text)).toMatchObject({ state: 'ACTIVE', source: 'FILE' })
  expect((await get('instances', mine.as)).body.total).toBe(1)
  await client.stop()
})

test('the back office has a link mailed and never sees it; a suspended customer gets none', async () => {
  const { id, email } = await newShopper(service)
  const path = `/api/admin/customers/${id}/reset-password`
  const asked = await floor.post(path)
  expect(asked).toMatchObject({ status: 202, text: '' })
  const token = await mailedToken(service, email)
  const body = { token, password: 'another quite long passphrase' }
  expect((await post('auth/reset-password', body)).status).toBe(204)
  const suspend = { as: floor.admin, body: { status: 'SUSPENDED' } }
  await service.call('PATCH', `/api/admin/customers/${id}/status`, suspend)
  expect((await floor.post(path)).status).toBe(409)
  expect((await floor.post(`/api/admin/customers/${randomUUID()}/reset-password`)).status).toBe(404)
})

test('machines are listed and their slots freed, three a day; a freed one costs nothing more', async () => {
  const mine = await owner()
  const machines = [await machineOf(mine), await machineOf(mine), await machineOf(mine), await machineOf(mine)]
  const listed = (await get('instances?pageSize=100', mine.as)).body.items
  expect(listed.map(({ id }: { id: string }) => id).toSorted()).toEqual(machines.toSorted())
  expect(listed[0]).toMatchObject({ hostname: 'p.customer.test', status: 'ACTIVE' })
  const free = (id: string) => post(`instances/${id}/deactivate`, undefined, mine.as)
  for (const id of [machines[0]!, machines[0]!, machines[1]!, machines[2]!])
    expect((await free(id)).body).toMatchObject({ id, status: 'DEACTIVATED' })
  expect((await free(machines[3]!)).status).toBe(429)
  expect((await get(`licenses/${mine.licenseId}`, mine.as)).body.activeInstances).toBe(1)
})

test('payments and invoices are shown, the invoice as a PDF', async () => {
  const mine = await owner({ priceYearly: 1_000 })
  const path = `/api/admin/subscriptions/${mine.subscriptionId}/payments`
  await floor.post(path, { amount: 1_000, currency: 'EUR', method: 'BANK_TRANSFER' })
  const [payment] = (await get(`subscriptions/${mine.subscriptionId}/payments`, mine.as)).body.items
  expect(payment).toMatchObject({ amount: 1_000, status: 'PAID', refunds: [] })
  expect(payment).not.toHaveProperty('providerRef')
  const [invoice] = (await get('invoices', mine.as)).body.items
  expect(invoice).toMatchObject({ number: payment.invoiceNumber, total: 1_000 })
  const pdf = await get(`invoices/${invoice.id}/pdf`, mine.as)
  expect(pdf.headers.get('content-type')).toBe('application/pdf')
  expect(pdf.headers.get('content-disposition')).toBe(`attachment; filename="invoice-${invoice.number}.pdf"`)
  expect(pdf.text).toMatch(/^%PDF-/)
})

test('without a payment provider nothing is bought, and the answer says what to do', async () => {
  const mine = await owner()
  const refused = await post('checkout', { planSlug: mine.slug }, mine.as)
  expect(refused.status).toBe(409)
  expect(refused.headers.get('error-code')).toBe('NO_PROVIDER')
  expect((await get('subscriptions', mine.as)).body.total).toBe(1)
})

test('downloads are those of the plans that are held, with links', async () => {
  const mine = await owner()
  const other = await floor.plan({ priceMonthly: 99_999, priceYearly: 999_999 })
  async function release(version: string, minPlan: string | null): Promise<string> {
    const versionId = randomUUID()
    const name = `panel-${version}.tgz`
    const file = { artifactId: randomUUID(), name, size: 1, sha256: 'a'.repeat(64), kid: 'k', signature: 's' }
    await service.run(async (unit) => {
      await unit.decide(versions, versionId, 'CreateVersion', {
        versionId,
        version,
        channel: 'stable',
        notes: '',
        minPlan,
      })
      await unit.decide(versions, versionId, 'AddArtifact', file)
      await unit.decide(versions, versionId, 'PublishVersion', {})
    })
    return versionId
  }
  const [forAll, forOthers] = [await release('1.0.0', null), await release('2.0.0', other.slug)]
  await service.licensing.projector.catchUp()
  const { items } = (await get('downloads', mine.as)).body
  const ids = items.map(({ id }: { id: string }) => id)
  expect(ids).toContain(forAll)
  expect(ids).not.toContain(forOthers)
  expect(items[0].artifacts[0].url).toMatch(
    /^http:\/\/licensing\.test\/api\/versions\/artifacts\/[\w-]+\?until=\d+&signature=/,
  )
  await floor.post(`/api/admin/licenses/${mine.licenseId}/revoke`, { reason: 'over' })
  expect((await get('downloads', mine.as)).body.items).toEqual([])
})

describe('whoever is suspended', () => {
  test('is out at once, cannot come in, gets no link, and is told no more than others', async () => {
    const shopper = await newShopper(service)
    const { accessToken, reply } = await shopSignIn(service, shopper)
    expect(reply.status).toBe(200)
    const path = `/api/admin/customers/${shopper.id}/status`
    const suspend = { as: floor.admin, body: { status: 'SUSPENDED', reason: 'unpaid bills' } }
    expect((await service.call('PATCH', path, suspend)).status).toBe(200)
    expect((await get('me', accessToken)).body).toEqual({ statusCode: 401, message: 'Invalid or expired session' })
    expect((await shopSignIn(service, shopper)).reply.body).toEqual({ statusCode: 401, message: 'Invalid credentials' })
    const before = await service.licensing.store.head()
    expect((await post('auth/forgot-password', { email: shopper.email })).status).toBe(202)
    expect((await post('auth/register', { email: shopper.email })).status).toBe(202)
    expect(await service.licensing.store.head()).toBe(before)
    const activate = { as: floor.admin, body: { status: 'ACTIVE' } }
    expect((await service.call('PATCH', path, activate)).status).toBe(200)
    expect((await get('me', accessToken)).status, 'what was ended stays ended').toBe(401)
    expect((await shopSignIn(service, shopper)).reply.status).toBe(200)
  })
})

test('registering can be closed, for known and unknown addresses alike', async () => {
  const close = { as: floor.admin, body: { value: false } }
  expect((await service.call('PATCH', '/api/admin/settings/shopRegistration', close)).status).toBe(200)
  const { email } = await newShopper(service)
  for (const each of [email, 'stranger@customer.test']) {
    const refused = await post('auth/register', { email: each })
    expect(refused.status).toBe(403)
    expect(refused.headers.get('error-code')).toBe('REGISTRATION_CLOSED')
  }
})
