/** The reaper on a real engine: what it lists, what it removes, and what it leaves alone. */
import { afterAll, expect, test, vi } from 'vitest'
import { engineCall } from '../../../src/agent/engine-call.ts'
import type { EngineCall } from '../../../src/agent/engine-call.ts'
import { hostEngine } from '../../../src/agent/host/engine.ts'
import { askersOn, performersOn } from '../../../src/agent/performers.ts'
import type { LeftItem, ReapItem } from '../../../src/tasks/reaper.ts'
import { noProxy } from '../../support/agent/no-proxy.ts'
import { EMPTY_TAR, noEngine, startEngine } from '../../support/docker-engine.ts'

const OWN = 'this installation'
const WORKLOAD = 'APPLICATION/01890000-0000-7000-8000-00000000aaaa'
const HOUR_MS = 3_600_000
const signal = AbortSignal.timeout(60_000)

const engine = noEngine === undefined ? await startEngine() : undefined
afterAll(() => engine?.stop())
const call = engineCall(engine?.socketPath ?? '/nowhere')
const by = <Named extends { readonly kind: { readonly name: string } }>(all: readonly Named[], name: string): Named =>
  all.find(({ kind }) => kind.name === name)!

const labels = (more: object = {}) => ({ 'daybook.installation': OWN, ...more })
const inventory = async (): Promise<LeftItem[]> =>
  ((await by(askersOn(call), 'inventory').answer({ installation: OWN }, { secrets: null, signal })) as any).items
const reap = (items: readonly ReapItem[], more: object = {}) =>
  by(performersOn({ ...hostEngine(undefined), call, directory: '/', proxy: noProxy }), 'reaper.reap').perform({
    payload: { installation: OWN, items, pruneBuildCache: false, truncateLogs: false, ...more },
    signal,
    say: async () => {},
  } as never)

async function image(name: string, more: object = {}): Promise<string> {
  const changes = Object.entries(more).map(
    ([key, value]) => `&changes=${encodeURIComponent(`LABEL ${key}="${value}"`)}`,
  )
  await engine!.api('POST', `/images/create?fromSrc=-&repo=${name}${changes.join('')}`, EMPTY_TAR)
  return (await engine!.api('GET', `/images/${name}/json`)).Id
}
const container = async (of: string, more: object): Promise<string> =>
  (await engine!.api('POST', '/containers/create', { Image: of, Cmd: ['/none'], Labels: more })).Id
const network = async (name: string, more: object): Promise<string> =>
  (await engine!.api('POST', '/networks/create', { Name: name, Internal: true, Labels: more })).Id

test.skipIf(noEngine)('a label that is too long is none, a name is shortened, and all others are told', async () => {
  const long = `REGISTRY/${'x'.repeat(200)}`
  const id = await image('long', labels({ 'daybook.workload': long }))
  const [repo, tag] = ['r'.repeat(230), 't'.repeat(100)]
  await engine!.api('POST', `/images/long/tag?repo=${repo}&tag=${tag}`)
  await engine!.api('DELETE', '/images/long')
  const held = await container(id, labels({ 'daybook.task': long, 'daybook.project': long }))
  const listed = new Map((await inventory()).map((each) => [each.id, each]))
  expect(listed.get(id)).toMatchObject({ workload: null, name: `${repo}:${tag}`.slice(0, 300) })
  expect(listed.get(held)).toMatchObject({ workload: null, task: null, project: null })

  const images = by(askersOn(call), 'images.list')
  const answer = images.kind.answer.parse(await images.answer({ installation: OWN }, { secrets: null, signal }))
  const told = (answer as { items: readonly { readonly id: string }[] }).items
  expect(told.find((each) => each.id === id)).toMatchObject({ workload: null, isManaged: true })

  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * HOUR_MS })
  const items = [
    { kind: 'CONTAINER', id: held, workload: null },
    { kind: 'IMAGE', id, workload: null },
  ] as const
  expect(await reap(items)).toMatchObject({ removed: 2, kept: [] })
  vi.useRealTimers()
})

