/**
 * The panel's license, over HTTP on both sides. The licensing service, the network or time cause each of its
 * states.
 */
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { limitsOf } from '#panel/license/limits'
import { DAY_MS, HOUR_MS, startPanelAndLicensing } from '../../support/panel/panel-and-licensing.ts'

const { service, panel, ask, sold, network, comeBack, goAway } = await startPanelAndLicensing()
const FREE = { plan: 'free', usersMax: 3, projectsMax: 3, serversMax: 1, applicationsMax: 10 }
const PRO = { plan: 'pro', usersMax: 10, serversMax: 1, applicationsMax: 10 }

let admin = ''
beforeAll(async () => {
  const features = { users: ['users.max', 'INTEGER'], projects: ['projects.max', 'INTEGER'] } as const
  for (const [name, [key, type]] of Object.entries(features))
    await ask('POST', '/api/admin/features', { key, name, type })
  const of = (users: number) => [
    { key: 'users.max', value: users },
    { key: 'projects.max', value: -1 },
  ]
  await ask('POST', '/api/admin/plans', { slug: 'pro', name: 'Pro', maxActivations: 5, features: of(10) })
  await ask('POST', '/api/admin/plans', { slug: 'max', name: 'Max', free: true, maxActivations: 5, features: of(100) })
  admin = (await panel.account('SUPERADMIN')).email
})

afterEach(async () => {
  comeBack()
  const { body } = await call('GET')
  if (body.keyId !== null) await call('POST', '/remove')
})

let as: string | undefined

/** Sessions end as the time passes. */
function passTime(ms: number, { onlyHere = false } = {}): void {
  panel.passTime(ms)
  if (!onlyHere) service.passTime(ms)
  as = undefined
}

async function call(method: 'GET' | 'POST', path = '', body?: object) {
  as ??= await panel.signIn(admin)
  return panel.call(method, `/api/admin/license${path}`, { as, ...(body ? { body } : {}) })
}

const limits = () => panel.run(limitsOf)
const status = async () => (await call('GET')).body.status
const types = async () => (await panel.history()).map(({ type }) => type).filter((type) => type.startsWith('License'))

/** An activated license of the plan. */
async function licensed(planSlug = 'pro') {
  const license = await sold(planSlug)
  const set = await call('POST', '', { licenseKey: license.licenseKey })
  expect(set.status, set.text).toBe(200)
  return { ...license, set: set.body }
}

describe('a license key', () => {
  test('is activated at once and lifts the limits', async () => {
    expect(await status()).toBe('FREE')
    expect(await limits()).toEqual(FREE)
    const { set, keyId } = await licensed()
    expect(set).toMatchObject({ status: 'ACTIVE', reason: null, plan: 'pro', keyId, source: 'ONLINE' })
    expect(set.features).toEqual({ 'users.max': 10, 'projects.max': -1 })
    expect((await call('GET')).body).toEqual(set)
    expect(await limits()).toEqual(PRO)
    expect((await types()).slice(-2)).toEqual(['LicenseKeySet', 'LicenseStateChanged'])
  })

  test('that is none is refused', async () => {
    const reply = await call('POST', '', { licenseKey: 'open sesame' })
    expect([reply.status, reply.headers.get('error-code')]).toEqual([400, 'LICENSE_KEY_INVALID'])
    expect((await call('POST', '', { licenseKey: 'x', more: 1 })).status).toBe(400)
  })

  test('that the service does not take changes nothing', async () => {
    const { set } = await licensed()
    const { licenseKey, id } = await sold('pro')
    await ask('POST', `/api/admin/licenses/${id}/revoke`, { reason: 'refunded' })
    const before = await types()
    const reply = await call('POST', '', { licenseKey })
    expect(reply.status, reply.text).toBe(409)
    expect((await call('GET')).body).toEqual(set)
    expect(await types()).toEqual(before)
  })

  test('is not set while nobody answers', async () => {
    const { licenseKey } = await sold('pro')
    goAway()
    const before = await types()
    const reply = await call('POST', '', { licenseKey })
    expect([reply.status, reply.headers.get('error-code')]).toEqual([503, 'LICENSING_UNREACHABLE'])
    expect(await types()).toEqual(before)
    expect(await limits()).toEqual(FREE)
  })

  test('stands nowhere in clear', async () => {
    const { licenseKey } = await licensed()
    const dump = await panel.dump()
    expect(dump).not.toContain(licenseKey)
    expect(dump + panel.logs()).not.toContain(licenseKey.split('.')[1]!)
  })
})

