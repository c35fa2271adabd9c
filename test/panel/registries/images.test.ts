/** The image of a registry comes to its server by itself: from a file of the panel, or from its hub. Real engines and agents. */
import { appendFileSync, copyFileSync, mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { tasks } from '#panel/agent/decider'
import { noEngine, startEngine } from '../../support/docker-engine.ts'
import type { TestEngine } from '../../support/docker-engine.ts'
import { engineGate } from '../../support/engine-gate.ts'
import { agentOnEngine } from '../../support/panel/engine-agent.ts'
import { ok } from '../../support/panel/project-fixture.ts'
import { serverFixture } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'
import { BIN, daybook } from '../../support/processes/process.ts'
import { makeRegistryImage, noRegistryPackage } from '../../support/registry-image.ts'
import { scratchOfFile } from '../../support/scratch.ts'

const isSkipped = (noEngine ?? noRegistryPackage) !== undefined
const scratch = scratchOfFile()
const [dataDir, imagesDir] = [join(scratch, 'data'), join(scratch, 'images')]
mkdirSync(imagesDir)
const made = isSkipped ? undefined : makeRegistryImage(join(scratch, 'made'))
const panel = await startPanel({ dataDir, imagesDir })
await panel.licensed()
const servers = serverFixture(panel)
const root = await panel.somebody('SUPERADMIN')
/** Without a network, so that no hub is reached. Ports of its containers are published nowhere. */
const offline = isSkipped ? undefined : await startEngine()
const engine = isSkipped ? undefined : await startEngine({ publishes: true })
async function empty({ api }: TestEngine): Promise<void> {
  for (const { Id } of await api('GET', '/containers/json?all=true'))
    await api('DELETE', `/containers/${Id}?force=true`)
  for (const { Id } of await api('GET', '/images/json?all=true')) await api('DELETE', `/images/${Id}?force=true`)
}
afterAll(async () => {
  if (!engine) return
  await empty(engine)
  await engine.api('DELETE', '/networks/daybook-registries').catch(() => {})
  await engine.stop()
  await offline?.stop()
})

const send = (method: string, path: string, body?: object) =>
  panel.call(method, `/api/registries${path}`, { as: root.as, ...(body && { body }) })
const registryOf = async (serverId: string) => {
  await panel.settle()
  return ok(await send('GET', '')).find((each: any) => each.serverId === serverId)
}
const problemOf = async (serverId: string) => (await registryOf(serverId)).problem
const askedOf = async (serverId: string): Promise<any[]> =>
  (await panel.history())
    .filter(({ type, data }) => type === 'TaskQueued' && (data as any).serverId === serverId)
    .filter(({ data }) => (data as any).kind === 'images.ensure')
    .map(({ data }) => data)
let nth = 0
const add = async (serverId: string): Promise<string> =>
  ok(await send('POST', '', { kind: 'SELF_HOSTED', name: `own ${(nth += 1)}`, serverId, diskMiB: 100 }), 201).id
const host = (on = engine!) =>
  agentOnEngine(panel, {
    servers,
    owner: root,
    engine: on,
    engineId: `engine ${(nth += 1)}`,
    kinds: { 'images.ensure': 1 },
  })
const put = () => {
  for (const path of [made!.archive, made!.manifest]) copyFileSync(path, join(imagesDir, path.split('/').at(-1)!))
}
const clear = () => readdirSync(imagesDir).forEach((name) => rmSync(join(imagesDir, name)))
const stored = () => readdirSync(join(dataDir, 'transfers'))

test.skipIf(isSkipped)(
  'a server without the image gets it from the panel, and runs the registry by itself',
  async () => {
    put()
    const agent = await host()
    try {
      const id = await add(agent.serverId)
      const address = expect.stringMatching(/^127\.0\.0\.1:\d+$/)
      await expect.poll(() => registryOf(agent.serverId), { timeout: 20_000 }).toMatchObject({ address, problem: null })
      expect(ok(await send('POST', `/${id}/test`))).toEqual({ ok: true, step: null, reason: null })
      const image = await engine!.api('GET', '/images/registry:2.8.3/json')
      expect(image.Id).toBe(made!.id)
      expect(await askedOf(agent.serverId)).toHaveLength(1)
      expect(stored(), 'the file is not kept for longer than the task').toEqual([])
      await add(agent.serverId)
      await panel.settle()
      expect(await askedOf(agent.serverId), 'an image that is there is not asked for').toHaveLength(1)
    } finally {
      await agent.stop()
    }
  },
  60_000,
)

test.skipIf(isSkipped)(
  'the problem says why the image does not come, and what to do, until it is there',
  async () => {
    clear()
    const agent = await host(offline)
    const { serverId } = agent
    try {
      const id = await add(serverId)
      const missing = (why: RegExp) => ({ code: 'IMAGE_MISSING', message: expect.stringMatching(why) })
      // A plan may be sent twice at first, which is another try.
      let tries = 0
      const becomes = async (why: RegExp) => {
        const told = async () => [await problemOf(serverId), (await askedOf(serverId)).length > tries]
        await expect.poll(told, { timeout: 20_000 }).toEqual([missing(why), true])
        tries = (await askedOf(serverId)).length
      }
      const tryAgain = (username: string) => send('PATCH', `/${id}`, { username })
      await becomes(/does not reach the registry of registry:2\.8\.3.*20 minutes.*docker pull registry:2\.8\.3$/)
      put()
      appendFileSync(join(imagesDir, 'registry-2.8.3.tar'), 'more')
      await tryAgain('a')
      await becomes(/registry-2\.8\.3\.tar of PANEL_IMAGES_DIR: make it again/)
      truncateSync(join(imagesDir, 'registry-2.8.3.tar'), 9_000_000)
      await tryAgain('b')
      await becomes(/registry-2\.8\.3\.tar of PANEL_IMAGES_DIR: make it again/)
      writeFileSync(join(imagesDir, 'registry-2.8.3.json'), '{"name":"another:1"}')
      await tryAgain('c')
      await becomes(/registry-2\.8\.3\.json of PANEL_IMAGES_DIR: make it again/)
      expect([stored(), await offline!.api('GET', '/images/json?all=true')]).toEqual([[], []])
      const sources = (await askedOf(serverId)).map(({ payload }) => JSON.parse(payload).from as string)
      expect(sources.filter((from, nth) => from !== sources[nth - 1])).toEqual(['PULL', 'TRANSFER', 'PULL'])
      put()
      await tryAgain('d')
      const there = async () => {
        await panel.settle()
        return [await offline!.api('GET', '/images/registry:2.8.3/json').catch(() => ({})), stored()]
      }
      await expect.poll(there, { timeout: 20_000 }).toMatchObject([{ Id: made!.id }, []])
    } finally {
      await agent.stop()
    }
  },
  60_000,
)

test.skipIf(isSkipped)(
  'while the server gets the image, the problem says so',
  async () => {
    put()
    await empty(engine!)
    const agent = await host()
    try {
      await add(agent.serverId)
      await expect
        .poll(() => problemOf(agent.serverId), { timeout: 20_000, interval: 5 })
        .toEqual({ code: 'IMAGE_COMING', message: expect.stringContaining('is getting the image') })
      await expect.poll(() => problemOf(agent.serverId), { timeout: 20_000 }).toBeNull()
    } finally {
      await agent.stop()
    }
  },
  60_000,
)

/** `daybook agent` as a process, which reaches the engine by a gate. */
async function agentProcess(name: string) {
  const gate = await engineGate(engine!.socketPath, join(scratch, `${name}.sock`))
  const { id: serverId, installToken } = await servers.add(root)
  const token = join(scratch, `${name}.token`)
  writeFileSync(token, installToken)
  const words = ['agent', join(scratch, name), panel.url]
  const env = { DOCKER_HOST: `unix://${gate.socketPath}` }
  const start = () => daybook(words, env, '/', BIN, ['sh', '-c', 'exec "$@" <"$0"', token])
  let running = start()
  await expect.poll(async () => ok(await servers.get(root, `/${serverId}`)).status, { timeout: 20_000 }).toBe('ONLINE')
  return {
    serverId,
    gate,
    kill: () => running.stop('SIGKILL'),
    startAgain: () => void (running = start()),
    async stop() {
      await running.stop('SIGKILL')
      gate.close()
    },
  }
}

test.skipIf(isSkipped)(
  'an agent that is killed while it brings the image brings it again, in the same attempt; a cancelled one says so',
  async () => {
    put()
    await empty(engine!)
    const { serverId, gate, kill, startAgain, stop } = await agentProcess('killed')
    try {
      gate.hold(true)
      const id = await add(serverId)
      const isHeld = async () => (await panel.settle(), gate.held())
      await expect.poll(isHeld, { timeout: 20_000 }).toBe(1)
      expect((await problemOf(serverId)).code).toBe('IMAGE_COMING')
      await kill()
      await expect.poll(() => gate.held()).toBe(0)
      expect(await engine!.api('GET', '/images/json?all=true')).toEqual([])
      startAgain()
      await expect.poll(isHeld, { timeout: 20_000 }).toBe(1)
      const [{ taskId }] = await askedOf(serverId)
      const taskOf = async () => (
        await panel.settle(),
        ok(await panel.call('GET', `/api/agent/tasks/${taskId}`, { as: root.as }))
      )
      expect(await taskOf()).toMatchObject({ state: 'RUNNING', attempt: 1 })

      await panel.run((unit) => unit.decide(tasks, taskId, 'Cancel', {}))
      await expect.poll(taskOf, { timeout: 10_000 }).toMatchObject({ state: 'CANCELLED', attempt: 1 })
      expect(gate.held()).toBe(0)
      expect((await problemOf(serverId)).message).toMatch(/: the task was cancelled\. It is tried again/)
      expect([stored(), await engine!.api('GET', '/images/json?all=true')]).toEqual([[], []])
      expect(readdirSync(join(scratch, 'killed')).filter((name) => name.startsWith('image-'))).toEqual([])

      await send('PATCH', `/${id}`, { username: 'again' })
      await expect.poll(isHeld, { timeout: 20_000 }).toBe(1)
      await kill()
      gate.hold(false)
      startAgain()
      const address = expect.stringMatching(/^127/)
      await expect.poll(() => registryOf(serverId), { timeout: 30_000 }).toMatchObject({ address, problem: null })
      expect(await askedOf(serverId)).toHaveLength(2)
    } finally {
      await stop()
    }
  },
  90_000,
)
