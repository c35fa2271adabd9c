/** A panel that may install versions itself: a real licensing service, and a real engine with a stand-in for its container. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { provide } from '#kernel/lib/services'
import { ownContainer } from '#panel/system/installer'
import { openPanel } from '../../../src/composition/panel.ts'
import { noPanelImage, panelImages } from '../agent/panel-image.ts'
import { noEngine, startEngine } from '../docker-engine.ts'
import { scratchOfFile } from '../scratch.ts'
import { agentOnEngine } from './engine-agent.ts'
import { startPanelAndLicensing } from './panel-and-licensing.ts'
import { ok } from './project-fixture.ts'
import { serverFixture } from './server-fixture.ts'
import type { StartOptions } from './service.ts'

export const IMAGE_FILE = 'panel-image-amd64.tar'

/** Why there can be none here; undefined: there can. */
export const noInstallingPanel = noEngine ?? noPanelImage

/** Call at the top level of a test file, where there can be one: it registers its clean-up. */
export async function startInstallingPanel(options: StartOptions = {}) {
  const filesDir = await mkdtemp(join(tmpdir(), 'releases-'))
  const engine = await startEngine()
  const images = panelImages()
  const stops: (() => Promise<void>)[] = []
  afterAll(async () => {
    for (const stop of stops) await stop()
    images.remove()
    await engine.stop()
    await rm(filesDir, { recursive: true })
  })

  const own: { container: string | undefined } = { container: undefined }
  const open: typeof openPanel = (settings, log, wraps) =>
    openPanel(settings, log, wraps, [provide(ownContainer, async () => own.container)])
  const both = await startPanelAndLicensing({ ...options, dataDir: scratchOfFile(), open }, { filesDir })
  const { panel, service, ask, sold } = both
  const root = await panel.somebody('SUPERADMIN')
  const call = (method: string, path: string, body?: object) =>
    panel.call(method, `/api${path}`, { as: root.as, ...(body ? { body } : {}) })
  const updates = async () => ok(await call('GET', '/system/updates'))
  await ask('POST', '/api/admin/plans', { slug: 'pro', name: 'Pro', maxActivations: 5, features: [] })
  ok(await call('POST', '/admin/license', { licenseKey: (await sold('pro')).licenseKey }))
  await panel.settle()
  const first = images.make('1.0.0', { isChecked: true })
  await engine.api('POST', '/images/load?quiet=1', first.file)

  return {
    ...both,
    own,
    engine,
    images,
    root,
    call,
    updates,
    apply: (body?: object) => call('POST', '/system/updates/apply', body),
    async publish(version: string, name: string, file: Buffer): Promise<void> {
      const { id } = await ask('POST', '/api/admin/versions', { version })
      const added = await fetch(`${service.url}/api/admin/versions/${id}/artifacts?name=${name}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${await service.staff()}`, 'content-type': 'application/octet-stream' },
        body: new Uint8Array(file),
      })
      expect(added.status).toBe(201)
      await ask('POST', `/api/admin/versions/${id}/publish`)
      ok(await call('POST', '/system/updates/check'))
    },
    /** Work of the panel goes on until the version is installed or has failed. */
    async installed() {
      const look = async () => {
        await panel.settle()
        return (await updates()).install
      }
      await expect.poll(async () => (await look()).state, { timeout: 30_000 }).not.toBe('RUNNING')
      return look()
    },
    /** What serves as the panel. */
    async running() {
      const { Id: id, Image: image, Config } = await engine.api('GET', '/containers/panel/json')
      return { id: id as string, image: image as string, env: Config.Env as string[] }
    },
    /** Of the first version. */
    async startContainer(name: string): Promise<string> {
      const { Id } = await engine.api('POST', `/containers/create?name=${name}`, { Image: first.name, Cmd: ['panel'] })
      await engine.api('POST', `/containers/${Id}/start`)
      return Id
    },
    /** The agent of the panel's own host. */
    async startLocalAgent(): Promise<void> {
      const servers = serverFixture(panel)
      const local = { ...servers, add: servers.addLocal }
      const kinds = { 'panel.update': 1 }
      const { stop } = await agentOnEngine(panel, { servers: local, owner: root, engine, engineId: 'own host', kinds })
      stops.push(stop)
    },
  }
}
