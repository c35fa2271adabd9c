/** How often panels may send requests, and how often other callers may fail. */
import { expect, test } from 'vitest'
import { Panel } from '../../support/licensing/raw-panel.ts'
import { startService } from '../../support/licensing/service.ts'
import { shopFixture } from '../../support/licensing/shop-fixture.ts'

const service = await startService()
const floor = await shopFixture(service)

async function panelOf(email: string, terms: object = {}): Promise<Panel> {
  const { slug } = await floor.plan(terms)
  const { licenseKey } = (await floor.provision({ email, planSlug: slug })).body
  return new Panel(service, licenseKey)
}

test('an instance may send twelve heartbeats an hour, and the thirteenth when its turn has come', async () => {
  const panel = await panelOf('often@customer.test', { maxActivations: 2 })
  const other = new Panel(service, panel.licenseKey)
  await panel.activate()
  await other.activate()
  for (let nth = 0; nth < 12; nth += 1) expect((await panel.heartbeat()).status).toBe(200)
  const refused = await panel.heartbeat()
  expect(refused.status).toBe(429)
  expect(refused.body.message).toBe('Too many heartbeats: try again later')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(280)
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(300)
  expect(refused.headers.get('ratelimit-policy')).toBe('"heartbeats";q=12;w=3600')
  expect((await other.heartbeat()).status, 'another instance has its own').toBe(200)

  service.passTime(300_000)
  expect((await panel.heartbeat()).status).toBe(200)
  expect((await panel.heartbeat()).status).toBe(429)
})

test('under one key ten activations an hour are answered; a license that may have more instances may activate them all', async () => {
  const few = await panelOf('few@customer.test', { maxActivations: 2 })
  for (let nth = 0; nth < 10; nth += 1) expect((await few.activate()).status).toBe(nth === 0 ? 201 : 200)
  expect((await few.activate()).status).toBe(429)

  const many = await panelOf('many@customer.test', { maxActivations: 12 })
  for (let nth = 0; nth < 12; nth += 1) expect((await new Panel(service, many.licenseKey).activate()).status).toBe(201)
  expect((await new Panel(service, many.licenseKey).activate()).status).toBe(429)
})

test('of one key only so much is looked at, whatever becomes of it; neither its panels nor other keys lack anything by that', async () => {
  const panel = await panelOf('full@customer.test')
  await panel.activate()
  const other = await panelOf('spared@customer.test')
  const kept = async () =>
    (await service.superuser.query('SELECT count(*)::int AS n FROM telemetry.request_nonce')).rows[0].n
  const answers: string[] = []
  for (let nth = 0; nth < 60; nth += 1) answers.push((await panel.activate()).body.message ?? 'answered')
  const before = await kept()
  expect((await panel.activate()).body.message).toBe('Too many signatures: try again later')
  expect(await kept()).toBe(before)
  expect(answers.filter((message) => message === 'Too many activations: try again later').length).toBeGreaterThan(9)
  expect((await panel.heartbeat()).status).toBe(200)
  expect((await other.activate()).status).toBe(201)
  service.passTime(3_600_000)
  expect((await panel.activate()).status).toBe(200)
})

test('who has no more than the license key uses up no activation of a panel that signs with its own key as well', async () => {
  const panel = await panelOf('known@customer.test')
  await panel.activate()
  const thief = new Panel(service, panel.licenseKey)
  for (let nth = 0; nth < 10; nth += 1) await thief.activate()
  expect((await panel.activate()).status, 'by the license key alone').toBe(429)
  const own = (more: object = {}) => panel.activate(more, { withoutInstance: false })
  expect((await own({ instanceKey: thief.machine.jwk })).status, 'for another key than its own').toBe(429)
  for (let nth = 0; nth < 10; nth += 1) expect((await own()).status).toBe(200)
  expect((await own()).body.message).toBe('Too many activations: try again later')
})

test('who has no more than the license key uses up none of the other requests of its panels', async () => {
  const panel = await panelOf('asking@customer.test')
  await panel.activate()
  const thief = new Panel(service, panel.licenseKey)
  const versions = (some: Panel) => some.send('GET', '/api/v1/license/versions')
  for (let nth = 0; nth < 12; nth += 1) expect((await versions(thief)).status).toBe(200)
  expect((await versions(thief)).body.message).toBe('Too many requests: try again later')
  for (let nth = 0; nth < 11; nth += 1) expect((await versions(panel)).status).toBe(200)
  expect((await panel.deactivate()).status).toBe(200)
  expect((await panel.deactivate()).body.message).toBe('Too many requests: try again later')
})

test('whoever fails thirty times in a minute is refused with 429; who signs rightly is not held up by it', async () => {
  const panel = await panelOf('neighbour@customer.test')
  await panel.activate()
  const statuses: number[] = []
  for (let nth = 0; nth < 34; nth += 1)
    statuses.push((await service.call('POST', '/api/v1/license/heartbeat', { raw: '{}' })).status)
  expect(statuses.filter((status) => status === 401).length).toBeGreaterThanOrEqual(30)
  expect(statuses.at(-1)).toBe(429)
  expect((await panel.heartbeat()).status).toBe(200)
})

test('who fails without end under a license key holds up none of its panels, not even from their own address', async () => {
  const panel = await panelOf('beside@customer.test')
  await panel.activate()
  expect((await panel.heartbeat()).status).toBe(200)
  const thief = new Panel(service, panel.licenseKey)
  const fail = () => thief.send('POST', '/api/v1/license/activate', {}, { raw: '{"altered":1}' })
  const storm = async (times: number) =>
    (await Promise.all(Array.from({ length: times }, fail))).map((each) => each.status)
  await storm(40)
  const waiting = storm(120)
  const answered = await panel.heartbeat()
  expect([answered.status, answered.body.message]).toEqual([200, undefined])
  // Failures are forgiven during the storm, 30 a minute, so a few of its requests may be examined.
  const held = await waiting
  expect(new Set(held)).not.toContain(200)
  expect(held.filter((status) => status === 429).length).toBeGreaterThan(90)
})
