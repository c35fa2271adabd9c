/** Staff list the panels that run under licenses, free their slots and give them back. */
import { beforeAll, describe, expect, test } from 'vitest'
import { Panel } from '../../support/licensing/raw-panel.ts'
import { startService } from '../../support/licensing/service.ts'
import { shopFixture } from '../../support/licensing/shop-fixture.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const UNKNOWN = '01890000-0000-7000-8000-00000000dead'

const limits = { heartbeatsPerHour: 100_000, activationsPerHour: 100_000, failuresPerMinute: 1_000_000 }
const service = await startService({ licenseApi: limits })
const floor = await shopFixture(service)

async function running(number: number, terms: object = {}) {
  const { slug } = await floor.plan({ maxActivations: number, ...terms })
  const email = `${slug}@instances.test`
  const { license, licenseKey, customer } = (await floor.provision({ email, planSlug: slug })).body
  const panels = Array.from({ length: number }, () => new Panel(service, licenseKey))
  for (const panel of panels) expect((await panel.activate()).status).toBe(201)
  return { panels, licenseId: license.id as string, licenseKey: licenseKey as string, customerId: customer.id, email }
}

const { get: read, post: ask } = floor
const licenseOf = async (id: string) => (await read(`/api/admin/licenses/${id}`)).body

describe('an instance', () => {
  let some: Awaited<ReturnType<typeof running>>
  beforeAll(async () => void (some = await running(2)))

  test('is shown with what its panel said and when it was last heard of', async () => {
    const [panel] = some.panels
    await panel!.heartbeat()
    const { status, body } = await read(`/api/admin/instances/${panel!.instanceId}`)
    expect(status).toBe(200)
    expect(body).toEqual({
      id: panel!.instanceId,
      licenseId: some.licenseId,
      status: 'ACTIVE',
      name: 'web-1',
      hostname: 'web-1.acme.test',
      version: '1.0.0',
      os: 'linux',
      arch: 'x64',
      ip: '127.0.0.1',
      keyThumbprint: expect.stringMatching(/^[\w-]{43}$/),
      activatedAt: expect.any(String),
      lastHeartbeatAt: expect.any(String),
      nextHeartbeatDueAt: expect.any(String),
      deactivatedAt: null,
      deactivatedBy: null,
      flags: [],
    })
    expect(Date.parse(body.nextHeartbeatDueAt) - Date.parse(body.lastHeartbeatAt)).toBe(14_400_000)
    expect((await read(`/api/admin/instances/${UNKNOWN}`)).status).toBe(404)
  })

  test('is found by license, status, version, and what else it says of itself', async () => {
    const other = await running(1)
    other.panels[0]!.version = '9.9.9-beta'
    await other.panels[0]!.heartbeat()
    const total = async (query: string) => (await read(`/api/admin/instances?${query}`)).body.total
    expect(await total(`licenseId=${some.licenseId}`)).toBe(2)
    expect(await total(`licenseId=${some.licenseId}&status=ACTIVE`)).toBe(2)
    expect(await total(`licenseId=${some.licenseId}&status=STALE`)).toBe(0)
    expect(await total(`customerId=${some.customerId}`)).toBe(2)
    expect(await total(`customerId=${other.customerId}`)).toBe(1)
    expect(await total(`customerId=${UNKNOWN}`)).toBe(0)
    expect(await total('version=9.9.9-beta')).toBe(1)
    expect(await total('q=9.9-BETA')).toBe(1)
    expect(await total(`q=${other.panels[0]!.instanceId}`)).toBe(1)
    expect(await total('q=nothing-like-it')).toBe(0)
    expect((await read('/api/admin/instances?status=GONE')).status).toBe(400)
    const walk = (await read(`/api/admin/instances?licenseId=${some.licenseId}&limit=1`)).body
    const rest = (await read(`/api/admin/instances?licenseId=${some.licenseId}&limit=1&cursor=${walk.nextCursor}`)).body
    expect(new Set([...walk.items, ...rest.items].map(({ id }) => id)).size).toBe(2)
  })

  test('its license counts it', async () => {
    expect(await licenseOf(some.licenseId)).toMatchObject({ activeInstances: 2, maxActivations: 2 })
    const { items } = (await read(`/api/admin/licenses?customerId=${some.customerId}`)).body
    expect(items[0].activeInstances).toBe(2)
  })
})

