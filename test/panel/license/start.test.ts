/**
 * The panel's license over restarts and between processes: panels on one database, each opened as a process
 * opens it.
 */
import { pino } from 'pino'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { panelLicense } from '#panel/license/decider'
import { limitsOf } from '#panel/license/limits'
import { userRoster } from '#panel/users/decider'
import { Panel } from '#test/support/licensing/raw-panel'
import { openPanel } from '../../../src/composition/panel.ts'
import { startPanelAndLicensing } from '../../support/panel/panel-and-licensing.ts'

const { service, panel, ask, sold, network, comeBack, goAway } = await startPanelAndLicensing()
const LATE_MS = 5_000

beforeAll(async () => {
  const features = [{ key: 'users.max', value: 10 }]
  await ask('POST', '/api/admin/plans', { slug: 'pro', name: 'Pro', maxActivations: 50, features })
})

let admin = ''
async function call(method: 'GET' | 'POST', path = '', body?: object) {
  if (admin === '') admin = (await panel.account('SUPERADMIN')).email
  const as = await panel.signIn(admin)
  return panel.call(method, `/api/admin/license${path}`, { as, ...(body ? { body } : {}) })
}

afterEach(async () => {
  comeBack()
  await call('POST', '/remove')
})

/** Another process on the same database, closed when the test ends. */
async function process(firstKey?: string) {
  const license = { ...panel.settings.license!, firstKey }
  return openPanel({ ...panel.settings, license }, pino({ level: 'silent' }), { clock: () => panel.panel.clock })
}

test('the key of the environment is activated in the background, and counts once', async () => {
  const { licenseKey, keyId } = await sold('pro')
  network.by = () => new Promise(() => {})
  const before = performance.now()
  const first = await process(licenseKey)
  expect(performance.now() - before, 'a start waits for no answer').toBeLessThan(LATE_MS)
  await first.close()
  expect((await call('GET')).body).toMatchObject({ status: 'FREE', reason: 'NOT_ACTIVATED', keyId })

  goAway()
  await panel.settle()
  expect((await call('GET')).body.status).toBe('FREE')
  comeBack()
  for (let waited = 0; waited < 4; waited += 1) {
    panel.passTime(60_000)
    await panel.settle()
  }
  expect((await call('GET')).body).toMatchObject({ status: 'ACTIVE', keyId, source: 'ONLINE' })

  await call('POST', '/remove')
  const again = await process(licenseKey)
  await panel.settle()
  await again.close()
  expect((await call('GET')).body).toMatchObject({ status: 'FREE', keyId: null })
})

test('a key that the service refuses in the background says why and what to do, until it is taken', async () => {
  await ask('POST', '/api/admin/plans', { slug: 'one', name: 'One', maxActivations: 1 })
  const { licenseKey } = await sold('one')
  const before = new Panel(service, licenseKey)
  expect((await before.activate()).status).toBe(201)
  await call('POST', '', { licenseKey, offline: true })
  const startedAt = panel.panel.clock.now()
  const started = await process()
  await panel.settle()
  const message = 'License has no free activation slot (1 of 1 in use)'
  const refused = (await call('GET')).body
  expect(refused).toMatchObject({ status: 'FREE', reason: 'NOT_ACTIVATED', refusal: { code: 'NO_FREE_SLOT', message } })
  const at = Date.parse(refused.refusal.at)
  expect(at, 'in whole seconds').toBeGreaterThan(startedAt.getTime() - 1_000)
  expect(at).toBeLessThanOrEqual(panel.panel.clock.now().getTime())
  expect(panel.logs()).toContain(message)

  await ask('POST', `/api/admin/instances/${before.instanceId}/deactivate`)
  panel.passTime(120_000)
  await panel.settle()
  expect((await call('GET')).body).toMatchObject({ status: 'ACTIVE', refusal: null })
  await started.close()
})

test('what one process has set, every other knows, also after it has started anew', async () => {
  const { licenseKey } = await sold('pro')
  await call('POST', '', { licenseKey })
  const another = await process()
  expect(await another.commands.run({ actor: { type: 'SYSTEM', id: 'x' }, requestId: 'x' }, limitsOf)).toMatchObject({
    plan: 'pro',
  })
  await another.close()
  expect((await call('GET')).body.status).toBe('ACTIVE')
  expect((await call('POST', '/revalidate')).body).toMatchObject({ status: 'ACTIVE', source: 'ONLINE' })
})

test('a removal that was cut short is completed, and nothing is due any more', async () => {
  const { licenseKey, id } = await sold('pro')
  await call('POST', '', { licenseKey })
  await panel.run((unit) => unit.decide(panelLicense, undefined, 'RemoveKey', {}))
  panel.passTime(5 * 3_600_000)
  await panel.settle()
  expect((await call('GET')).body).toMatchObject({ status: 'FREE', keyId: null })
  expect((await ask('GET', `/api/admin/licenses/${id}`)).activeInstances).toBe(0)
  const { rows } = await panel.superuser.query('SELECT ask_at, look_at FROM telemetry.panel_license')
  expect(rows).toEqual([{ ask_at: null, look_at: null }])
})

test('of many questions at once one is asked at a time, and each is answered', async () => {
  const { licenseKey } = await sold('pro')
  await call('POST', '', { licenseKey })
  const direct = network.by
  let [now, most] = [0, 0]
  network.by = async (url, init) => {
    now += 1
    most = Math.max(most, now)
    return direct(url, init).finally(() => (now -= 1))
  }
  const answers = await Promise.all(Array.from({ length: 4 }, () => call('POST', '/revalidate')))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(answers.map(({ body }) => body.source)).toEqual(['ONLINE', 'ONLINE', 'ONLINE', 'ONLINE'])
  expect(most).toBe(1)
})

test('100 accounts at once end at the limit, free or licensed', async () => {
  const enrol = () =>
    panel.run(async (unit) => {
      const { usersMax } = await limitsOf(unit)
      await unit.decide(userRoster, undefined, 'Enrol', {
        userId: unit.newId(),
        role: 'USER',
        isActive: true,
        usersMax,
      })
    })
  const storm = async () => {
    const results = await Promise.allSettled(Array.from({ length: 100 }, enrol))
    const refused = results.flatMap((each) => (each.status === 'rejected' ? [each.reason.statusCode] : []))
    return { made: 100 - refused.length, refused: [...new Set(refused)] }
  }
  const accounts = async () => (await panel.run((unit) => unit.look(userRoster))).all.size
  const { licenseKey } = await sold('pro')
  expect((await call('GET')).body.status, 'asked by the first account').toBe('FREE')
  expect(await accounts()).toBe(1)
  expect(await storm()).toEqual({ made: 2, refused: [402] })
  await call('POST', '', { licenseKey })
  expect(await storm()).toEqual({ made: 7, refused: [402] })
  expect(await accounts()).toBe(10)
})
