/**
 * What panels are told, from their activation to the end of their license. It is always signed, and equals
 * what staff see.
 */
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { currentSigningKey } from '#licensing/signing-keys/signing-key'
import { subscriptions } from '#licensing/subscriptions/decider'
import { Panel, changedMachine, claimsOf, newMachine, verifiedLease } from '../../support/licensing/raw-panel.ts'
import { startService } from '../../support/licensing/service.ts'
import { shopFixture } from '../../support/licensing/shop-fixture.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

const limits = { heartbeatsPerHour: 100_000, activationsPerHour: 100_000, failuresPerMinute: 1_000_000 }
const service = await startService({ licenseApi: limits })
const floor = await shopFixture(service)
let customers = 0

async function sold(terms: object = {}, more: object = {}) {
  const { slug } = await floor.plan({ maxActivations: 3, offlineDays: 7, graceDays: 14, ...terms })
  const body = { email: `c${(customers += 1)}@heartbeats.test`, planSlug: slug, ...more }
  const reply = await floor.provision(body)
  expect(reply.status, reply.text).toBe(201)
  const { license, subscription, licenseKey } = reply.body
  const panel = new Panel(service, licenseKey)
  return { panel, slug, licenseId: license.id as string, subscriptionId: subscription.id as string, licenseKey }
}

async function activated(terms: object = {}, more: object = {}) {
  const all = await sold(terms, more)
  const reply = await all.panel.activate()
  expect(reply.status, reply.text).toBe(201)
  return all
}

const seconds = (at: string | Date): number => Math.floor(new Date(at).getTime() / 1000)
const now = () => service.licensing.clock.now()
const decide = (subscriptionId: string, name: string, ask: object) =>
  service.run(async (unit) => {
    const { kid } = await currentSigningKey(unit)
    return unit.decide(subscriptions, subscriptionId, name as never, { kid, ...ask } as never)
  })

