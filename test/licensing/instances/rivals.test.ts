/**
 * A leaked license key and a known machine fingerprint take no slot of an active panel (A18). A restored
 * machine keeps its slot.
 */
import { describe, expect, test } from 'vitest'
import { parseTrustedProxies } from '#kernel/credentials/source-address'
import { panel as clientPanel } from '../../support/licensing/client-panel.ts'
import { fromNewAddress } from '../../support/licensing/people.ts'
import { Panel, changedMachine, newMachine } from '../../support/licensing/raw-panel.ts'
import { startService } from '../../support/licensing/service.ts'
import type { Reply } from '../../support/licensing/service.ts'
import { shopFixture } from '../../support/licensing/shop-fixture.ts'
import { SHOP_URL, signedInShopper } from '../../support/licensing/shoppers.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const SUBJECTS = { staff: 'A license may be in use twice', customer: 'Your license may be in use twice' }

const service = await startService({ trustedProxies: parseTrustedProxies('127.0.0.1'), shopUrl: SHOP_URL })
const floor = await shopFixture(service)

async function running(maxActivations: number, terms: object = {}) {
  const shopper = await signedInShopper(service)
  const { slug } = await floor.plan({ maxActivations, heartbeatSeconds: 14_400, ...terms })
  const { license, licenseKey } = (await floor.provision({ email: shopper.email, planSlug: slug })).body
  const panel = new Panel(service, licenseKey)
  expect((await panel.activate()).status).toBe(201)
  return { ...shopper, panel, licenseId: license.id as string, licenseKey: licenseKey as string }
}

/** Knows the license key and the fingerprint of the machine, and has another key pair. */
const rivalOf = (panel: Panel, components: Record<string, string> = {}) =>
  new Panel(service, panel.licenseKey, changedMachine(panel.machine, components))

function expectRefused({ status, body, headers, text }: Reply): void {
  expect([status, headers.get('error-code')], text).toEqual([409, 'PANEL_STILL_HEARD'])
  expect(body.message).toMatch(/^License has no free activation slot \(1 of 1 in use\)\. /)
  expect(body.message).toContain('active within the last 8 hours')
  expect(body.message).toContain(
    'Deactivate that instance in the shop, ask the seller to deactivate it, or try again after',
  )
}

const shown = async (id: string | undefined) => (await floor.get(`/api/admin/instances/${id}`)).body
const actions = async (id: string | undefined) => (await floor.audit(id!)).map(({ action }) => action)

describe('while the panel is heard', () => {
  test('no other key takes its slot: refused, recorded, flagged and mailed, once a day; the panel notices nothing', async () => {
    const people = { support: await service.somebody('SUPPORT'), billing: await service.somebody('BILLING') }
    const { panel, email, licenseId } = await running(1)
    const thief = rivalOf(panel)
    expectRefused(await thief.activate())
    expectRefused(await rivalOf(panel, { install: 'i'.repeat(22) }).activate())
    expectRefused(await thief.activate())
    expect(thief.instanceId).toBeUndefined()
    expect((await panel.heartbeat()).status).toBe(200)
    expect(panel.lease).toMatchObject({ st: 'OK' })

    expect(await shown(panel.instanceId)).toMatchObject({ status: 'ACTIVE', flags: ['CLONE_SUSPECTED'] })
    const flagged = (await floor.audit(panel.instanceId!)).filter(({ action }) => action === 'instance.flagged')
    expect(flagged).toHaveLength(1)
    expect(flagged[0]!.actor).toMatchObject({ type: 'LICENSE', id: licenseId })
    await service.settle()
    const told = () => service.mails.filter(({ text }) => text.includes(panel.instanceId!))
    const to = (subject: string) =>
      told()
        .filter((mail) => mail.subject === subject)
        .map((mail) => mail.to)
    expect(to(SUBJECTS.customer)).toEqual([email])
    expect(to(SUBJECTS.staff)).toEqual(expect.arrayContaining([people.support.email]))
    expect(to(SUBJECTS.staff)).not.toContain(people.billing.email)

    const before = told().length
    for (let passed = 0; passed < 24; passed += 6) {
      service.passTime(6 * HOUR_MS)
      expect((await panel.heartbeat()).status).toBe(200)
      expectRefused(await thief.activate())
    }
    await service.settle()
    expect(told()).toHaveLength(2 * before)
    expect((await shown(panel.instanceId)).flags).toEqual(['CLONE_SUSPECTED'])
  })

  test('its mark alone is another machine, which needs a slot of its own and is suspected of nothing', async () => {
    const { panel } = await running(1)
    const { install } = panel.machine.components
    const thief = new Panel(service, panel.licenseKey, newMachine({ install: install! }))
    const refused = await thief.activate()
    expect([refused.status, refused.headers.get('error-code')]).toEqual([409, 'NO_FREE_SLOT'])
    service.passTime(9 * HOUR_MS)
    expect((await thief.activate()).status, 'however long the panel is silent').toBe(409)
    expect((await panel.heartbeat()).status).toBe(200)
    expect((await shown(panel.instanceId)).flags).toEqual([])
  })

  test('a machine that was set up anew takes a free slot, as does a second panel on one host; no panel is cut off', async () => {
    const { panel } = await running(3)
    const anew = rivalOf(panel, { install: 'i'.repeat(22) })
    expect((await anew.activate()).status).toBe(201)
    const third = rivalOf(panel)
    expect((await third.activate()).status).toBe(201)
    expect(new Set([panel, anew, third].map(({ instanceId }) => instanceId)).size).toBe(3)
    for (const each of [panel, anew, third]) expect((await each.heartbeat()).status).toBe(200)
    expect((await shown(panel.instanceId)).flags).toEqual([])
  })
})

