/** The panel’s own host, as a server. */
import { expect, test } from 'vitest'
import { ok, refusalIn } from '../../support/panel/project-fixture.ts'
import { BEAT } from '../../support/panel/server-examples.ts'
import { serverFixture, tokenIn } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'

const panel = await startPanel()
await panel.licensed()
const { get, local, remove } = serverFixture(panel)
const root = await panel.somebody('SUPERADMIN')
const person = await panel.somebody()

test('without an agent it is said what is missing; with one there are its facts and figures', async () => {
  expect(ok(await get(root, '/local'))).toEqual({
    server: null,
    problem: { code: 'NO_AGENT', message: expect.any(String), remedy: expect.any(String) },
  })
  expect((await get(person, '/local-public')).status).toBe(404)
  expect((await get(root, '/local/stats')).status).toBe(404)

  const now = panel.panel.clock.now()
  const id = await local(now)
  expect(ok(await get(root, '/local'))).toMatchObject({
    server: { id, kind: 'LOCAL', status: 'ONLINE' },
    problem: null,
  })
  expect(ok(await get(person, '/local-public'))).toEqual({
    name: 'local',
    status: 'ONLINE',
    publicAddress: null,
    ipv4: '192.0.2.1',
    ipv6: '2001:db8::1',
  })
  panel.passTime(60_000)
  expect(ok(await get(root, '/local/stats'))).toEqual({ ...BEAT, at: now.toISOString(), ageSeconds: 60 })
  expect(refusalIn(await remove(root, `/${id}`))).toEqual([409, 'LOCAL'])
})

test('a panel that starts no programs answers the command that makes its host a server', async () => {
  const fresh = await startPanel()
  await fresh.licensed()
  const { get, post, register } = serverFixture(fresh)
  const root = await fresh.somebody('SUPERADMIN')
  const install = () => post(root, '/local/install-agent')
  expect(refusalIn(await post(root, '/local/setup'))).toEqual([404, 'NOT_FOUND'])
  const first = ok(await install(), 202)
  expect(first).toMatchObject({ state: 'COMMAND', expiresAt: expect.any(String) })
  const { server } = ok(await get(root, '/local'))
  expect(server).toMatchObject({ name: 'local', kind: 'LOCAL', status: 'PENDING_INSTALL' })
  expect(refusalIn(await post(root, '/local/setup'))).toEqual([409, 'NO_AGENT'])
  const again = ok(await install(), 202)
  expect(ok(await get(root, '/local')).server.id, 'it is added once').toBe(server.id)
  await expect(register(tokenIn(first.command)), 'the command before is void').rejects.toMatchObject({
    statusCode: 401,
  })
  await register(tokenIn(again.command))
  expect(ok(await post(root, '/local/setup'), 202)).toEqual({
    taskId: expect.any(String),
    state: 'QUEUED',
    result: null,
    error: null,
  })
})

test('a local server beyond the license is refused before anything is made', async () => {
  const free = await startPanel()
  const admin = await free.somebody('SUPERADMIN')
  await serverFixture(free).add(admin)
  const head = await free.panel.store.head()
  expect(refusalIn(await free.call('POST', '/api/servers/local/install-agent', { as: admin.as }))).toEqual([
    402,
    'LIMIT_REACHED',
  ])
  expect(await free.panel.store.head()).toBe(head)
})
