/** What an agent lists, changes and refuses to change, on a real container engine. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { engineCall } from '../../src/agent/engine-call.ts'
import { hostEngine } from '../../src/agent/host/engine.ts'
import { askersOn, performersOn } from '../../src/agent/performers.ts'
import { noProxy } from '../support/agent/no-proxy.ts'
import { EMPTY_TAR, noEngine, sleepTar, startEngine } from '../support/docker-engine.ts'
import { scratchDirectory } from '../support/scratch.ts'

const OWN = 'this installation'
const WORKLOAD = { kind: 'APPLICATION', id: '01890000-0000-7000-8000-00000000aaaa' }
const LABEL = `${WORKLOAD.kind}/${WORKLOAD.id}`
const signal = AbortSignal.timeout(120_000)

const engine = noEngine === undefined ? await startEngine() : undefined
afterAll(() => engine?.stop())
const agentHost = { ...hostEngine(`unix://${engine?.socketPath ?? '/nowhere'}`), directory: '/', proxy: noProxy }
const { call } = agentHost

async function list(name: string): Promise<any[]> {
  const asker = askersOn(call).find(({ kind }) => kind.name === `${name}.list`)!
  const answer = asker.kind.answer.parse(await asker.answer({ installation: OWN }, { secrets: null, signal }))
  return (answer as { items: any[] }).items
}

async function perform(name: string, payload: object, more: object = {}): Promise<any> {
  const { kind, perform: run } = performersOn(agentHost).find(({ kind: { name: own } }) => own === name)!
  const work = {
    payload: kind.payload.parse(payload),
    signal,
    attempt: 1,
    isResumed: false,
    say: async () => {},
    ...more,
  }
  return kind.result.parse(await run(work as never))
}
const codeOf = (done: Promise<unknown>): Promise<string> =>
  done.then(
    () => 'done',
    ({ code }) => code,
  )

async function image(name: string, labels: Record<string, string> = {}): Promise<string> {
  const changes = Object.entries(labels).map(
    ([key, value]) => `&changes=${encodeURIComponent(`LABEL ${key}="${value}"`)}`,
  )
  await engine!.api('POST', `/images/create?fromSrc=-&repo=${name}${changes.join('')}`, EMPTY_TAR)
  return (await engine!.api('GET', `/images/${name}/json`)).Id
}
const container = async (name: string, of: string, more: object = {}): Promise<string> =>
  (await engine!.api('POST', `/containers/create?name=${name}`, { Image: of, Cmd: ['/none'], ...more })).Id
const network = async (name: string, Labels: object = {}): Promise<string> =>
  (await engine!.api('POST', '/networks/create', { Name: name, Internal: true, Labels })).Id
const volume = (Name: string, Labels: object = {}) => engine!.api('POST', '/volumes/create', { Name, Labels })

test('an engine can be used if it answers and is new enough', async () => {
  const answersOf = async (api: string | undefined) => {
    const server = createServer((_asked, reply) =>
      reply.writeHead(200, api === undefined ? {} : { 'api-version': api }).end('OK'),
    )
    const socketPath = join(scratchDirectory(), 'engine.sock')
    await once(server.listen(socketPath), 'listening')
    return hostEngine(`unix://${socketPath}`)
      .answers()
      .finally(() => server.close())
  }
  expect([await answersOf('1.41'), await answersOf('1.40'), await answersOf(undefined)]).toEqual([true, false, false])
  expect(await hostEngine('unix:///nowhere').answers()).toBe(false)
  if (engine) expect(await agentHost.answers()).toBe(true)
})

test.skipIf(noEngine)('lists containers, images, networks and volumes with whom they belong to', async () => {
  const own = { 'daybook.installation': OWN, 'daybook.workload': LABEL }
  const base = await image('listed')
  await volume('data')
  const id = await container('plain', base, {
    HostConfig: { Mounts: [{ Type: 'volume', Source: 'data', Target: '/d' }] },
  })
  await container('placed', base, { Labels: own })
  await container('foreign', base, { Labels: { ...own, 'daybook.installation': 'another' } })
  await container('panel', base, { Labels: { 'daybook.platform': 'panel' } })

  const containers = await list('containers')
  const named = (name: string) => containers.find((each) => each.name === name)
  expect(named('plain')).toMatchObject({
    id,
    image: base,
    imageId: base,
    state: 'created',
    workload: null,
    isPlatform: false,
  })
  expect(Math.abs(Date.parse(named('plain').createdAt) - Date.now())).toBeLessThan(60_000)
  expect(named('plain').size).toBe(0)
  expect(named('placed')).toMatchObject({ workload: WORKLOAD, isPlatform: false })
  expect(named('foreign')).toMatchObject({ workload: null })
  expect(named('panel')).toMatchObject({ isPlatform: true })

  const images = await list('images')
  expect(images.find((each) => each.id === base)).toMatchObject({ tags: ['listed:latest'], containers: 4, size: 0 })
  const networks = await list('networks')
  const none = networks.find(({ name }) => name === 'none')
  expect(none).toMatchObject({ driver: 'null', isPredefined: true, isInternal: false, size: null })
  expect(await list('volumes')).toMatchObject([
    { name: 'data', driver: 'local', containers: ['plain'], workload: null },
  ])
})

test.skipIf(noEngine)('removes, stops and kills what is nobody’s, and says what the engine refuses', async () => {
  const base = await image('acted')
  const act = (containerId: string, action: string, more?: object) =>
    perform('containers.act', { containerId, action }, more)
  const id = await container('acted', base)
  expect(await codeOf(act(id, 'start')), 'it has no program').toBe('ENGINE_REFUSED')
  expect(await act(id, 'stop')).toEqual({ state: 'created' })
  expect(await act(id, 'kill')).toEqual({ state: 'created' })
  expect(await act(id, 'remove')).toEqual({ state: 'removed' })
  expect(await codeOf(act(id, 'remove'))).toBe('NOT_FOUND')
  expect(await act(id, 'remove', { isResumed: true }), 'an earlier process has removed it').toEqual({
    state: 'removed',
  })
  expect(await act(id, 'remove', { attempt: 2 })).toEqual({ state: 'removed' })
  expect(await codeOf(act(id, 'restart', { isResumed: true }))).toBe('NOT_FOUND')
})

test.skipIf(noEngine)(
  'starts, restarts, stops and kills a program, and removes it only when it has ended',
  async () => {
    await engine!.api('POST', '/images/create?fromSrc=-&repo=sleeping', sleepTar())
    // The first process of a container ignores TERM unless it asks for it.
    const made = {
      Image: 'sleeping',
      Cmd: ['/bin/sleep', '600'],
      HostConfig: { NetworkMode: 'none' },
      StopSignal: 'SIGKILL',
    }
    const id = await container('sleeping', 'sleeping', made)
    const act = (action: string) => perform('containers.act', { containerId: id, action })
    const startedAt = async () => (await engine!.api('GET', `/containers/${id}/json`)).State.StartedAt
    expect(await act('start')).toEqual({ state: 'running' })
    const first = await startedAt()
    expect(await act('start'), 'once more').toEqual({ state: 'running' })
    expect(await startedAt()).toBe(first)
    expect(await act('restart')).toEqual({ state: 'running' })
    expect(await startedAt()).not.toBe(first)
    expect(await codeOf(act('remove'))).toBe('IN_USE')
    expect(await act('stop')).toEqual({ state: 'exited' })
    expect(await act('start')).toEqual({ state: 'running' })
    expect(await act('kill')).toEqual({ state: 'exited' })
    expect(await act('remove')).toEqual({ state: 'removed' })
  },
)

test.skipIf(noEngine)('refuses what belongs to a workload or to the panel itself, whichever panel it is', async () => {
  const base = await image('refused')
  const act = (containerId: string, action: string) => codeOf(perform('containers.act', { containerId, action }))
  for (const installation of [OWN, 'another']) {
    const labels = { 'daybook.installation': installation, 'daybook.workload': LABEL }
    const placed = await container(`placed-by-${installation.split(' ')[0]}`, base, { Labels: labels })
    expect(await act(placed, 'remove')).toBe('MANAGED')
    expect(await act(placed, 'stop')).toBe('done')
  }
  const claiming = { 'daybook.platform': 'panel', 'daybook.workload': LABEL }
  expect(await act(await container('claiming', base, { Labels: claiming }), 'stop'), 'a workload is no panel').toBe(
    'done',
  )
  const own = await container('own-panel', base, { Labels: { 'daybook.platform': 'panel' } })
  for (const action of ['stop', 'restart', 'kill', 'remove']) expect(await act(own, action), action).toBe('OWN_PANEL')
  expect(await act(own, 'start'), 'it has no program').toBe('ENGINE_REFUSED')

  const removes = (name: string, payload: object) => codeOf(perform(`${name}.remove`, payload))
  expect(await removes('images', { id: base })).toBe('IN_USE')
  expect(await removes('images', { id: await image('platform', { 'daybook.platform': 'panel' }) })).toBe(
    'PLATFORM_IMAGE',
  )
  expect(await removes('images', { id: await image('built', { 'daybook.workload': LABEL }) })).toBe('MANAGED')
  const none = (await list('networks')).find(({ name }) => name === 'none')
  expect(await removes('networks', { id: none.id })).toBe('PREDEFINED')
  expect(await removes('networks', { id: await network('of-project', { 'daybook.project': 'p' }) })).toBe('MANAGED')
  await volume('of-workload', { 'daybook.workload': LABEL })
  await volume('mounted')
  await container('mounting', base, { HostConfig: { Mounts: [{ Type: 'volume', Source: 'mounted', Target: '/d' }] } })
  expect(await removes('volumes', { name: 'of-workload' })).toBe('MANAGED')
  expect(await removes('volumes', { name: 'mounted' })).toBe('IN_USE')
  expect((await list('volumes')).map(({ name }) => name)).toEqual(expect.arrayContaining(['of-workload', 'mounted']))
})

test.skipIf(noEngine)('removes an image with two names, a network and a volume once, and knows them gone', async () => {
  const id = await image('twice')
  await engine!.api('POST', '/images/twice/tag?repo=other')
  const net = await network('free')
  await volume('free')
  for (const [name, payload] of [
    ['images', { id }],
    ['networks', { id: net }],
    ['volumes', { name: 'free' }],
  ] as const) {
    expect(await perform(`${name}.remove`, payload), name).toEqual({ bytes: name === 'images' ? 0 : null })
    expect(await codeOf(perform(`${name}.remove`, payload)), name).toBe('NOT_FOUND')
    expect(await perform(`${name}.remove`, payload, { isResumed: true }), name).toEqual({ bytes: null })
  }
})

const OWNERS = {
  'daybook.workload': LABEL,
  'daybook.project': 'p',
  'daybook.environment': 'e',
  'daybook.platform': 'panel',
} as const
/** The same name again: the former image has none. */
async function unnamed(name: string, labels: Record<string, string> = {}): Promise<string> {
  const id = await image(name, labels)
  await engine!.api('POST', `/images/create?fromSrc=-&repo=${name}`, EMPTY_TAR)
  return id
}
const pruned = (olderThanHours: number) =>
  perform('engine.prune', { olderThanHours, parts: ['IMAGES', 'NETWORKS', 'CACHE'] })