describe('a machine that was set up anew', () => {
  test('has its slot back once its panel has missed two heartbeats, and not before', async () => {
    const { panel } = await running(1)
    const anew = rivalOf(panel, { install: 'i'.repeat(22) })
    service.passTime(4 * HOUR_MS)
    expect((await panel.heartbeat()).status).toBe(200)
    service.passTime(8 * HOUR_MS - 60_000)
    expectRefused(await anew.activate())
    service.passTime(60_000)
    const back = await anew.activate()
    expect([back.status, back.body.instance?.id]).toEqual([200, panel.instanceId])
    expect(await actions(panel.instanceId)).toContain('instance.rebound')
    expect((await anew.heartbeat()).status).toBe(200)
    expect((await panel.heartbeat()).status).toBe(401)
  })

  test.each(['the customer', 'the staff'])('has a slot at once where %s free the old one', async (who) => {
    const { panel, as } = await running(1)
    const anew = rivalOf(panel)
    expectRefused(await anew.activate())
    const path = who === 'the staff' ? 'admin' : 'shop'
    const freed = await service.call('POST', `/api/${path}/instances/${panel.instanceId}/deactivate`, {
      as: who === 'the staff' ? await service.staff() : as,
      headers: fromNewAddress(),
    })
    expect(freed.status, freed.text).toBe(200)
    expect((await anew.activate()).status).toBe(201)
    await panel.heartbeat()
    expect(panel.lease).toMatchObject({ st: 'DEACTIVATED' })
  })

  test('without a network is refused while the file of the panel before it lasts, by file and by network', async () => {
    const { slug } = await floor.plan({ maxActivations: 1 })
    const sold = (await floor.provision({ email: 'air-gap@rivals.test', planSlug: slug })).body
    const machine = { machine: 'm', board: 'b', rootfs: 'r', cpu: 'c', net: 'n' }
    const [old, anew] = [await clientPanel(service, { host: machine }), await clientPanel(service, { host: machine })]
    const file = async ({ client }: typeof old) =>
      floor.post(`/api/admin/licenses/${sold.license.id}/offline-lease`, {
        request: await client.offlineRequest(sold.licenseKey),
        days: 30,
      })
    expect((await file(old)).status).toBe(200)
    service.passTime(29 * DAY_MS)
    expectRefused(await file(anew))
    await expect(anew.client.activate(sold.licenseKey)).rejects.toThrow('has a valid lease file')
    service.passTime(DAY_MS + 8 * HOUR_MS)
    expect((await file(anew)).status).toBe(200)
    expect((await floor.get(`/api/admin/instances?licenseId=${sold.license.id}`)).body.total).toBe(1)
    await Promise.all([old.client.stop(), anew.client.stop()])
  })
})

describe('a panel that comes back after its slot was given to another key', () => {
  const host = { machine: 'm', board: 'b', rootfs: 'r', cpu: 'c', net: 'n' }

  async function overtaken(maxActivations: number) {
    const { slug } = await floor.plan({ maxActivations })
    const email = `overtaken-${slug}@rivals.test`
    const { license, licenseKey } = (await floor.provision({ email, planSlug: slug })).body
    const [honest, thief] = [await clientPanel(service, { host }), await clientPanel(service, { host })]
    await honest.client.activate(licenseKey)
    const { instanceId } = honest.memory()
    service.passTime(9 * HOUR_MS)
    await thief.client.activate(licenseKey)
    expect(thief.memory().instanceId).toBe(instanceId)
    return { honest, thief, licenseId: license.id, instanceId: instanceId! }
  }

  test('takes a free slot by itself and goes on', async () => {
    const { honest, thief, instanceId } = await overtaken(2)
    expect(await honest.client.revalidate()).toMatchObject({ source: 'ONLINE', standing: { state: 'ACTIVE' } })
    expect(honest.memory()).toMatchObject({ refusal: null, failures: 0 })
    expect(honest.memory().instanceId).not.toBe(instanceId)
    expect((await thief.client.revalidate()).source).toBe('ONLINE')
    await Promise.all([honest.client.stop(), thief.client.stop()])
  })

  test('goes on with its lease, says what was refused, and is back when a slot is free', async () => {
    const { honest, thief, instanceId } = await overtaken(1)
    expect(await honest.client.revalidate()).toMatchObject({ source: 'CACHE', standing: { state: 'OFFLINE' } })
    expect(honest.memory().refusal).toMatchObject({
      code: 'PANEL_STILL_HEARD',
      message: expect.stringContaining('Deactivate that instance'),
    })
    expect(String(honest.errors.at(-1))).toContain('Deactivate that instance')
    expect((await shown(instanceId)).flags).toEqual(['CLONE_SUSPECTED'])
    await floor.post(`/api/admin/instances/${instanceId}/deactivate`)
    expect((await honest.client.revalidate()).standing.state).toBe('ACTIVE')
    expect(honest.memory().refusal).toBeNull()
    await Promise.all([honest.client.stop(), thief.client.stop()])
  })
})
