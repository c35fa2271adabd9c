/** Registries on a real engine: what the plan runs, what it changes, what it leaves alone, and what it says when it cannot. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { hash } from 'bcryptjs'
import { afterAll, expect, test } from 'vitest'
import { uuidv7 } from '#kernel/lib/uuid'
import { engineCall } from '../../../src/agent/engine-call.ts'
import type { EngineCall } from '../../../src/agent/engine-call.ts'
import { TaskFailure } from '../../../src/agent/performer.ts'
import { registriesPlanner } from '../../../src/agent/registries/hosted.ts'
import type { HostedRegistry, RegistriesApplied } from '../../../src/tasks/registries.ts'
import { checkRegistryLogin } from '../../../src/tasks/registry-login.ts'
import { EMPTY_TAR, noEngine, startEngine } from '../../support/docker-engine.ts'
import { loadRegistryImage, noRegistryPackage } from '../../support/registry-image.ts'

const OWN = 'this installation'
const NETWORK = 'daybook-registries'
const isSkipped = noEngine !== undefined || noRegistryPackage !== undefined
const signal = AbortSignal.timeout(60_000)

const engine = isSkipped ? undefined : await startEngine({ publishes: true })
afterAll(async () => {
  if (!engine) return
  for (const { Id } of await engine.api('GET', '/containers/json?all=true'))
    await engine.api('DELETE', `/containers/${Id}?force=true`)
  await engine.api('DELETE', `/networks/${NETWORK}`).catch(() => {})
  await engine.stop()
})
const { apply } = registriesPlanner(engineCall(engine?.socketPath ?? '/nowhere'))
const applied = (registries: readonly HostedRegistry[], erased: readonly string[] = [], installation = OWN) =>
  apply({ installation, registries, erased }, signal) as Promise<RegistriesApplied>

const registry = async (password: string, more: Partial<HostedRegistry> = {}): Promise<HostedRegistry> => ({
  registryId: uuidv7(),
  projectId: null,
  memoryMiB: 256,
  cpuMillis: 250,
  htpasswd: `ada:${await hash(password, 4)}`,
  ...more,
})
const login = (port: number, password: string) =>
  checkRegistryLogin({ address: `127.0.0.1:${port}`, username: 'ada', password, publicOnly: false }, signal)
const containers = async (): Promise<any[]> => engine!.api('GET', '/containers/json?all=true')
const volumes = async (): Promise<string[]> =>
  ((await engine!.api('GET', '/volumes')).Volumes ?? []).map(({ Name }: any) => Name)

test.skipIf(isSkipped)('an image that is missing is a problem of each registry', async () => {
  const own = await registry('one')
  expect(await applied([own])).toEqual({
    ports: [],
    problems: [
      { registryId: own.registryId, code: 'IMAGE_MISSING', message: expect.stringContaining('registry:2.8.3') },
    ],
  })
})

test.skipIf(isSkipped)('a registry runs behind its login, and goes on with its images under another one', async () => {
  await loadRegistryImage(engine!)
  const own = await registry('one')
  const { ports, problems } = await applied([own])
  expect(problems).toEqual([])
  const { port } = ports[0]!
  expect(await login(port, 'one')).toMatchObject({ ok: true })
  expect(await login(port, 'two')).toMatchObject({ ok: false, step: 'LOGIN' })
  const [{ Id: first, Labels }] = await containers()
  expect(Labels).toMatchObject({ 'daybook.installation': OWN, 'daybook.workload': `REGISTRY/${own.registryId}` })
  const { HostConfig } = await engine!.api('GET', `/containers/${first}/json`)
  expect(HostConfig).toMatchObject({ ReadonlyRootfs: true, CapDrop: ['ALL'], Privileged: false, Binds: null })
  expect(HostConfig.PortBindings).toEqual({ '5000/tcp': [{ HostIp: '127.0.0.1', HostPort: String(port) }] })

  expect(await applied([own]), 'done again, it changes nothing').toEqual({ ports, problems: [] })
  expect((await containers()).map(({ Id }) => Id)).toEqual([first])
  await engine!.api('POST', `/containers/${first}/stop?t=1`)
  expect(await applied([own]), 'a stopped one is started').toEqual({ ports, problems: [] })

  const auth = { authorization: `Basic ${Buffer.from('ada:one').toString('base64')}` }
  const upload = await fetch(`http://127.0.0.1:${port}/v2/shop/blobs/uploads/`, { method: 'POST', headers: auth })
  expect(upload.status).toBe(202)
  const other = { ...own, htpasswd: (await registry('two')).htpasswd }
  expect(await applied([other])).toEqual({ ports, problems: [] })
  expect([await login(port, 'one'), await login(port, 'two')]).toMatchObject([{ ok: false }, { ok: true }])
  expect(await volumes()).toEqual([`daybook-registry-${own.registryId}`])

  expect(await applied([], [own.registryId], 'another installation')).toEqual({ ports: [], problems: [] })
  expect([(await containers()).length, (await volumes()).length]).toEqual([1, 1])
  await applied([])
  expect([(await containers()).length, (await volumes()).length], 'data stays').toEqual([0, 1])
  expect(await applied([], [own.registryId])).toEqual({ ports: [], problems: [] })
  expect(await volumes()).toEqual([])
})

test.skipIf(isSkipped)(
  'a new login is the only one, also after the agent was cut off before it was written',
  async () => {
    const own = await registry('one')
    await applied([own])
    const call = engineCall(engine!.socketPath)
    const cutOff = registriesPlanner((method, ...more) => {
      if (method === 'PUT') throw new TaskFailure('ENGINE_DOWN', 'cut off')
      return call(method, ...more)
    })
    const other = { ...own, htpasswd: (await registry('two')).htpasswd }
    await expect(cutOff.apply({ installation: OWN, registries: [other], erased: [] }, signal)).rejects.toMatchObject({
      code: 'ENGINE_DOWN',
    })
    const { ports, problems } = await applied([other])
    expect(problems).toEqual([])
    expect([await login(ports[0]!.port, 'one'), await login(ports[0]!.port, 'two')]).toMatchObject([
      { ok: false },
      { ok: true },
    ])
    await applied([], [own.registryId])
  },
)

test.skipIf(isSkipped)('registries whose network was removed while they were stopped run in a new one', async () => {
  const both = [await registry('a'), await registry('b')]
  const first = await applied(both)
  expect(await engine!.api('GET', `/networks/${NETWORK}`)).toMatchObject({
    Labels: { 'daybook.platform': 'registries' },
  })
  for (const { Id } of await containers()) await engine!.api('POST', `/containers/${Id}/stop?t=1`)
  await engine!.api('DELETE', `/networks/${NETWORK}`)
  expect(await applied(both)).toEqual(first)
  expect(await login(first.ports[1]!.port, 'b')).toMatchObject({ ok: true })
  await applied([])
})

test.skipIf(isSkipped)('one that cannot run is told, and the others run', async () => {
  const [good, stuck, taken] = [await registry('a'), await registry('b'), await registry('c')]
  const { ports } = await applied([good])
  await engine!.api('POST', '/images/create?fromSrc=-&repo=foreign', EMPTY_TAR)
  const name = `daybook-registry-${taken.registryId}`
  await engine!.api('POST', `/containers/create?name=${name}`, { Image: 'foreign', Cmd: ['/none'] })
  const told = await applied([{ ...stuck, port: ports[0]!.port }, taken, good])
  expect(told.ports).toEqual(ports)
  expect(told.problems.map(({ registryId, code }) => [registryId, code])).toEqual([
    [stuck.registryId, 'NOT_STARTED'],
    [taken.registryId, 'NAME_TAKEN'],
  ])
  expect(await login(ports[0]!.port, 'a')).toMatchObject({ ok: true })
})

/** An engine that has nothing and does all that it is asked. */
const willing: EngineCall = async (_method, path) => {
  if (path.startsWith('/containers/json')) return { status: 200, body: [] }
  if (path.startsWith('/images/') || path.startsWith('/networks/')) return { status: 200, body: { Id: 'an id' } }
  return { status: path.endsWith('/json') ? 404 : 204, body: undefined }
}
const listening = async (server: Server): Promise<number> => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