test('an object that cannot be told leaves all others', async () => {
  const odd = { Id: 'of another engine', Name: 'odd', Created: '', Driver: 'x', Internal: false, Labels: labels() }
  const good = { ...odd, Id: 'a'.repeat(64), Name: 'good' }
  const lists: EngineCall = async (_method, path) => ({
    status: 200,
    body: path.startsWith('/networks') ? [odd, good] : path.startsWith('/volumes') ? {} : [],
  })
  for (const name of ['inventory', 'networks.list']) {
    const answer: any = await by(askersOn(lists), name).answer({ installation: OWN }, { secrets: null, signal })
    expect(answer.items, name).toMatchObject([{ name: 'good' }])
  }
})

test.skipIf(noEngine)('lists what the installation has made, and reaps what is still as the scan saw it', async () => {
  const base = await image('base')
  const [used, unused] = [await image('used', labels({ a: 1 })), await image('unused', labels({ b: 2 }))]
  const orphan = await container(base, labels())
  const placed = await container(base, labels({ 'daybook.workload': WORKLOAD }))
  const holder = await container(used, labels({ 'daybook.workload': WORKLOAD }))
  const others = await container(base, { 'daybook.installation': 'another' })
  const foreign = await container(base, {})
  const net = await network('left', labels({ 'daybook.project': 'p' }))
  await engine!.api('POST', '/volumes/create', { Name: 'kept', Labels: labels() })

  const listed = await inventory()
  expect(listed.map(({ kind, id }) => `${kind} ${id}`).toSorted()).toEqual(
    [
      ...[orphan, placed, holder].map((id) => `CONTAINER ${id}`),
      `IMAGE ${used}`,
      `IMAGE ${unused}`,
      `NETWORK ${net}`,
      'VOLUME kept',
    ].toSorted(),
  )
  expect(listed.find(({ id }) => id === placed)).toMatchObject({ workload: WORKLOAD, task: null, project: null })
  expect(listed.find(({ id }) => id === net)).toMatchObject({ name: 'left', project: 'p' })

  const all: ReapItem[] = [
    { kind: 'IMAGE', id: used, workload: null },
    { kind: 'IMAGE', id: unused, workload: null },
    { kind: 'NETWORK', id: net, workload: null },
    { kind: 'CONTAINER', id: orphan, workload: null },
    { kind: 'CONTAINER', id: placed, workload: null },
    { kind: 'CONTAINER', id: others, workload: null },
    { kind: 'CONTAINER', id: foreign, workload: null },
    { kind: 'CONTAINER', id: '0'.repeat(64), workload: null },
  ]
  const why = async () => {
    const { removed, kept } = (await reap(all)) as any
    return { removed, kept: Object.fromEntries(kept.map((each: any) => [each.id, each.why])) }
  }
  const alwaysKept = { [placed]: 'WORKLOAD', [others]: 'OTHERS', [foreign]: 'OTHERS', ['0'.repeat(64)]: 'GONE' }
  const young = Object.fromEntries([used, unused, net, orphan].map((id) => [id, 'YOUNG']))
  expect(await why()).toEqual({ removed: 0, kept: { ...alwaysKept, ...young } })

  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * HOUR_MS })
  try {
    expect(await why()).toEqual({ removed: 3, kept: { ...alwaysKept, [used]: 'IN_USE' } })
    const gone = Object.fromEntries([unused, net, orphan].map((id) => [id, 'GONE']))
    expect(await why(), 'done again after a restart').toEqual({
      removed: 0,
      kept: { ...alwaysKept, ...gone, [used]: 'IN_USE' },
    })
  } finally {
    vi.useRealTimers()
  }
  expect((await inventory()).map(({ id }) => id).toSorted()).toEqual([placed, holder, used, 'kept'].toSorted())
  expect(await reap([], { pruneBuildCache: true, truncateLogs: true })).toEqual({ removed: 0, kept: [], bytes: 0 })
})

test('an engine that does not answer fails the task with a code that is tried again', async () => {
  await expect(engineCall('/nowhere')('GET', '/info', signal)).rejects.toMatchObject({ code: 'ENGINE_DOWN' })
})
