/** Registries over HTTP: whose they are, what is shown of them, and their logins. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { publicTaskKeyOf, taskJwkIn } from '#panel/agent/keys/task-keys'
import { startAgent } from '../../../src/agent/agent.ts'
import { engineCall } from '../../../src/agent/engine-call.ts'
import { askersOn } from '../../../src/agent/performers.ts'
import { newBoxKeys } from '../../../src/tasks/sealed-box.ts'
import { testBeat } from '../../support/agent/performers.ts'
import { ok, projectFixture, refusalIn } from '../../support/panel/project-fixture.ts'
import { serverFixture } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'
import { byBasic, registryDouble } from '../../support/registry-double.ts'

const panel = await startPanel()
await panel.licensed()
const root = await panel.somebody('SUPERADMIN')
const double = await registryDouble()
afterAll(() => double.close())
const floor = projectFixture(panel)
const { running, add: addServer, register, grant } = serverFixture(panel)

const MASK = '********'
const CANARY = 'canary-of-a-registry'
let made = 0
const send = (method: string, who: { as: string }, path: string, body?: unknown) =>
  panel.call(method, `/api/registries${path}`, { as: who.as, ...(body === undefined ? {} : { body }) })
const values = (more: object = {}) => ({
  kind: 'EXTERNAL',
  name: `registry ${(made += 1)}`,
  address: double.address,
  username: 'ada',
  password: CANARY,
  ...more,
})
const add = async (who = root, more: object = {}) => ok(await send('POST', who, '', values(more)), 201)
const listed = async (who: { as: string }, query = '') =>
  ok(await send('GET', who, query)).map(({ id }: { id: string }) => id)

test('a registry is added, listed, changed and removed, and its password is stored nowhere in the clear', async () => {
  const registry = await add(root, { name: ' Main ', address: ' GHCR.io ' })
  expect(registry).toEqual({
    id: expect.any(String),
    kind: 'EXTERNAL',
    projectId: null,
    name: 'Main',
    address: 'ghcr.io',
    serverId: null,
    problem: null,
    username: 'ada',
    password: MASK,
    createdAt: expect.any(String),
  })
  expect(ok(await send('GET', root, ''))).toContainEqual(registry)
  const changed = ok(await send('PATCH', root, `/${registry.id}`, { name: 'Other', password: MASK }))
  expect(changed).toEqual({ ...registry, name: 'Other' })
  expect(refusalIn(await send('POST', root, '', values({ name: 'OTHER' })))).toEqual([409, 'NAME_TAKEN'])
  expect(await panel.dump()).not.toContain(CANARY)
  ok(await send('DELETE', root, `/${registry.id}`), 204)
  expect(await listed(root)).not.toContain(registry.id)
  expect((await send('PATCH', root, `/${registry.id}`, { name: 'Gone' })).status).toBe(404)
  await add(root, { name: 'Other' })
})

test('a body with a bad field is refused', async () => {
  const { id } = await add()
  for (const more of [
    { name: '' },
    { username: 'a:b' },
    { username: 'a\nb' },
    { password: '' },
    { password: MASK },
    { address: 'http://ghcr.io' },
    { address: 'ghcr.io/path' },
    { address: 'ghcr.io:22' },
    { address: 'user@ghcr.io' },
    { kind: 'OTHER' },
  ])
    expect((await send('POST', root, '', values(more))).status, JSON.stringify(more)).toBe(400)
  for (const body of [{}, { username: 'a:b' }, { address: 'ghcr.io' }])
    expect((await send('PATCH', root, `/${id}`, body)).status, JSON.stringify(body)).toBe(400)
})

test('a registry of a project is for its members, and what they may do is what they may do there', async () => {
  const owner = await panel.somebody()
  const projectId = await floor.project(owner)
  const viewer = await floor.member(owner, projectId, { role: 'VIEWER' })
  const stranger = await panel.somebody('ADMIN', ['registries:view', 'registries:manage'])
  const ofPlatform = await add()
  const own = await add(owner, { projectId, name: ofPlatform.name })
  const inProject = `?projectId=${projectId}`
  expect(await listed(viewer, inProject)).toEqual(expect.arrayContaining([own.id, ofPlatform.id]))
  const seen = ok(await send('GET', viewer, inProject))
  const usernames = new Map(seen.map((each: any) => [each.id, each.username]))
  expect([usernames.get(own.id), usernames.get(ofPlatform.id)]).toEqual(['ada', null])
  expect(await listed(stranger)).not.toContain(own.id)
  const unseen = await send('GET', stranger, inProject)
  const unknown = await send('GET', stranger, '?projectId=01890000-0000-7000-8000-00000000dead')
  expect([unseen.status, unseen.text]).toEqual([403, unknown.text])
  expect((await send('GET', viewer, '')).status).toBe(403)
  expect((await send('POST', viewer, '', values({ projectId }))).status).toBe(403)
  expect((await send('POST', stranger, '', values({ projectId }))).status).toBe(404)
  expect((await send('POST', owner, '', values())).status).toBe(403)
  for (const [who, status] of [
    [viewer, 403],
    [stranger, 404],
    [owner, 200],
  ] as const)
    expect((await send('PATCH', who, `/${own.id}`, { name: 'Ours' })).status).toBe(status)
  ok(await floor.remove(owner, `/${projectId}`), 204)
  await panel.settle()
  expect((await panel.history()).filter(({ type }) => type === 'RegistryRemoved').at(-1)?.data).toMatchObject({
    registryId: own.id,
  })
})

test('a login is tested with the stored password, and its use is recorded', async () => {
  double.answer(byBasic('ada', CANARY))
  const { id } = await add()
  expect(ok(await send('POST', root, `/${id}/test`))).toEqual({ ok: true, step: null, reason: null })
  ok(await send('PATCH', root, `/${id}`, { password: 'another one' }))
  expect(ok(await send('POST', root, `/${id}/test`))).toMatchObject({ ok: false, step: 'LOGIN' })
  const tests = (await panel.history()).filter(({ type }) => type === 'RegistryTested')
  expect(tests.map(({ data }) => data)).toMatchObject([
    { registryId: id, ok: true, step: null },
    { registryId: id, ok: false, step: 'LOGIN' },
  ])
})

test('a server logs in with a login that is sealed to its agent', async () => {
  const { id: serverId, installToken } = await addServer(root)
  const boxKeys = newBoxKeys()
  const { token } = await register(installToken, { publicKey: boxKeys.publicKey })
  const directory = await mkdtemp(join(tmpdir(), 'registries-'))
  const agent = await startAgent({
    panelUrl: panel.url,
    serverId,
    token,
    boxKeys,
    taskKeys: [await panel.run(async (unit) => publicTaskKeyOf(await taskJwkIn(unit)))],
    directory,
    performers: [],
    askers: askersOn(engineCall('/nowhere')),
    planners: [],
    beat: testBeat,
    isReady: async () => true,
    log: () => {},
  })
  try {
    double.answer(byBasic('ada', CANARY))
    const { id } = await add()
    const tested = () => send('POST', root, `/${id}/test`, { serverId })
    await expect.poll(async () => (await tested()).body).toEqual({ ok: true, step: null, reason: null })
    expect((await panel.history()).at(-1)).toMatchObject({ type: 'RegistryTested', data: { serverId, ok: true } })
    expect(await panel.dump()).not.toContain(CANARY)
  } finally {
    await agent.stop()
    await rm(directory, { recursive: true })
  }
})

test('a test from a server needs the right to use it, and an agent that answers', async () => {
  const closed = await running(root)
  await grant(root, closed, { userId: root.id })
  const admin = await panel.somebody('ADMIN', ['registries:manage'])
  const { id } = await add()
  expect(refusalIn(await send('POST', admin, `/${id}/test`, { serverId: closed }))).toEqual([403, 'SERVER_NOT_YOURS'])
  expect(refusalIn(await send('POST', root, `/${id}/test`, { serverId: closed }))).toEqual([503, 'SERVER_OFFLINE'])
})

test('an inside address of a project is not called, and an account tests ten times a minute', async () => {
  const owner = await panel.somebody()
  const projectId = await floor.project(owner)
  const { id } = await add(owner, { projectId })
  double.heard.length = 0
  for (let nth = 0; nth < 10; nth += 1)
    expect(ok(await send('POST', owner, `/${id}/test`))).toMatchObject({ step: 'CONNECT' })
  expect(double.heard).toEqual([])
  expect((await send('POST', owner, `/${id}/test`)).status).toBe(429)
})
