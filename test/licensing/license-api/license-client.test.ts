/** Panels against a real service: each side trusts what the other signs, and no other signature. */
import { beforeAll, describe, expect, it } from 'vitest'
import { secretOf } from '../../../src/license-client/license-api.ts'
import { panel } from '../../support/licensing/client-panel.ts'
import { startService } from '../../support/licensing/service.ts'

const service = await startService()
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const ask = async (method: string, path: string, body?: object) => {
  const reply = await service.call(method, path, { as: await service.staff(), ...(body ? { body } : {}) })
  expect(reply.status, `${method} ${path} ${reply.text}`).toBeLessThan(300)
  return reply.body
}

let orders = 0
async function sold(more: object = {}) {
  orders += 1
  const order = { email: `customer-${orders}@customer.test`, planSlug: 'pro', reference: `order-${orders}`, ...more }
  const { licenseKey, subscription } = await ask('POST', '/api/admin/provisioning', order)
  const { keyId } = secretOf(licenseKey)
  const { items } = await ask('GET', `/api/admin/licenses?keyId=${keyId}`)
  return { licenseKey: licenseKey as string, keyId, id: items[0].id as string, subscription }
}

beforeAll(async () => {
  const features = [{ key: 'sso', value: true }]
  await ask('POST', '/api/admin/plans', { slug: 'pro', name: 'Pro', maxActivations: 2, features })
  await ask('POST', '/api/admin/plans', { slug: 'max', name: 'Max', free: true, maxActivations: 5, features })
})

describe('a panel', () => {
  it('is activated, and then asks from time to time', async () => {
    const { licenseKey, keyId } = await sold()
    const { client, memory, states } = await panel(service)
    await client.start()
    expect(await client.activate(licenseKey)).toMatchObject({
      state: 'ACTIVE',
      license: { jti: keyId },
      lease: { st: 'OK' },
    })
    const [first, second] = [await client.revalidate(), await client.revalidate()]
    expect([first.source, second.source]).toEqual(['ONLINE', 'ONLINE'])
    expect(memory()).toMatchObject({ failures: 0, manifestSerial: 1 })
    expect(states()).toEqual(['FREE', 'ACTIVE'])
    await client.stop()
  })

  it('is known again after a restart, and is nobody else', async () => {
    const { licenseKey } = await sold()
    const before = await panel(service)
    await before.client.activate(licenseKey)
    await before.client.stop()
    const after = await panel(service, { memory: before.memory() })
    expect((await after.client.start()).state).toBe('ACTIVE')
    expect((await after.client.revalidate()).source).toBe('ONLINE')
    expect(after.memory().instanceId).toBe(before.memory().instanceId)
    await after.client.stop()
  })

  it('is told in words why it cannot be activated', async () => {
    const { licenseKey } = await sold()
    const panels = await Promise.all(
      ['one', 'two', 'three'].map((name) => panel(service, { name, host: { machine: name } })),
    )
    for (const { client } of panels.slice(0, 2)) await client.activate(licenseKey)
    await expect(panels[2]!.client.activate(licenseKey)).rejects.toThrow(
      'License has no free activation slot (2 of 2 in use)',
    )
    expect(panels[2]!.client.status().state).toBe('FREE')
    await panels[0]!.client.remove()
    expect((await panels[2]!.client.activate(licenseKey)).state).toBe('ACTIVE')
    await Promise.all(panels.map(({ client }) => client.stop()))
  })

  it('goes on without a network, through its grace, and comes back', async () => {
    const { licenseKey } = await sold()
    const { client, network } = await panel(service)
    await client.activate(licenseKey)
    network.isUp = false
    expect(await client.revalidate()).toMatchObject({ source: 'CACHE', standing: { state: 'OFFLINE' } })
    service.passTime(15 * DAY_MS)
    expect(client.status()).toMatchObject({ state: 'GRACE', reason: 'LEASE_EXPIRED' })
    service.passTime(14 * DAY_MS)
    expect(client.status().state).toBe('DEGRADED')
    network.isUp = true
    expect((await client.revalidate()).standing.state).toBe('ACTIVE')
    await client.stop()
  })
})

