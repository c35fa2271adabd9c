/**
 * A host of its own behind what drops all that comes in: `daybook agent` on a real engine there, from the install token to
 * a registry, while the link is cut and agent and engine are killed.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { noEngine, sleepTar, startEngine } from '../../support/docker-engine.ts'
import { FORWARD, forward } from '../../support/forward.ts'
import { namespaceLink, noNamespaces } from '../../support/namespace-link.ts'
import { ok, refusalIn } from '../../support/panel/project-fixture.ts'
import { serverFixture } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'
import { BIN, daybook } from '../../support/processes/process.ts'
import type { RunningProcess } from '../../support/processes/process.ts'
import { programTrace } from '../../support/program-trace.ts'
import { loadRegistryImage, noRegistryPackage } from '../../support/registry-image.ts'
import { scratchOfFile } from '../../support/scratch.ts'

const panel = await startPanel()
await panel.licensed()
const { add, get, remove, grant } = serverFixture(panel)
const [ada, bob] = [await panel.somebody('SUPERADMIN'), await panel.somebody()]
const directory = scratchOfFile()
const isSkipped = (noEngine ?? noNamespaces ?? noRegistryPackage) !== undefined

/** A host with an engine, which reaches the panel at the panel's own address, as through TLS. */
async function ownHost() {
  const { port } = new URL(panel.url)
  const link = namespaceLink(Number(port))
  const toPanel = await forward({ host: link.host, port: Number(port) }, { host: '127.0.0.1', port: Number(port) })
  const inside = daybook(['127.0.0.1', port, link.host, port], {}, '/', FORWARD, link.within)
  await inside.until('it forwards')
  const engine = await startEngine({ within: link.within })
  return {
    link,
    engine,
    async stop() {
      await engine.stop()
      await inside.stop('SIGKILL')
      await toPanel.close()
      await link.close()
    },
  }
}

const host = isSkipped ? undefined : await ownHost()
const trace = programTrace(join(directory, 'programs'))
let agent: RunningProcess | undefined
let isOver = false
afterAll(async () => {
  isOver = true
  await agent?.stop('SIGKILL')
  await host?.stop()
})

/** Starts again when it ends, as systemd does. */
async function keepAgent(installToken: string): Promise<void> {
  const file = join(directory, 'install-token')
  await writeFile(file, installToken)
  const words = ['agent', join(directory, 'agent'), panel.url]
  const env = { DOCKER_HOST: `unix://${host!.engine.socketPath}` }
  const within = [...host!.link.within, 'sh', '-c', 'exec "$@" <"$0"', file, ...trace.within]
  void (async () => {
    while (!isOver) {
      agent = daybook(words, env, '/', BIN, within)
      await agent.ended()
    }
  })()
}

test.skipIf(isSkipped)(
  'it is a server by its command alone, and loses nothing while the link, the agent and the engine fail',
  async () => {
    const { link, engine } = host!
    const { id, installToken } = await add(ada, { name: 'east' })
    await grant(ada, id, { userId: ada.id })
    await keepAgent(installToken)
    const statusOf = async () => ok(await get(ada, `/${id}`)).status
    await vi.waitUntil(async () => (await statusOf()) === 'ONLINE', { timeout: 20_000 })
    expect([ok(await get(bob, '/mine')), (await get(bob, `/${id}`)).status]).toEqual([[], 404])

    await loadRegistryImage(engine)
    const values = { kind: 'SELF_HOSTED', name: 'own', serverId: id, diskMiB: 1_000 }
    const registries = (method: string, path = '', body?: object) =>
      panel.call(method, `/api/registries${path}`, { as: ada.as, ...(body && { body }) })
    const { id: registryId } = ok(await registries('POST', '', values), 201)
    const registry = async () => {
      await panel.settle()
      return ok(await registries('GET')).find((each: any) => each.id === registryId)
    }
    await expect
      .poll(registry, { timeout: 30_000 })
      .toMatchObject({ address: expect.stringMatching(/^127/), problem: null })
    expect(ok(await registries('POST', `/${registryId}/test`))).toEqual({ ok: true, step: null, reason: null })
    expect(refusalIn(await remove(ada, `/${id}`))).toEqual([409, 'IN_USE'])

    await engine.api('POST', '/images/create?fromSrc=-&repo=sleeping', sleepTar())
    const sleeper = {
      Image: 'sleeping',
      Cmd: ['/bin/sleep', '600'],
      HostConfig: { NetworkMode: 'none' },
      StopTimeout: 5,
    }
    const { Id: containerId } = await engine.api('POST', '/containers/create?name=web', sleeper)
    const change = async (action: string): Promise<string> => {
      const path = `/api/engine/servers/${id}/containers/action`
      const { body } = await panel.call('POST', path, { as: ada.as, body: { containerId, action } })
      return body.taskId
    }
    const taskOf = async (taskId: string) => ok(await panel.call('GET', `/api/agent/tasks/${taskId}`, { as: ada.as }))
    const running = async () => (await engine.api('GET', `/containers/${containerId}/json`)).State.Running

    // The program heeds no SIGTERM, so that stopping it takes its five seconds.
    await engine.api('POST', `/containers/${containerId}/start`)
    const stopping = change('stop')
    await pause(1_000)
    await engine.kill()
    link.cut()
    await pause(1_000)
    await engine.start()
    link.mend()
    await expect.poll(async () => taskOf(await stopping), { timeout: 40_000 }).toMatchObject({ state: 'SUCCEEDED' })
    expect(await running()).toBe(false)

    await vi.waitUntil(async () => (await statusOf()) === 'ONLINE', { timeout: 20_000 })
    const starting = change('start')
    await agent!.stop('SIGKILL')
    await expect.poll(async () => taskOf(await starting), { timeout: 40_000 }).toMatchObject({ state: 'SUCCEEDED' })
    expect(await running()).toBe(true)

    const login = async () => ok(await registries('POST', `/${registryId}/test`)).ok
    await expect.poll(login, { timeout: 30_000 }).toBe(true)
    ok(await registries('DELETE', `/${registryId}?deleteData=true`), 204)
    const left = async () => {
      await panel.settle()
      return (await engine.api('GET', '/volumes')).Volumes ?? []
    }
    await expect.poll(left, { timeout: 20_000 }).toEqual([])

    const engineOf = (path: string) => `/api/engine/servers/${id}${path}`
    for (const list of ['/containers', '/images', '/networks', '/volumes'])
      ok(await panel.call('GET', engineOf(list), { as: ada.as }))
    const prune = { olderThanHours: 1, parts: ['IMAGES', 'NETWORKS', 'CACHE'] }
    expect(ok(await panel.call('POST', engineOf('/prune'), { as: ada.as, body: prune })).state).toBe('SUCCEEDED')
    ok(await remove(ada, `/${id}`), 204)
    const started = await trace.programs()
    const programs = [...(started ?? [])].filter((path) => !path.endsWith('/haproxy'))
    if (started)
      expect(programs, 'the agent starts no shell, and beside its own only HAProxy').toEqual([process.execPath])
  },
  180_000,
)