test('deactivated, its slot is free at once, its panel is told so, and it comes back while a slot is free', async () => {
  const { panels, licenseId, licenseKey } = await running(2)
  const [panel, other] = panels as [Panel, Panel]
  const path = `/api/admin/instances/${panel.instanceId}`
  const { id: staffId } = await service.somebody('SUPERADMIN')

  const gone = await ask(`${path}/deactivate`, { reason: 'the machine was rebuilt' })
  expect(gone.status, gone.text).toBe(200)
  expect(gone.body).toMatchObject({
    status: 'DEACTIVATED',
    deactivatedAt: expect.any(String),
    deactivatedBy: { type: 'STAFF', id: staffId },
    nextHeartbeatDueAt: null,
  })
  expect((await licenseOf(licenseId)).activeInstances).toBe(1)
  await panel.heartbeat()
  expect(panel.lease).toMatchObject({ st: 'DEACTIVATED' })
  expect((await ask(`${path}/deactivate`)).status, 'twice changes nothing').toBe(200)

  const newcomer = new Panel(service, licenseKey)
  expect((await newcomer.activate()).status).toBe(201)
  const refused = await ask(`${path}/reactivate`)
  expect(refused.status).toBe(409)
  expect(refused.body.message).toBe('License has no free activation slot (2 of 2 in use)')

  await ask(`/api/admin/instances/${other.instanceId}/deactivate`)
  const back = await ask(`${path}/reactivate`)
  expect(back.status, back.text).toBe(200)
  expect(back.body).toMatchObject({ status: 'ACTIVE', deactivatedAt: null, deactivatedBy: null })
  await panel.heartbeat()
  expect(panel.lease).toMatchObject({ st: 'OK' })
  expect((await ask(`${path}/reactivate`)).status, 'twice changes nothing').toBe(200)

  const actions = (await floor.audit(panel.instanceId!)).map(({ action }) => action)
  expect(actions).toEqual(['instance.reactivated', 'instance.deactivated', 'instance.activated'])
  for (const what of ['deactivate', 'reactivate'])
    expect((await ask(`/api/admin/instances/${UNKNOWN}/${what}`)).status).toBe(404)
})

test('a revoked license has no instances, and none comes back', async () => {
  const { panels, licenseId } = await running(1)
  await ask(`/api/admin/licenses/${licenseId}/revoke`, { reason: 'over' })
  expect((await licenseOf(licenseId)).activeInstances).toBe(0)
  const { body } = await read(`/api/admin/instances/${panels[0]!.instanceId}`)
  expect(body.status).toBe('DEACTIVATED')
  const refused = await ask(`/api/admin/instances/${panels[0]!.instanceId}/reactivate`)
  expect({ status: refused.status, message: refused.body.message }).toEqual({
    status: 409,
    message: 'The license is revoked',
  })
})

test('silent for three heartbeats it is stale, at once and by date; a timer writes it down once; a word brings it back', async () => {
  const { panels, licenseId } = await running(1)
  const [panel] = panels as [Panel]
  const status = async () => (await read(`/api/admin/instances/${panel.instanceId}`)).body.status
  service.passTime(12 * HOUR_MS - 60_000)
  expect(await status()).toBe('ACTIVE')
  service.passTime(120_000)
  expect(await status()).toBe('STALE')
  expect((await read(`/api/admin/instances?licenseId=${licenseId}&status=STALE`)).body.total).toBe(1)
  expect((await licenseOf(licenseId)).activeInstances, 'it keeps its slot').toBe(1)
  await service.settle()
  await service.settle()
  const actions = async () =>
    (await read(`/api/admin/audit?subject=${panel.instanceId}`)).body.items.map((each: any) => each.action)
  expect(await actions()).toEqual(['instance.marked_stale', 'instance.activated'])
  await panel.heartbeat()
  expect(await status()).toBe('ACTIVE')
  expect(await actions()).toEqual(['instance.returned', 'instance.marked_stale', 'instance.activated'])
})

test('where the plan says so a newcomer takes the slot of who was silent for longest, and else it does not', async () => {
  const kept = await running(1)
  const given = await running(2, { reclaimStaleAfterDays: 30 })
  service.passTime(20 * DAY_MS)
  await given.panels[1]!.heartbeat()
  expect((await new Panel(service, given.licenseKey).activate()).status).toBe(409)
  service.passTime(20 * DAY_MS)
  expect((await new Panel(service, kept.licenseKey).activate()).status).toBe(409)
  expect((await new Panel(service, given.licenseKey).activate()).status).toBe(201)
  await given.panels[0]!.heartbeat()
  expect(given.panels[0]!.lease).toMatchObject({ st: 'DEACTIVATED' })
  await given.panels[1]!.heartbeat()
  expect(given.panels[1]!.lease).toMatchObject({ st: 'OK' })
})

test('the export of a customer holds the instances of that customer and no others', async () => {
  const [one, other] = [await running(1), await running(1)]
  const { body } = await read(`/api/admin/customers/${one.customerId}/export`)
  expect(body.instances).toMatchObject([{ id: one.panels[0]!.instanceId }])
  expect(JSON.stringify(body)).not.toContain(other.panels[0]!.instanceId)
})

test('of an erased customer nothing personal is left of his instances, addresses of his panels included', async () => {
  const { panels, customerId, email } = await running(1)
  const erased = await ask(`/api/admin/customers/${customerId}/erase`, { confirmEmail: email })
  expect(erased.status).toBe(202)
  const { body } = await read(`/api/admin/instances/${panels[0]!.instanceId}`)
  expect(body).toMatchObject({ status: 'DEACTIVATED', name: 'ERASED', hostname: 'ERASED', ip: 'ERASED' })
  const { items } = (await read(`/api/admin/audit?subject=${panels[0]!.instanceId}`)).body
  expect(items.find((each: any) => each.action === 'instance.activated').actor.ip).toBe('ERASED')
  await panels[0]!.heartbeat()
  expect(panels[0]!.lease).toMatchObject({ st: 'REVOKED' })
})