describe('what staff do to a license', () => {
  it('suspended and resumed, reaches the panel', async () => {
    const { licenseKey, id } = await sold()
    const { client } = await panel(service)
    await client.activate(licenseKey)
    await ask('POST', `/api/admin/licenses/${id}/suspend`, { reason: 'unpaid' })
    expect((await client.revalidate()).standing).toMatchObject({ state: 'DEGRADED', reason: 'SUSPENDED' })
    await ask('POST', `/api/admin/licenses/${id}/resume`)
    expect((await client.revalidate()).standing.state).toBe('ACTIVE')
    await client.stop()
  })

  it('extended, brings a later license key', async () => {
    const { licenseKey, id } = await sold()
    const { client, memory } = await panel(service)
    await client.activate(licenseKey)
    await ask('POST', `/api/admin/licenses/${id}/extend`, { days: 30 })
    const { standing } = await client.revalidate()
    expect(standing.license).toMatchObject({ seq: 2 })
    expect(memory().licenseKey).not.toBe(licenseKey)
    await client.stop()
  })

  it('reissued in good order, is followed', async () => {
    const { licenseKey, id, keyId } = await sold()
    const { client } = await panel(service)
    await client.activate(licenseKey)
    await ask('POST', `/api/admin/licenses/${id}/reissue`, { mode: 'routine' })
    const { standing, source } = await client.revalidate()
    expect([source, standing.state]).toEqual(['ONLINE', 'ACTIVE'])
    expect(standing.license!.jti).not.toBe(keyId)
    await client.stop()
  })

  it('another plan, is followed to another license', async () => {
    const { licenseKey, id } = await sold()
    const { client } = await panel(service)
    await client.activate(licenseKey)
    const { subscriptionId } = await ask('GET', `/api/admin/licenses/${id}`)
    await ask('PATCH', `/api/admin/subscriptions/${subscriptionId}`, { planSlug: 'max' })
    const { standing } = await client.revalidate()
    expect(standing).toMatchObject({ state: 'ACTIVE', license: { plan: 'max' } })
    expect(standing.license!.sub).not.toBe(id)
    await client.stop()
  })

  it('revoked, is believed', async () => {
    const { licenseKey, id } = await sold()
    const { client } = await panel(service)
    await client.activate(licenseKey)
    await ask('POST', `/api/admin/licenses/${id}/revoke`, { reason: 'chargeback' })
    expect((await client.revalidate()).standing).toMatchObject({ state: 'DEGRADED', reason: 'REVOKED' })
    await client.stop()
  })
})

describe('a signing key that falls', () => {
  it('is noticed by no panel', async () => {
    const { licenseKey } = await sold()
    const { client, states, memory } = await panel(service)
    await client.activate(licenseKey)
    const { items } = await ask('GET', '/api/admin/settings/signing-keys')
    const { kid } = items.find(({ state }: { state: string }) => state === 'current')
    await ask('POST', `/api/admin/settings/signing-keys/${kid}/compromise`, { reason: 'stolen' })
    await client.revalidate()
    await service.settle()
    const follows = async () => ((await client.revalidate()).standing.state, memory().manifestSerial)
    await expect.poll(follows, { timeout: 10_000, interval: 600 }).toBeGreaterThan(1)
    expect(client.status()).toMatchObject({ state: 'ACTIVE', license: { seq: 2 } })
    expect(states().filter((state) => state !== 'ACTIVE' && state !== 'OFFLINE')).toEqual([])
    await client.stop()
  })
})