test('a program that has the port of a registry leads the agent nowhere', async () => {
  let calls = 0
  const elsewhere = createServer((_request, response) => {
    calls += 1
    response.writeHead(401).end()
  })
  const to = `http://127.0.0.1:${await listening(elsewhere)}/`
  const leading = createServer((_request, response) => response.writeHead(302, { location: to }).end())
  const own = await registry('one', { port: await listening(leading) })
  const plan = { installation: OWN, registries: [own], erased: [] }
  await expect(registriesPlanner(willing).apply(plan, AbortSignal.timeout(500))).rejects.toThrow()
  expect(calls).toBe(0)
  for (const server of [elsewhere, leading]) server.close()
})

test('registries start side by side, eight at a time, and are told in their order', async () => {
  let [open, most] = [0, 0]
  const counting: EngineCall = async (method, path, ...more) => {
    if (!path.endsWith('/start')) return willing(method, path, ...more)
    open += 1
    most = Math.max(most, open)
    await pause(most === 8 ? 5 : 50)
    open -= 1
    return { status: 500, body: undefined }
  }
  const own = await Promise.all(Array.from({ length: 20 }, () => registry('one', { port: 5_000 })))
  const plan = { installation: OWN, registries: own, erased: [] }
  const told = (await registriesPlanner(counting).apply(plan, signal)) as RegistriesApplied
  expect(most).toBe(8)
  expect(told.problems.map(({ registryId }) => registryId)).toEqual(own.map(({ registryId }) => registryId))
})

test.skipIf(isSkipped)('a port that is taken before the panel knows it is given up for another one', async () => {
  const own = await registry('one')
  const taking = createServer()
  let port = 0
  const call = engineCall(engine!.socketPath)
  const late = registriesPlanner(async (method, path, ...more) => {
    const [, bound] = /"HostPort":"(\d+)"/.exec(JSON.stringify(more[1] ?? '')) ?? []
    if (bound) await once(taking.listen((port = Number(bound)), '127.0.0.1'), 'listening')
    return call(method, path, ...more)
  })
  const first = (await late.apply({ installation: OWN, registries: [own], erased: [] }, signal)) as RegistriesApplied
  expect(first.problems).toMatchObject([{ code: 'NOT_STARTED' }])
  const { ports, problems } = await applied([own])
  expect([problems, ports[0]!.port === port]).toEqual([[], false])
  taking.close()
  await applied([])
})

test('without an engine the plan fails with a code that is tried again', async () => {
  const nowhere = registriesPlanner(engineCall('/nowhere'))
  await expect(nowhere.apply({ installation: OWN, registries: [], erased: [] }, signal)).rejects.toMatchObject({
    code: 'ENGINE_DOWN',
  })
})