const idsOf = async (name: string): Promise<string[]> => (await list(name)).map(({ id }) => id)
afterEach(() => void vi.useRealTimers())

test.skipIf(noEngine)('prunes neither what is young, nor what any one label places, nor volumes', async () => {
  await volume('unused')
  const kept = { networks: [] as string[], images: [] as string[] }
  for (const [label, value] of Object.entries(OWNERS)) {
    kept.networks.push(await network(`kept-${label}`, { [label]: value }))
    kept.images.push(await unnamed(`kept-${label}`, { [label]: value }))
  }
  const [net, bare] = [await network('unused'), await unnamed('bare', { note: 'nothing' })]
  expect(await pruned(1)).toEqual({ removed: 0, bytes: 0 })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 3_600_000 })
  expect(await pruned(3)).toEqual({ removed: 0, bytes: 0 })
  expect(await pruned(1)).toMatchObject({ removed: 2 })
  expect(await idsOf('networks')).toEqual(expect.arrayContaining(kept.networks))
  expect(await idsOf('images')).toEqual(expect.arrayContaining(kept.images))
  expect(await idsOf('networks')).not.toContain(net)
  expect(await idsOf('images')).not.toContain(bare)
  expect((await list('volumes')).map(({ name }) => name)).toContain('unused')
})