describe('activation', () => {
  test('takes a slot and answers the instance, a lease and when to come again', async () => {
    const { panel, licenseId, licenseKey } = await sold({ features: [{ key: 'backups', value: true }] })
    const reply = await panel.activate()
    expect(reply.status).toBe(201)
    const { instance, lease, nextHeartbeatAt, serverTime, licenseKey: none } = reply.body
    expect(none).toBeNull()
    expect(instance).toMatchObject({ licenseId, status: 'ACTIVE', version: '1.0.0', os: 'linux', arch: 'x64' })
    expect(Math.abs(Date.parse(serverTime) - now().getTime())).toBeLessThan(5_000)
    expect(Date.parse(nextHeartbeatAt) - Date.parse(serverTime)).toBe(14_400_000)
    const claims = await verifiedLease(service, lease)
    const { exp, jti } = claimsOf(licenseKey)
    expect(claims).toMatchObject({
      iss: 'http://licensing.test',
      aud: 'daybook-panel',
      sub: instance.id,
      lic: jti,
      st: 'OK',
      rsn: null,
      seq: 1,
      ft: { backups: true },
      warn: [],
      prev: null,
      cnf: { jkt: instance.keyThumbprint },
    })
    expect(claims['exp']).toBe(claims['iat'] + 7 * 86_400)
    expect(claims['exp']).toBeLessThan(exp as number)
    expect(claims['nhb']).toBe(seconds(nextHeartbeatAt))
    const { x } = panel.machine.jwk
    const jkt = createHash('sha256')
      .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
      .digest('base64url')
    expect(instance.keyThumbprint).toBe(jkt)
  })

  test('again by the same panel is 200 and the same instance; the audit trail names it once', async () => {
    const { panel, licenseId } = await activated()
    const id = panel.instanceId!
    const again = await panel.activate()
    expect({ status: again.status, id: again.body.instance.id }).toEqual({ status: 200, id })
    const entries = await floor.audit(id)
    expect(entries.map(({ action }) => action)).toEqual(['instance.activated'])
    const label = claimsOf(panel.licenseKey).jti
    expect(entries[0]!.actor).toMatchObject({ type: 'LICENSE', id: licenseId, label })
  })

  test('by the same machine with a panel installed anew gets the slot that it has; the old key is nobody’s', async () => {
    const { panel } = await activated({ maxActivations: 1 })
    const anew = new Panel(service, panel.licenseKey, changedMachine(panel.machine, { install: 'i'.repeat(22) }))
    service.passTime(8 * HOUR_MS)
    const reply = await anew.activate()
    expect(reply.status, reply.text).toBe(200)
    expect(reply.body.instance.id).toBe(panel.instanceId)
    expect((await anew.heartbeat()).status).toBe(200)
    expect((await panel.heartbeat()).status).toBe(401)
  })

  test('beyond the cap is 409 and says how many are taken', async () => {
    const { panel } = await activated({ maxActivations: 2 })
    expect((await new Panel(service, panel.licenseKey).activate()).status).toBe(201)
    const reply = await new Panel(service, panel.licenseKey).activate()
    expect(reply.status).toBe(409)
    expect(reply.body.message).toBe('License has no free activation slot (2 of 2 in use)')
  })

  test.each<[string, (ids: { licenseId: string; subscriptionId: string }) => Promise<unknown>, string]>([
    [
      'suspended',
      ({ subscriptionId, licenseId }) => decide(subscriptionId, 'SuspendLicense', { licenseId, reason: 'shared' }),
      'The license is suspended',
    ],
    [
      'paused',
      ({ subscriptionId }) => decide(subscriptionId, 'PauseSubscription', { reason: 'x' }),
      'The license is suspended',
    ],
    [
      'revoked',
      ({ licenseId }) => floor.post(`/api/admin/licenses/${licenseId}/revoke`, { reason: 'x' }),
      'The license is revoked',
    ],
  ])('of a license that is %s is 403', async (_what, happens, message) => {
    const { panel, ...ids } = await sold()
    await happens(ids)
    await service.licensing.projector.catchUp()
    const reply = await panel.activate()
    expect({ status: reply.status, message: reply.body.message }).toEqual({ status: 403, message })
  })

  test('what it says of itself is bounded, and its private key stays with it', async () => {
    const { panel } = await sold()
    const { jwk } = panel.machine
    const wrong: object[] = [
      { instanceKey: { ...jwk, d: 'secret' } },
      { instanceKey: { ...jwk, x: 'short' } },
      { instanceKey: { kty: 'RSA', n: 'x', e: 'AQAB' } },
      { fingerprint: { scheme: 'fp1', components: {} } },
      { fingerprint: { scheme: 'fp2', components: panel.machine.components } },
      { fingerprint: { scheme: 'fp1', components: { hostname: 'x'.repeat(22) } } },
      { instance: { name: 'n', hostname: 'h', version: '1', os: 'linux' } },
      { instance: { name: 'x'.repeat(101), hostname: 'h', version: '1', os: 'linux', arch: 'x64' } },
      { seqSeen: 1 },
    ]
    for (const more of wrong) expect((await panel.activate(more)).status, JSON.stringify(more)).toBe(400)
    expect((await panel.activate()).status).toBe(201)
  })
})

