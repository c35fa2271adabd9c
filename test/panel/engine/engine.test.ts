/** The container engine of a server over HTTP: a real agent on a real engine, and servers without a live agent. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { uuidv7 } from '#kernel/lib/uuid'
import { installationOf } from '#panel/agent/installation'
import { EMPTY_TAR, noEngine } from '../../support/docker-engine.ts'
import type { TestEngine } from '../../support/docker-engine.ts'
import { ok } from '../../support/panel/project-fixture.ts'
import { realHost } from '../../support/panel/real-host.ts'
import type { RealHost } from '../../support/panel/real-host.ts'
import { serverFixture } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'
import type { Reply } from '../../support/panel/service.ts'
import { scratchOfFile } from '../../support/scratch.ts'

const ABSENT = 'f'.repeat(64)
const panel = await startPanel()
await panel.licensed()
const { add, running, grant } = serverFixture(panel)
const root = await panel.somebody('SUPERADMIN')
const [ada, bob, eve] = [await panel.somebody(), await panel.somebody(), await panel.somebody()]
const silentId = await running(root)

interface Named {
  readonly name: string
}

const refusalIn = ({ status, headers, body }: Reply) => [status, headers.get('error-code'), body.message]
const on =
  (serverId: string) =>
  (method: string, path: string, body?: object, as = root.as) =>
    panel.call(method, `/api/engine/servers/${serverId}/${path}`, { as, ...(body && { body }) })
const act = (serverId: string, containerId: string, action: string, as = root.as) =>
  on(serverId)('POST', 'containers/action', { containerId, action }, as)

test('a server that is not heard of is not read, and gets its work later', async () => {
  for (const list of ['containers', 'images', 'networks', 'volumes'])
    expect(refusalIn(await on(silentId)('GET', list)).slice(0, 2), list).toEqual([503, 'SERVER_OFFLINE'])
  const { taskId, ...queued } = ok(await act(silentId, ABSENT, 'stop'), 202)
  expect(queued).toEqual({ state: 'QUEUED', result: null, error: null })
  const task = ok(await panel.call('GET', `/api/agent/tasks/${taskId}`, { as: root.as }))
  expect(task).toMatchObject({
    serverId: silentId,
    kind: 'containers.act',
    payload: { containerId: ABSENT, action: 'stop' },
    cause: { type: 'server', id: silentId },
  })
})

test('a server without an agent gets no work', async () => {
  const { id } = await add(root)
  expect(refusalIn(await act(id, ABSENT, 'stop')).slice(0, 2)).toEqual([409, 'NO_AGENT'])
})

test('names and ids are those of the engine’s grammar', async () => {
  const [at, image] = [on(silentId), `sha256:${'a'.repeat(64)}`]
  const bad: readonly (readonly [number, string, string, object?])[] = [
    [400, 'POST', 'containers/action', { containerId: 'web', action: 'stop' }],
    [400, 'POST', 'containers/action', { containerId: ABSENT, action: 'pause' }],
    [400, 'POST', 'containers/action', { containerId: ABSENT, action: 'stop', force: true }],
    [400, 'POST', 'prune', { olderThanHours: 0 }],
    [400, 'POST', 'prune', { parts: ['VOLUMES'] }],
    [400, 'POST', 'prune', { parts: [] }],
    [400, 'GET', 'containers?page=1'],
    [404, 'DELETE', `images/${'a'.repeat(64)}`],
    [404, 'DELETE', `images/${encodeURIComponent(`${image}/../x`)}`],
    [404, 'DELETE', 'networks/bridge'],
    [404, 'DELETE', `volumes/${encodeURIComponent('../etc')}`],
  ]
  for (const [status, method, path, body] of bad) expect((await at(method, path, body)).status, path).toBe(status)
})

test('it is shown to those who may view the server, and changed by those who manage it', async () => {
  await grant(root, silentId, { userId: ada.id, level: 'MANAGE' })
  await grant(root, silentId, { userId: bob.id })
  const status = async (who: { as: string }) => [
    (await on(silentId)('GET', 'images', undefined, who.as)).status,
    (await act(silentId, ABSENT, 'stop', who.as)).status,
  ]
  expect(await status(ada), 'MANAGE').toEqual([503, 202])
  expect(await status(bob), 'USE').toEqual([403, 403])
  expect(await status(eve), 'nothing').toEqual([404, 404])
  expect((await act(uuidv7(), ABSENT, 'stop')).status).toBe(404)
})

const directory = scratchOfFile()
let host: RealHost | undefined
beforeAll(async () => {
  if (noEngine === undefined) host = await realHost(panel, root, directory)
})
afterAll(() => host?.stop())
const here = () => host!.serverId
const api: TestEngine['api'] = (...asked) => host!.engine.api(...asked)

const container = async (name: string, labels: object = {}): Promise<string> =>
  (await api('POST', `/containers/create?name=${name}`, { Image: 'base', Cmd: ['/none'], Labels: labels })).Id

test.skipIf(noEngine)('what is on the host is listed, newest first, by pages too', async () => {
  await api('POST', '/images/create?fromSrc=-&repo=base', EMPTY_TAR)
  const workload = { kind: 'APPLICATION', id: uuidv7() }
  await container('first', {
    'daybook.installation': await installationOf(panel.panel.vault),
    'daybook.workload': `${workload.kind}/${workload.id}`,
  })
  // An engine tells when in whole seconds.
  const second = () => Math.floor(Date.now() / 1_000)
  const first = second()
  await vi.waitUntil(() => second() > first, { timeout: 10_000 })
  await container('second')
  const all = await on(here())('GET', 'containers')
  expect(all.headers.get('total-count')).toBe('2')
  expect(ok(all).map(({ name }: { name: string }) => name)).toEqual(['second', 'first'])
  expect(all.body[1]).toMatchObject({ state: 'created', workload, isPlatform: false })
  const page = ok(await on(here())('GET', 'containers?page=2&pageSize=1'))
  expect(page).toMatchObject({ total: 2, page: 2, pageSize: 1, items: [{ name: 'first' }] })
  expect(ok(await on(here())('GET', 'images'))).toMatchObject([{ tags: ['base:latest'], containers: 2 }])
  expect(ok(await on(here())('GET', 'volumes'))).toEqual([])
  expect(
    ok(await on(here())('GET', 'networks'))
      .map(({ name }: Named) => name)
      .toSorted(),
  ).toEqual(['host', 'none'])
})

test.skipIf(noEngine)('a change is answered with its outcome, and stays in the list of tasks', async () => {
  const id = await container('changed')
  const { taskId, ...done } = ok(await act(here(), id, 'remove'))
  expect(done).toEqual({ state: 'SUCCEEDED', result: { state: 'removed' }, error: null })
  expect(ok(await panel.call('GET', `/api/agent/tasks/${taskId}`, { as: root.as }))).toMatchObject({
    state: 'SUCCEEDED',
    result: { state: 'removed' },
  })
  const { Id: network } = await api('POST', '/networks/create', { Name: 'one', Internal: true })
  await api('POST', '/volumes/create', { Name: 'one' })
  const gone = { state: 'SUCCEEDED', result: { bytes: null } }
  expect(ok(await on(here())('DELETE', `networks/${network}`))).toMatchObject(gone)
  expect(ok(await on(here())('DELETE', 'volumes/one'))).toMatchObject(gone)
  expect(ok(await on(here())('POST', 'prune'))).toMatchObject({ result: { removed: 0, bytes: 0 } })
})

test.skipIf(noEngine)('what the agent would refuse is refused before it is asked', async () => {
  const [base, used] = [await container('base-user'), await container('own', { 'daybook.platform': 'panel' })]
  await container('placed', { 'daybook.installation': 'another', 'daybook.workload': 'APPLICATION/one' })
  const [containers, images, networks] = await Promise.all(
    ['containers', 'images', 'networks'].map(async (list) => ok(await on(here())('GET', list))),
  )
  const placed = containers.find(({ name }: Named) => name === 'placed')
  expect(placed).toMatchObject({ workload: null, isManaged: true })
  const { Id: net } = await api('POST', '/networks/create', { Name: 'n', Labels: { 'daybook.project': 'p' } })
  await api('POST', '/volumes/create', { Name: 'placed', Labels: { 'daybook.workload': 'APPLICATION/one' } })
  const removal = (path: string) => on(here())('DELETE', path)
  const refused = async (reply: Promise<Reply>) => refusalIn(await reply).slice(0, 2)
  expect(await refused(act(here(), ABSENT, 'stop'))).toEqual([404, 'NOT_FOUND'])
  expect(await refused(act(here(), used, 'stop'))).toEqual([409, 'OWN_PANEL'])
  expect(await refused(act(here(), placed.id, 'remove'))).toEqual([409, 'MANAGED'])
  expect(await refused(removal(`images/${images[0].id}`))).toEqual([409, 'IN_USE'])
  expect(await refused(removal(`images/sha256:${ABSENT}`))).toEqual([404, 'NOT_FOUND'])
  const { id: none } = networks.find(({ name }: Named) => name === 'none')
  expect(await refused(removal(`networks/${none}`))).toEqual([409, 'PREDEFINED'])
  expect(await refused(removal(`networks/${net}`))).toEqual([409, 'MANAGED'])
  expect(await refused(removal('volumes/placed'))).toEqual([409, 'MANAGED'])
  expect(await refused(removal('volumes/absent'))).toEqual([404, 'NOT_FOUND'])
  const tasks = await panel.superuser.query('SELECT count(*)::int AS n FROM read.tasks WHERE server_id = $1', [here()])
  expect(ok(await act(here(), base, 'stop'))).toMatchObject({ state: 'SUCCEEDED', result: { state: 'created' } })
  const after = await panel.superuser.query('SELECT count(*)::int AS n FROM read.tasks WHERE server_id = $1', [here()])
  expect(after.rows[0].n, 'the refused ones were never asked').toBe(tasks.rows[0].n + 1)
})

test.skipIf(noEngine)('what fails on the host is an outcome, with what the engine says', async () => {
  expect(ok(await act(here(), await container('broken'), 'start'))).toMatchObject({
    state: 'FAILED',
    result: null,
    error: { code: 'ENGINE_REFUSED', message: expect.stringMatching(/^The engine refused to start the container: /) },
  })
})