test.skipIf(noEngine)('keeps the network and the image of a stopped container, which starts again', async () => {
  await engine!.api('POST', '/images/create?fromSrc=-&repo=asleep', sleepTar())
  const [net, fresh, short] = [await network('of-stopped'), await network('of-made'), await network('of-short')]
  const made = { Image: 'asleep', Cmd: ['/bin/sleep', '600'], StopSignal: 'SIGKILL' }
  const on = (name: string, NetworkMode: string) => container(name, 'asleep', { ...made, HostConfig: { NetworkMode } })
  const id = await on('was-running', 'of-stopped')
  await on('never-started', 'of-made')
  await on('by-short-id', short.slice(0, 12))
  await engine!.api('POST', `/containers/${id}/start`)
  await engine!.api('POST', `/containers/${id}/stop`)
  const { Id: asleep } = await engine!.api('GET', '/images/asleep/json')
  await engine!.api('POST', '/images/create?fromSrc=-&repo=asleep', EMPTY_TAR)

  const networks = await list('networks')
  const users = (own: string) => networks.find((each) => each.id === own).containers
  expect([net, fresh, short].map(users)).toEqual([1, 1, 1])
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 3_600_000 })
  expect(await pruned(1)).toEqual({ removed: 0, bytes: 0 })
  for (const own of [net, fresh, short]) expect(await codeOf(perform('networks.remove', { id: own }))).toBe('IN_USE')
  expect(await idsOf('networks')).toEqual(expect.arrayContaining([net, fresh, short]))
  expect(await idsOf('images')).toContain(asleep)
  expect(await perform('containers.act', { containerId: id, action: 'start' })).toEqual({ state: 'running' })
  await engine!.api('DELETE', `/containers/${id}?force=true`)
})

test.skipIf(noEngine)('says that the engine is down', async () => {
  const down = engineCall('/nowhere/docker.sock')
  const asker = askersOn(down).find(({ kind }) => kind.name === 'images.list')!
  await expect(asker.answer({ installation: OWN }, { secrets: null, signal })).rejects.toMatchObject({
    code: 'ENGINE_DOWN',
  })
})