describe('a heartbeat', () => {
  test('is answered by a lease that names the request and the lease before it', async () => {
    const { panel } = await activated()
    const before = panel.lease!.jti
    const nonce = 'Zm9vYmFyYmF6cXV4MTIzNA'
    const reply = await panel.heartbeat({ usage: { users: 3, servers: 1 } }, { nonce })
    expect(reply.status).toBe(200)
    const lease = await verifiedLease(service, reply.body.lease)
    expect(lease).toMatchObject({ st: 'OK', prev: before, req: createHash('sha256').update(nonce).digest('base64url') })
    expect(lease.jti).not.toBe(before)
    expect(reply.body.licenseKey).toBeNull()
    expect(reply.headers.get('event-position')).toBeNull()
  })

  test('that says nothing new is no event; a new version is one', async () => {
    const { panel } = await activated()
    const head = await service.licensing.store.head()
    for (let nth = 0; nth < 5; nth += 1) await panel.heartbeat()
    expect(await service.licensing.store.head()).toBe(head)
    panel.version = '1.1.0'
    const reply = await panel.heartbeat()
    expect(reply.body.instance.version).toBe('1.1.0')
    expect((await floor.audit(panel.instanceId!)).map(({ action }) => action)).toEqual([
      'instance.changed',
      'instance.activated',
    ])
  })

  test('brings the newest license key where the panel has an older one', async () => {
    const { panel, licenseId, subscriptionId } = await activated()
    const first = panel.licenseKey
    await decide(subscriptionId, 'ExtendLicense', { licenseId, days: 400 })
    await service.licensing.projector.catchUp()
    const reply = await panel.heartbeat()
    expect(claimsOf(reply.body.licenseKey)).toMatchObject({ jti: claimsOf(first).jti, seq: 2 })
    expect(reply.body.licenseKey).toBe((await floor.get(`/api/admin/licenses/${licenseId}/key`)).body.licenseKey)
    expect((await panel.heartbeat()).body.licenseKey).toBeNull()
    expect(panel.lease).toMatchObject({ st: 'OK', seq: 2 })
  })

  test.each<[string, string, (ids: { subscriptionId: string; licenseId: string }) => Promise<unknown>, string | null]>([
    [
      'suspended',
      'SUSPENDED',
      ({ subscriptionId, licenseId }) =>
        decide(subscriptionId, 'SuspendLicense', { licenseId, reason: 'looks shared' }),
      'looks shared',
    ],
    [
      'paused with its subscription',
      'SUSPENDED',
      ({ subscriptionId }) => decide(subscriptionId, 'PauseSubscription', { reason: 'on holiday' }),
      'the subscription is paused',
    ],
    [
      'revoked',
      'REVOKED',
      ({ licenseId }) => floor.post(`/api/admin/licenses/${licenseId}/revoke`, { reason: 'payment bounced' }),
      'payment bounced',
    ],
  ])('of a license that is %s is 200 and says %s, signed', async (_what, st, happens, rsn) => {
    const { panel, ...ids } = await activated()
    await happens(ids)
    await service.licensing.projector.catchUp()
    const reply = await panel.heartbeat()
    expect(reply.status, reply.text).toBe(200)
    const lease = await verifiedLease(service, reply.body.lease)
    expect(lease).toMatchObject({ st, rsn, sub: panel.instanceId })
    expect(lease['exp']).toBe(lease['iat'] + 7 * 86_400)
    expect((await panel.heartbeat()).status, 'and goes on saying so').toBe(200)
  })

  test('warns of a payment that failed, and changes nothing else', async () => {
    const { panel, subscriptionId } = await activated()
    await decide(subscriptionId, 'FailPayment', { nextAttemptAt: new Date(now().getTime() + DAY_MS).toISOString() })
    await service.licensing.projector.catchUp()
    await panel.heartbeat()
    expect(panel.lease).toMatchObject({ st: 'OK', warn: ['PAYMENT_PAST_DUE'] })
  })

  test('of time: in its grace, then expired, with no timer run; the lease never outlasts the grace', async () => {
    const currentPeriodEnd = new Date(now().getTime() + 3 * DAY_MS).toISOString()
    const { panel, licenseKey } = await activated({ graceDays: 5 }, { currentPeriodEnd })
    const graceEnds = (claimsOf(licenseKey)['exp'] as number) + 5 * 86_400
    service.passTime(4 * DAY_MS)
    await panel.heartbeat()
    expect(panel.lease).toMatchObject({ st: 'GRACE', exp: graceEnds })
    expect((await new Panel(service, licenseKey).activate()).status, 'still activates').toBe(201)
    service.passTime(5 * DAY_MS)
    await panel.heartbeat()
    expect(panel.lease).toMatchObject({ st: 'EXPIRED' })
    expect((await new Panel(service, licenseKey).activate()).body.message).toBe('The license has expired')
  })
})

