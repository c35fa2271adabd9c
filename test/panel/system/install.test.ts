/** The panel installs a version itself: a real licensing service, a real agent, and a real engine that runs its container. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { provide } from '#kernel/lib/services'
import { ownContainer } from '#panel/system/installer'
import { openPanel } from '../../../src/composition/panel.ts'
import { noPanelImage, panelImages } from '../../support/agent/panel-image.ts'
import { noEngine, startEngine } from '../../support/docker-engine.ts'
import { agentOnEngine } from '../../support/panel/engine-agent.ts'
import { startPanelAndLicensing } from '../../support/panel/panel-and-licensing.ts'
import { ok, refusalIn } from '../../support/panel/project-fixture.ts'
import { serverFixture } from '../../support/panel/server-fixture.ts'
import { scratchOfFile } from '../../support/scratch.ts'

const isSkipped = noEngine !== undefined || noPanelImage !== undefined
const engine = isSkipped ? undefined : await startEngine()
const images = isSkipped ? undefined : panelImages()
const filesDir = await mkdtemp(join(tmpdir(), 'releases-'))
const stops: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const stop of stops) await stop()
  images?.remove()
  await engine?.stop()
  await rm(filesDir, { recursive: true })
})

let container: string | undefined
const { service, panel, ask, sold, network, comeBack } = await startPanelAndLicensing(
  {
    dataDir: scratchOfFile(),
    open: (settings, log, wraps) => openPanel(settings, log, wraps, [provide(ownContainer, async () => container)]),
  },
  { filesDir },
)
const servers = serverFixture(panel)
const root = await panel.somebody('SUPERADMIN')
const call = (method: string, path: string, body?: object) =>
  panel.call(method, `/api${path}`, { as: root.as, ...(body ? { body } : {}) })
const updates = async () => ok(await call('GET', '/system/updates'))
const apply = (body?: object) => call('POST', '/system/updates/apply', body)
const taskOf = async (taskId: string) => ok(await call('GET', `/agent/tasks/${taskId}`))

async function publish(version: string, name: string, file: Buffer): Promise<void> {
  const { id } = await ask('POST', '/api/admin/versions', { version })
  const added = await fetch(`${service.url}/api/admin/versions/${id}/artifacts?name=${name}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await service.staff()}`, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(file),
  })
  expect(added.status).toBe(201)
  await ask('POST', `/api/admin/versions/${id}/publish`)
  ok(await call('POST', '/system/updates/check'))
}

const IMAGE = 'panel-image-amd64.tar'

/** Work of the panel goes on until the version is installed or has failed. */
async function installed() {
  const look = async () => {
    await panel.settle()
    return (await updates()).install
  }
  await expect.poll(async () => (await look()).state, { timeout: 30_000 }).not.toBe('RUNNING')
  return look()
}

const running = async () => {
  const { Id: id, Image: image, Config } = await engine!.api('GET', '/containers/panel/json')
  return { id: id as string, image: image as string, env: Config.Env as string[] }
}

const first = images?.make('1.0.0', { isChecked: true })

async function startContainer(name: string): Promise<string> {
  const { Id } = await engine!.api('POST', `/containers/create?name=${name}`, { Image: first!.name, Cmd: ['panel'] })
  await engine!.api('POST', `/containers/${Id}/start`)
  return Id
}