describe('a removed key', () => {
  test('leaves the free tier, also where nobody answers', async () => {
    await licensed()
    goAway()
    const removed = await call('POST', '/remove')
    expect(removed.body).toMatchObject({ status: 'FREE', plan: 'free', keyId: null })
    expect(await limits()).toEqual(FREE)
    expect((await call('POST', '/remove')).status).toBe(409)
    expect((await call('POST', '/revalidate')).status).toBe(409)
  })

  test('gives its slot back', async () => {
    const { id } = await licensed()
    await call('POST', '/remove')
    expect((await ask('GET', `/api/admin/licenses/${id}`)).activeInstances).toBe(0)
  })
})

describe('heartbeats', () => {
  test('come by themselves when they are due, and not before', async () => {
    const { id } = await licensed()
    await panel.settle()
    const before = network.asked
    passTime(HOUR_MS)
    await panel.settle()
    expect(network.asked).toBe(before)
    await ask('POST', `/api/admin/licenses/${id}/suspend`, { reason: 'unpaid' })
    passTime(5 * HOUR_MS)
    await panel.settle()
    expect(network.asked).toBeGreaterThan(before)
    expect(await limits()).toEqual({ ...FREE, plan: 'free (the license of plan pro is degraded)' })
    expect((await types()).at(-1)).toBe('LicenseStateChanged')
  })

  test('tell how many accounts there are, and nothing else of how the panel is used', async () => {
    const { id } = await licensed()
    const told = async () => {
      expect((await call('POST', '/revalidate')).body.source).toBe('ONLINE')
      const sql = 'SELECT usage FROM telemetry.heartbeat WHERE usage IS NOT NULL AND instance_id = $1'
      const { items } = await ask('GET', `/api/admin/instances?licenseId=${id}`)
      return (await service.superuser.query(sql, [items[0].id])).rows.map(({ usage }) => usage)
    }
    const [before] = await told()
    await panel.account('USER')
    await panel.account('USER', 'PENDING_VERIFICATION')
    expect(await told()).toEqual([{ users: before.users + 2 }])
  })

  test('are no history while nothing changes', async () => {
    await licensed()
    const before = await types()
    for (let beat = 0; beat < 3; beat += 1) {
      passTime(5 * HOUR_MS)
      await panel.settle()
    }
    expect(await types()).toEqual(before)
    expect((await call('GET')).body.source).toBe('ONLINE')
  })
})

describe('what staff do to a license', () => {
  test('suspended and resumed, reaches the panel', async () => {
    const { id } = await licensed()
    await ask('POST', `/api/admin/licenses/${id}/suspend`, { reason: 'unpaid' })
    const suspended = await call('POST', '/revalidate')
    expect(suspended.body).toMatchObject({ status: 'DEGRADED', reason: 'SUSPENDED', source: 'ONLINE' })
    expect(await limits()).toMatchObject({ usersMax: 3 })
    await ask('POST', `/api/admin/licenses/${id}/resume`)
    expect((await call('POST', '/revalidate')).body).toMatchObject({ status: 'ACTIVE', source: 'ONLINE' })
    expect(await limits()).toEqual(PRO)
  })

  test('revoked, degrades the panel', async () => {
    const { id } = await licensed()
    await ask('POST', `/api/admin/licenses/${id}/revoke`, { reason: 'refunded' })
    expect((await call('POST', '/revalidate')).body).toMatchObject({ status: 'DEGRADED', reason: 'REVOKED' })
    expect(await limits()).toMatchObject({ usersMax: 3, projectsMax: 3 })
  })

  test('extended, is renewed by a heartbeat', async () => {
    const { id, set } = await licensed()
    await ask('POST', `/api/admin/licenses/${id}/extend`, { days: 30 })
    const { body } = await call('POST', '/revalidate')
    expect(Date.parse(body.expiresAt) - Date.parse(set.expiresAt)).toBe(30 * DAY_MS)
  })

  test('changed to another plan, is followed', async () => {
    const { subscription, keyId } = await licensed()
    await ask('PATCH', `/api/admin/subscriptions/${subscription.id}`, { planSlug: 'max' })
    const { body } = await call('POST', '/revalidate')
    expect(body).toMatchObject({ status: 'ACTIVE', plan: 'max', source: 'ONLINE' })
    expect(body.keyId).not.toBe(keyId)
    expect(await limits()).toEqual({ plan: 'max', usersMax: 100, serversMax: 1, applicationsMax: 10 })
  })
})