describe('an old key', () => {
  const reissue = async (subscriptionId: string, licenseId: string, mode: string) => {
    const secret = { keyId: `lic_Old${Math.trunc(Math.random() * 1e9)}`, k: Buffer.alloc(32, 7).toString('base64url') }
    await decide(subscriptionId, 'ReissueLicense', { licenseId, mode, ...secret })
    await service.licensing.projector.catchUp()
    return secret
  }

  test('replaced by routine is answered SUPERSEDED with the new key for 72 hours, and is good for nothing else', async () => {
    const { panel, licenseId, subscriptionId } = await activated()
    const old = panel.licenseKey
    const { keyId } = await reissue(subscriptionId, licenseId, 'routine')
    const reply = await panel.heartbeat()
    expect(reply.status, reply.text).toBe(200)
    expect(panel.lease).toMatchObject({ st: 'SUPERSEDED', lic: claimsOf(old).jti })
    expect(claimsOf(reply.body.licenseKey)).toMatchObject({ jti: keyId, seq: 2 })
    await panel.heartbeat()
    expect(panel.lease).toMatchObject({ st: 'OK', lic: keyId })

    panel.licenseKey = old
    expect((await panel.heartbeat({}, { withoutInstance: true })).status).toBe(401)
    expect((await panel.activate()).status).toBe(401)
    expect((await panel.deactivate()).status).toBe(401)
    service.passTime(73 * HOUR_MS)
    panel.licenseKey = old
    expect((await panel.heartbeat()).status).toBe(401)
  })

  test('that leaked is dead at once', async () => {
    const { panel, licenseId, subscriptionId } = await activated()
    await reissue(subscriptionId, licenseId, 'leaked')
    const reply = await panel.heartbeat()
    expect({ status: reply.status, message: reply.body.message }).toEqual({
      status: 401,
      message: 'Invalid license signature',
    })
  })

  test('before one that leaked is dead with it, also of a license before', async () => {
    const { panel, licenseId, subscriptionId } = await activated()
    const ofFirst = panel.clone()
    const { id } = (await floor.post('/api/admin/licenses', { subscriptionId })).body.license
    await panel.heartbeat()
    const ofSecond = panel.clone()
    await reissue(subscriptionId, id, 'routine')
    await panel.heartbeat()
    expect([ofFirst, ofSecond, panel].map(({ licenseKey }) => claimsOf(licenseKey).sub)).toEqual([licenseId, id, id])
    await reissue(subscriptionId, id, 'leaked')
    for (const each of [ofFirst, ofSecond, panel]) expect((await each.heartbeat()).status).toBe(401)
    panel.licenseKey = (await floor.get(`/api/admin/licenses/${id}/key`)).body.licenseKey
    await panel.heartbeat()
    expect(panel.lease).toMatchObject({ st: 'OK' })
  })

  test('of a license that another took the place of leads every panel to the new one, and slots and ids stay', async () => {
    const { panel, licenseId, subscriptionId } = await activated({ maxActivations: 2 })
    const sibling = new Panel(service, panel.licenseKey)
    await sibling.activate()
    const old = panel.licenseKey
    const issued = await floor.post('/api/admin/licenses', { subscriptionId })
    expect(issued.status, issued.text).toBe(201)
    for (const each of [panel, sibling]) {
      const reply = await each.heartbeat()
      expect(each.lease).toMatchObject({ st: 'SUPERSEDED', lic: claimsOf(old).jti })
      expect(reply.body.licenseKey).toBe(issued.body.licenseKey)
      await each.heartbeat()
      expect(each.lease).toMatchObject({ st: 'OK', seq: 1, sub: each.instanceId })
    }
    const shown = await floor.get(`/api/admin/instances/${panel.instanceId}`)
    expect(shown.body).toMatchObject({ licenseId: issued.body.license.id, status: 'ACTIVE' })
    expect((await new Panel(service, old).activate()).body.message).toBe('The license is revoked')
    expect((await new Panel(service, issued.body.licenseKey).activate()).status, 'no slot is free').toBe(409)

    await floor.post(`/api/admin/licenses/${issued.body.license.id}/revoke`, { reason: 'over' })
    panel.licenseKey = old
    await panel.heartbeat()
    expect(panel.lease).toMatchObject({ st: 'REVOKED' })
    expect(licenseId).not.toBe(issued.body.license.id)
  })
})