test.skipIf(isSkipped)('what keeps the panel from it is told, and the operator installs the version', async () => {
  await ask('POST', '/api/admin/plans', { slug: 'pro', name: 'Pro', maxActivations: 5, features: [] })
  ok(await call('POST', '/admin/license', { licenseKey: (await sold('pro')).licenseKey }))
  await panel.settle()
  await publish('99.0.0', 'panel.tgz', Buffer.from('no image'))
  const obstacle = async () => {
    const { how, obstacle: found, remedy } = await updates()
    expect([how, remedy]).toEqual(['BY_HAND', expect.stringContaining('99.0.0')])
    expect(refusalIn(await apply())).toEqual([409, 'BY_HAND'])
    return found.code
  }
  expect(await obstacle()).toBe('NO_CONTAINER')
  await engine!.api('POST', '/images/load?quiet=1', first!.file)
  container = await startContainer('panel')
  expect(await obstacle()).toBe('NO_AGENT')
  const { stop } = await agentOnEngine(panel, {
    servers: { ...servers, add: servers.addLocal },
    owner: root,
    engine: engine!,
    engineId: 'of this host',
    kinds: { 'panel.update': 1 },
  })
  stops.push(stop)
  await expect.poll(obstacle).toBe('NO_FILE')
  const other = await startContainer('other')
  expect(await obstacle()).toBe('OTHER_CONTAINERS')
  await engine!.api('DELETE', `/containers/${other}?force=true`)
  container = 'a'.repeat(64)
  expect(await obstacle()).toBe('NOT_FOUND')
  container = (await running()).id
})

test.skipIf(isSkipped)('a version is fetched, put in the place of the running one, and named by the log', async () => {
  const { file, sha256 } = images!.make('2.0.0', { isChecked: true })
  await publish('99.1.0', IMAGE, file)
  expect(await updates()).toMatchObject({ how: 'AGENT', remedy: null, obstacle: null, install: null })
  for (const [version, code] of [
    ['98.0.0', 'NOT_OFFERED'],
    ['99.0.0', 'BY_HAND'],
  ])
    expect(refusalIn(await apply({ version }))).toEqual([409, code])
  const before = await running()
  const { taskId } = ok(await apply(), 202)
  expect(await taskOf(taskId)).toMatchObject({ state: 'QUEUED', kind: 'panel.update', payload: { version: '99.1.0' } })
  expect(refusalIn(await apply())).toEqual([409, 'RUNNING'])
  expect(await updates()).toMatchObject({ install: { version: '99.1.0', taskId, state: 'RUNNING', endedAt: null } })
  expect(await installed()).toMatchObject({ state: 'INSTALLED', code: null, taskId })
  expect(await taskOf(taskId)).toMatchObject({ state: 'SUCCEEDED', result: { step: 'READY', rolledBack: false } })
  const after = await running()
  expect(after.id).not.toBe(before.id)
  expect(after.env).toEqual(expect.arrayContaining(['VERSION=2.0.0', `RELEASE_SHA256=${sha256}`]))
  container = after.id
  const { lines } = ok(await call('GET', '/system/updates/log'))
  expect(lines.slice(0, 2).map(({ text }: { text: string }) => text)).toEqual([
    'The panel installed version 99.1.0',
    'An account asked the panel to install version 99.1.0',
  ])
})

test.skipIf(isSkipped)('a version that does not serve is taken back', async () => {
  await publish('99.2.0', IMAGE, images!.make('2.1.0', { isChecked: true, ready: 'no' }).file)
  const before = await running()
  ok(await apply(), 202)
  expect(await installed()).toMatchObject({ version: '99.2.0', state: 'FAILED', code: 'TAKEN_BACK' })
  expect(await running()).toEqual(before)
})

test.skipIf(isSkipped)('bytes that the signed list does not name reach no agent', async () => {
  network.by = async ({ pathname, search }, init) => {
    const answered = await fetch(service.url + pathname + search, init)
    if (!pathname.startsWith('/api/versions/')) return answered
    const bytes = Buffer.from(await answered.arrayBuffer())
    bytes[0]! ^= 1
    return new Response(bytes)
  }
  const { taskId } = ok(await apply(), 202)
  expect(await installed()).toMatchObject({ state: 'FAILED', code: 'FILE_NOT_FETCHED' })
  expect(await taskOf(taskId)).toMatchObject({
    state: 'FAILED',
    attempt: 0,
    error: { message: expect.stringContaining('other bytes') },
  })
  comeBack()
})