describe('without a network', () => {
  test('a panel is offline, then in grace, then degraded, and comes back', async () => {
    await licensed()
    goAway()
    expect((await call('POST', '/revalidate')).body).toMatchObject({ status: 'OFFLINE', source: 'CACHE' })
    expect(await limits()).toEqual(PRO)
    passTime(15 * DAY_MS)
    await panel.settle()
    expect((await call('GET')).body).toMatchObject({ status: 'GRACE', reason: 'LEASE_EXPIRED', source: 'CACHE' })
    expect(await limits()).toEqual(PRO)
    passTime(HOUR_MS)
    await panel.settle()
    const told = panel.mails.filter(({ to }) => to === admin).map(({ subject }) => subject)
    expect(told.filter((subject) => subject.includes('grace'))).toHaveLength(1)
    passTime(14 * DAY_MS)
    expect(await limits(), 'also before anybody has looked').toMatchObject({ usersMax: 3 })
    await panel.settle()
    expect(await status()).toBe('DEGRADED')
    comeBack()
    expect((await call('POST', '/revalidate')).body).toMatchObject({ status: 'ACTIVE', source: 'ONLINE' })
    expect(await limits()).toEqual(PRO)
  })

  test('a panel that never had one goes on with a lease file', async () => {
    const { licenseKey, id, keyId } = await sold('pro')
    goAway()
    const asked = await call('POST', '', { licenseKey, offline: true })
    expect(asked.body).toMatchObject({ status: 'FREE', reason: 'NOT_ACTIVATED', keyId })
    const request = { request: asked.body.offlineRequest, days: 60 }
    const file = await ask('POST', `/api/admin/licenses/${id}/offline-lease`, request)
    const leaseFile = JSON.stringify(file)
    expect((await call('POST', '', { leaseFile: leaseFile.slice(0, -9) })).headers.get('error-code')).toBe(
      'LEASE_FILE_REFUSED',
    )
    expect(await limits()).toEqual(FREE)
    const taken = await call('POST', '', { leaseFile })
    expect(taken.body, taken.text).toMatchObject({ status: 'ACTIVE', plan: 'pro', source: 'FILE' })
    expect(await limits()).toEqual(PRO)
    passTime(20 * DAY_MS)
    await panel.settle()
    expect((await call('GET')).body).toMatchObject({ source: 'FILE', status: 'OFFLINE' })
    expect(await limits()).toEqual(PRO)
  })

  test('a clock that is set back is noticed, and borne for 72 hours', async () => {
    await licensed()
    goAway()
    passTime(-3 * DAY_MS, { onlyHere: true })
    await call('POST', '/revalidate')
    expect((await call('GET')).body).toMatchObject({ status: 'TAMPERED', reason: 'TAMPERED' })
    expect(await limits()).toEqual(PRO)
    passTime(3 * DAY_MS + HOUR_MS, { onlyHere: true })
    expect(await status()).toBe('DEGRADED')
    expect(await limits()).toMatchObject({ usersMax: 3 })
    comeBack()
    service.passTime(HOUR_MS)
    expect((await call('POST', '/revalidate')).body.status).toBe('ACTIVE')
  })

  const FORGED = '{"lease":"e30.e30.e30","licenseKey":null}'
  test.each([
    ['a captive portal', async () => new Response('<html>Sign in to the Wi-Fi</html>', { status: 200 })],
    ['a way round', async () => new Response(null, { status: 302, headers: { location: 'http://portal.test/' } })],
    ['a 404', async () => Response.json({ statusCode: 404, message: 'Not found' }, { status: 404 })],
    ['a 500', async () => Response.json({ statusCode: 500, message: 'Internal error' }, { status: 500 })],
    ['a forgery', async () => new Response(FORGED, { headers: { 'content-type': 'application/json' } })],
  ])('%s changes nothing', async (_what, by) => {
    const { set } = await licensed()
    network.by = by
    const { body } = await call('POST', '/revalidate')
    expect(body).toMatchObject({
      ...set,
      status: 'OFFLINE',
      reason: 'UNREACHABLE',
      graceUntil: body.graceUntil,
      source: 'CACHE',
    })
    expect(await limits()).toEqual(PRO)
  })

  test.each([
    ['is replayed', (text: string) => text],
    ['is cut off', (text: string) => text.slice(0, -40)],
  ])('an answer that %s changes nothing', async (_how, spoil) => {
    const { id } = await licensed()
    await ask('POST', `/api/admin/licenses/${id}/suspend`, { reason: 'unpaid' })
    let kept = ''
    network.by = async ({ pathname, search }, init) => {
      const answered = await fetch(service.url + pathname + search, init)
      if (pathname.endsWith('/heartbeat')) kept = await answered.clone().text()
      return answered
    }
    expect((await call('POST', '/revalidate')).body.status).toBe('DEGRADED')
    await ask('POST', `/api/admin/licenses/${id}/resume`)
    comeBack()
    expect((await call('POST', '/revalidate')).body.status).toBe('ACTIVE')
    network.by = async () => new Response(spoil(kept), { headers: { 'content-type': 'application/json' } })
    expect((await call('POST', '/revalidate')).body).toMatchObject({ status: 'OFFLINE', source: 'CACHE' })
    expect(await limits()).toEqual(PRO)
  })
})