describe('a panel without a network', () => {
  const offlineLease = async (id: string, request: string, days = 90) =>
    service.call('POST', `/api/admin/licenses/${id}/offline-lease`, {
      as: await service.staff(),
      body: { request, days },
    })

  it('is activated by a file, and goes on as long as that says', async () => {
    const { licenseKey, id } = await sold()
    const { client, network, memory } = await panel(service)
    network.isUp = false
    const file = await offlineLease(id, await client.offlineRequest(licenseKey))
    expect([file.status, file.headers.get('cache-control')], file.text).toEqual([200, 'no-store'])
    expect(await client.importFile(file.text)).toMatchObject({ state: 'ACTIVE', source: 'FILE' })
    expect((await ask('GET', `/api/admin/instances?licenseId=${id}`)).total).toBe(1)
    const { body: audit } = await service.call('GET', '/api/admin/audit?action=license.leased_offline', {
      as: await service.staff(),
    })
    expect(audit.items[0]).toMatchObject({
      subject: { type: 'license', id },
      meta: { instanceId: memory().instanceId },
    })
    service.passTime(80 * DAY_MS)
    expect(client.status().state).toBe('ACTIVE')
    service.passTime(11 * DAY_MS)
    expect(client.status()).toMatchObject({ state: 'GRACE', reason: 'LEASE_EXPIRED' })
    await client.stop()
    await service.settle()
  })

  it('renews its file without a second slot, and never takes a shorter one', async () => {
    const { licenseKey, id } = await sold()
    const { client, memory } = await panel(service)
    const request = await client.offlineRequest(licenseKey)
    const [long, short] = [await offlineLease(id, request, 90), await offlineLease(id, request, 30)]
    await client.importFile(long.text)
    await expect(client.importFile(short.text)).rejects.toThrow('already has a newer or longer')
    const longer = await offlineLease(id, await client.offlineRequest(), 120)
    expect((await client.importFile(longer.text)).lease!.sub).toBe(memory().instanceId)
    expect((await ask('GET', `/api/admin/instances?licenseId=${id}`)).total).toBe(1)
    await client.stop()
  })

  it('that comes into reach keeps its file, and hears of a revocation', async () => {
    const { licenseKey, id } = await sold()
    const { client } = await panel(service)
    const file = await offlineLease(id, await client.offlineRequest(licenseKey))
    await client.importFile(file.text)
    expect(await client.revalidate()).toMatchObject({ source: 'FILE', standing: { state: 'ACTIVE' } })
    service.passTime(HOUR_MS)
    await ask('POST', `/api/admin/licenses/${id}/revoke`, { reason: 'chargeback' })
    expect((await client.revalidate()).standing).toMatchObject({ state: 'DEGRADED', reason: 'REVOKED' })
    await client.stop()
  })

  it('gets a lease that never outlives its license and grace', async () => {
    const end = new Date(service.licensing.clock.now().getTime() + 40 * DAY_MS).toISOString()
    const { licenseKey, id } = await sold({ currentPeriodEnd: end })
    const { client } = await panel(service)
    const file = await offlineLease(id, await client.offlineRequest(licenseKey), 366)
    const { lease } = await client.importFile(file.text)
    expect(lease!.exp).toBe(Math.floor(Date.parse(end) / 1_000) + 14 * 86_400)
    await client.stop()
  })

  it('is refused without the license key, with another, beyond the cap, and when the license does not count', async () => {
    const [one, other] = [await sold(), await sold()]
    const panels = await Promise.all(
      ['a', 'b', 'c'].map((name) => panel(service, { name, host: { machine: `air ${name}` } })),
    )
    const requests = await Promise.all(panels.map(({ client }) => client.offlineRequest(one.licenseKey)))
    const [first = '', second = '', third = ''] = requests
    const refused = async (id: string, request: string, status: number, message: RegExp) => {
      const { status: got, body } = await offlineLease(id, request)
      expect([got, body.message]).toEqual([status, expect.stringMatching(message)])
    }
    await refused(other.id, first, 400, /another license key/)
    await refused(one.id, 'nonsense', 400, /request is not valid/)
    await refused(one.id, first.slice(0, -2), 400, /request is not valid/)
    await refused('01890000-0000-7000-8000-000000000000', first, 404, /Not found/)
    expect((await offlineLease(one.id, first)).status).toBe(200)
    expect((await offlineLease(one.id, second)).status).toBe(200)
    await refused(one.id, third, 409, /no free activation slot \(2 of 2 in use\)/)
    await ask('POST', `/api/admin/licenses/${one.id}/suspend`, { reason: 'unpaid' })
    await refused(one.id, first, 409, /The license is suspended/)
    await Promise.all(panels.map(({ client }) => client.stop()))
  })
})