describe('two panels with one key', () => {
  test('are told apart by the lease that each goes on from: flagged once, and both go on', async () => {
    const { panel } = await activated()
    await panel.heartbeat()
    const clone = panel.clone()
    expect((await panel.heartbeat()).status).toBe(200)
    expect((await clone.heartbeat()).status).toBe(200)
    for (const each of [panel, clone, panel, clone]) {
      expect((await each.heartbeat()).status).toBe(200)
      expect(each.lease!.st).toBe('OK')
    }
    const entries = await floor.audit(panel.instanceId!)
    expect(entries.filter(({ action }) => action === 'instance.flagged')).toHaveLength(1)
    expect(entries.find(({ action }) => action === 'instance.flagged')!.meta).toMatchObject({ flag: 'CLONE_SUSPECTED' })
    const shown = await floor.get(`/api/admin/instances/${panel.instanceId}`)
    expect(shown.body).toMatchObject({ flags: ['CLONE_SUSPECTED'], status: 'ACTIVE' })
  })

  test('that never name a lease are suspected when they have been early in six periods', async () => {
    const { panel } = await activated()
    const clone = panel.clone()
    const flags = async () => (await floor.get(`/api/admin/instances/${panel.instanceId}`)).body.flags
    for (let period = 0; period < 6; period += 1) {
      expect(await flags(), `after ${period} periods`).toEqual([])
      service.passTime(2 * HOUR_MS)
      expect((await clone.heartbeat({ prevLease: null })).status).toBe(200)
      service.passTime(2 * HOUR_MS)
      expect((await panel.heartbeat({ prevLease: null })).status).toBe(200)
    }
    expect(await flags()).toEqual(['CLONE_SUSPECTED'])
    expect(panel.lease).toMatchObject({ st: 'OK' })
  })

  test('of which one activates again and again are suspected as well', async () => {
    const { panel } = await activated()
    const clone = panel.clone()
    for (let period = 0; period < 6; period += 1) {
      service.passTime(2 * HOUR_MS)
      expect((await clone.activate()).status).toBe(200)
      service.passTime(2 * HOUR_MS)
      expect((await panel.activate()).status).toBe(200)
    }
    const shown = await floor.get(`/api/admin/instances/${panel.instanceId}`)
    expect(shown.body.flags).toEqual(['CLONE_SUSPECTED'])
  })

  test.each<[string, (panel: Panel) => Promise<void>]>([
    [
      'is started anew before each heartbeat',
      async (panel) => {
        service.passTime(4 * HOUR_MS)
        await panel.heartbeat({ prevLease: null })
      },
    ],
    [
      'loses many answers and hears the last, a day long',
      async (panel) => {
        for (let nth = 0; nth < 3; nth += 1) await panel.heartbeat({ prevLease: null })
        service.passTime(4 * HOUR_MS)
        await panel.heartbeat()
      },
    ],
    [
      'loses many answers at once, once a day',
      async (panel) => {
        for (let nth = 0; nth < 8; nth += 1) await panel.heartbeat({ prevLease: null })
        for (let period = 0; period < 7; period += 1) {
          service.passTime(4 * HOUR_MS)
          await panel.heartbeat({ prevLease: null })
        }
      },
    ],
  ])('one that %s is not suspected', async (_what, happens) => {
    const { panel } = await activated()
    for (let times = 0; times < 8; times += 1) await happens(panel)
    const shown = await floor.get(`/api/admin/instances/${panel.instanceId}`)
    expect(shown.body.flags).toEqual([])
  })

  test('one whose answer was lost says that it does not know, and is not suspected', async () => {
    const { panel } = await activated()
    const known = panel.lease
    await panel.heartbeat()
    panel.lease = known
    expect((await panel.heartbeat({ prevLease: null })).status).toBe(200)
    expect((await panel.heartbeat()).status).toBe(200)
    const shown = await floor.get(`/api/admin/instances/${panel.instanceId}`)
    expect(shown.body.flags).toEqual([])
  })
})

test('a machine that is another one three times within 30 days is flagged, and goes on', async () => {
  const { panel } = await activated()
  const { install } = panel.machine.components
  for (let nth = 0; nth < 3; nth += 1) {
    const fingerprint = { scheme: 'fp1', components: newMachine({ install: install! }).components }
    expect((await panel.heartbeat({ fingerprint })).status).toBe(200)
  }
  const shown = await floor.get(`/api/admin/instances/${panel.instanceId}`)
  expect(shown.body.flags).toEqual(['FINGERPRINT_DRIFT'])
})

test('a panel gives its slot back, and takes one again', async () => {
  const { panel } = await activated({ maxActivations: 1 })
  const other = new Panel(service, panel.licenseKey)
  expect((await other.activate()).status).toBe(409)
  const reply = await panel.deactivate({ reason: 'moving' })
  expect(reply.status, reply.text).toBe(200)
  expect(await verifiedLease(service, reply.body.lease)).toMatchObject({ st: 'DEACTIVATED' })
  expect((await panel.deactivate()).status).toBe(200)
  await panel.heartbeat()
  expect(panel.lease).toMatchObject({ st: 'DEACTIVATED' })
  expect((await other.activate()).status).toBe(201)
  expect((await panel.activate()).status).toBe(409)
  await other.deactivate()
  const again = await panel.activate()
  expect(again.status).toBe(200)
  await panel.heartbeat()
  expect(panel.lease).toMatchObject({ st: 'OK' })
})