describe('what it counts', () => {
  test('is documented where it is refused, and nowhere else', async () => {
    const { body } = await panel.call('GET', '/api/openapi.json')
    const documented = Object.entries<Record<string, any>>(body.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { responses }]) => ('402' in responses ? [`${method} ${path}`] : [])),
    )
    expect(documented.toSorted()).toEqual([
      'post /api/admin/users',
      'post /api/agent/register',
      'post /api/applications',
      'post /api/applications/{id}/duplicate',
      'post /api/auth/register',
      'post /api/projects',
      'post /api/projects/{id}/duplicate',
      'post /api/projects/{id}/environments/{envId}/promote-to/{dstEnvId}',
      'post /api/servers',
      'post /api/servers/local/install-agent',
    ])
  })

  test('is refused with 402 at the limit, and what there is stays', async () => {
    const own = await panel.signIn(admin)
    const create = (name: string) => panel.call('POST', '/api/projects', { as: own, body: { name } })
    for (const name of ['one', 'two', 'three']) expect((await create(name)).status).toBe(201)
    const refused = await create('four')
    expect(refused).toMatchObject({
      status: 402,
      body: { statusCode: 402, message: 'The plan free allows 3 projects: upgrade it or delete a project' },
    })
    expect(refused.headers.get('error-code')).toBe('LIMIT_REACHED')
    const { id } = await licensed()
    expect((await create('four')).status).toBe(201)
    await ask('POST', `/api/admin/licenses/${id}/suspend`, { reason: 'unpaid' })
    expect((await call('POST', '/revalidate')).body.status).toBe('DEGRADED')
    expect((await create('five')).body.message).toBe(
      'The plan free (the license of plan pro is degraded) allows 3 projects: upgrade it or delete a project',
    )
    const all = await panel.call('GET', '/api/projects', { as: own })
    expect(all.body).toHaveLength(4)
    const renamed = await panel.call('PATCH', `/api/projects/${all.body[0].id}`, { as: own, body: { name: 'other' } })
    expect(renamed.status, 'what is there works').toBe(200)
  })
})

describe('who may', () => {
  test('every answer in the affirmative has left an entry with its request id', async () => {
    const { licenseKey } = await sold('pro')
    for (const [path, body] of [['', { licenseKey }], ['/revalidate'], ['/remove']] as const) {
      const reply = await call('POST', path, body)
      expect(reply.status, reply.text).toBe(200)
      const id = reply.headers.get('x-request-id')
      expect((await panel.history()).filter(({ metadata }) => metadata['requestId'] === id).length).toBeGreaterThan(0)
    }
  })
})
