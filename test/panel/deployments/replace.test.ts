/** How requests go from one release to the next: side by side, or one task ends the old one and begins the new one. */
import { afterAll, expect, test } from 'vitest'
import { tasks } from '#panel/agent/decider'
import { endOutlived } from '#panel/deployments/reactions'
import { taskOf } from '#panel/deployments/tasks'
import { maySwitch } from '#panel/workflows/deployment-steps'
import { releaseStart } from '../../../src/tasks/release-start.ts'
import { deployingHost, failing, gate } from '../../support/panel/deploying-host.ts'
import { ok, projectFixture, refusalIn } from '../../support/panel/project-fixture.ts'
import { serverFixture } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'

const panel = await startPanel()
await panel.licensed()
const root = await panel.somebody('SUPERADMIN')
const [floor, servers] = [projectFixture(panel), serverFixture(panel)]
const host = await deployingHost(panel, { servers, owner: root })
afterAll(() => host.stop())

const owner = await panel.somebody()
const projectId = await floor.project(owner)
const environmentId = await floor.environment(owner, projectId, 'live')
const send = (method: string, path: string, body?: unknown) =>
  panel.call(method, `/api/${path}`, { as: owner.as, ...(body === undefined ? {} : { body }) })

let made = 0
/** It has a volume that two releases cannot use at the same time. */
async function application(more: object = {}): Promise<string> {
  const source = { kind: 'IMAGE', image: 'ghcr.io/team/shop:1.2' }
  const volumes = [{ name: 'data', mountPath: '/data', shared: false }]
  const place = { projectId, environmentId, serverId: host.serverId }
  const size = { memoryMiB: 16, cpuMillis: 50 }
  const body = { ...place, name: `App ${(made += 1)}`, source, volumes, port: 8_080, drainSeconds: 7, ...size, ...more }
  return ok(await send('POST', 'applications', body), 201).id
}
const deployment = async (id: string) => ok(await send('GET', `deployments/${id}`))
const ask = async (applicationId: string, what: string, body?: unknown): Promise<string> =>
  ok(await send('POST', `applications/${applicationId}/${what}`, body), 202).id
const cancel = (applicationId: string, id: string) =>
  send('POST', `applications/${applicationId}/deployments/${id}/cancel`)

const until = (id: string, ...statuses: string[]): Promise<any> =>
  panel.settledUntil(
    () => deployment(id),
    ({ status }) => statuses.includes(status),
  )
const ends = (id: string) => until(id, 'SUCCEEDED', 'FAILED', 'CANCELLED')
const workOf = (id: string) => host.done.filter(({ payload }) => payload.deploymentId === id)
const kindsOf = (id: string) => workOf(id).map(({ kind }) => kind)
const replaceOf = (id: string) => workOf(id).find(({ kind }) => kind === 'release.replace')!
const putsOf = (id: string) =>
  host.done.flatMap(({ kind, payload }) => (kind === 'proxy.put' && payload.owner.id === id ? payload : []))
const eventsOf = async (id: string) =>
  (await panel.history()).filter(({ data }) => (data as any).deploymentId === id).map(({ type }) => type)

test('the first release is started, and the next one replaces it in one task', async () => {
  const id = await application()
  ok(
    await send('PATCH', `applications/${id}/env`, {
      set: [{ name: 'COLOR', value: 'deep red', secret: true }],
      remove: [],
    }),
  )
  const first = await ends(await ask(id, 'redeploy'))
  expect(kindsOf(first.id)).toEqual(['image.pull', 'release.start'])
  const { revision, ...rest } = workOf(first.id)[1]!.payload.fragment
  const second = await ends(await ask(id, 'redeploy'))
  expect(second).toMatchObject({ status: 'SUCCEEDED', failure: null })
  expect([second.startingAt, second.switchingAt, second.endedAt].every(Boolean)).toBe(true)
  expect(kindsOf(second.id)).toEqual(['image.pull', 'release.replace'])
  const { payload, secrets } = replaceOf(second.id)
  expect(payload).toMatchObject({ replaces: first.id, drainSeconds: 7, services: [{ imageId: second.imageId }] })
  expect(payload.fragment).toEqual({ ...rest, revision: revision + 1 })
  expect(secrets.env).toContainEqual({ service: 'app', name: 'COLOR', value: 'deep red' })
  expect(putsOf(id)).toEqual([])
  const last = ['DeploymentReady', 'DeploymentSucceeded', 'LaneLeft', 'ApplicationReleased']
  expect((await eventsOf(second.id)).slice(-4)).toEqual(last)
  await expect.poll(() => kindsOf(first.id)).toContain('release.retire')
  const rollback = await ends(await ask(id, 'rollback'))
  expect(replaceOf(rollback.id).payload).toMatchObject({ replaces: second.id, fragment: { revision: revision + 2 } })
})

const startTask = (id: string) => taskOf({ id }, releaseStart)
const startOf = (id: string) => workOf(id).find(({ kind }) => kind === 'release.start')
/** A day later. */
const isOverdue = async (id: string): Promise<boolean> => {
  const due = { read: panel.panel.read, until: new Date(Date.now() + 86_400_000), limit: 100 }
  return (await endOutlived.due(due as never)).some(({ key }) => key === startTask(id))
}
const waitsIn = async (id: string) => expect.poll(async () => [await panel.settle(), startOf(id)].at(1)).toBeDefined()

test('healthy containers get the requests by the task that has started them, and its step is told before', async () => {
  const id = await application({ volumes: [] })
  const first = await ends(await ask(id, 'redeploy'))
  expect(first).toMatchObject({ status: 'SUCCEEDED', failure: null })
  const [healthy, switched] = [gate(), gate()]
  host.script('release.start', async (work) => {
    await healthy.wait(work)
    const may = await work.mayCommit()
    await switched.wait(work)
    return { containers: [], switched: may }
  })
  const second = await ask(id, 'redeploy')
  await waitsIn(second)
  expect(await deployment(second)).toMatchObject({ status: 'STARTING', switchingAt: null })
  expect(await isOverdue(second)).toBe(true)
  healthy.open()
  await until(second, 'SWITCHING')
  expect(refusalIn(await cancel(id, second))).toEqual([409, 'TOO_LATE'])
  await endOutlived.run({ key: startTask(second) } as never, panel as never)
  expect(await isOverdue(second)).toBe(false)
  expect((await deployment(second)).status, 'the agent alone knows').toBe('SWITCHING')
  switched.open()
  host.usual('release.start')
  const { status, switchingAt, endedAt } = await ends(second)
  expect([status, switchingAt < endedAt]).toEqual(['SUCCEEDED', true])
  expect(putsOf(id)).toEqual([])
  expect((await eventsOf(second)).filter((type) => type === 'DeploymentReady')).toHaveLength(1)
  await expect.poll(() => kindsOf(first.id)).toContain('release.retire')
})

test('a cancel counts until the switch, also when the agent asks for that at the same time', async () => {
  const id = await application({ volumes: [] })
  const first = await ends(await ask(id, 'redeploy'))
  const asks = Promise.withResolvers<void>()
  host.script('release.start', (work) => asks.promise.then(() => work.mayCommit()))
  const cancelled = await ask(id, 'redeploy')
  await waitsIn(cancelled)
  ok(await cancel(id, cancelled), 202)
  const may = await panel.run(async (unit) => maySwitch(unit, (await unit.look(tasks, startTask(cancelled)))!))
  asks.resolve()
  expect([may, (await ends(cancelled)).status]).toEqual(['NO', 'CANCELLED'])
  host.usual('release.start')
  await expect.poll(() => kindsOf(cancelled)).toContain('release.retire')
  expect(kindsOf(first.id)).not.toContain('release.retire')
})

test.each([
  ['while another release runs', true],
  ['while nothing runs', false],
])('an address that changes before the switch, %s, is switched to by a task that comes after it', async (_, runs) => {
  const id = await application({ volumes: [] })
  const first = runs ? await ends(await ask(id, 'redeploy')) : undefined
  const starts = gate()
  host.script('release.start', async (work) => {
    await starts.wait(work)
    return { containers: [], switched: await work.mayCommit() }
  })
  const next = await ask(id, 'redeploy')
  await waitsIn(next)
  const port = { containerPort: 9_000, ip: null, port: 22_901 - 10 * made, protocol: 'TCP' }
  ok(await send('POST', `applications/${id}/host-ports`, port), 201)
  await panel.settle()
  starts.open()
  host.usual('release.start')
  expect((await ends(next)).status).toBe('SUCCEEDED')
  const listeners = [{}, { port: port.port }]
  const { revision } = startOf(next)!.payload.fragment
  expect(putsOf(id)).toMatchObject([
    ...(first ? [{ release: first.id, revision: revision + 1, listeners }] : []),
    { release: next, revision: revision + 2, listeners },
  ])
})

test('an agent that may switch and does not say that it has fails the deployment, and the next one has its turn', async () => {
  const id = await application({ volumes: [] })
  const first = await ends(await ask(id, 'redeploy'))
  host.script('release.start', async (work) => {
    await work.mayCommit()
    return { containers: [], switched: false }
  })
  const failed = await ends(await ask(id, 'redeploy'))
  host.usual('release.start')
  expect(failed).toMatchObject({ status: 'FAILED', failure: { step: 'SWITCHING', code: 'NOT_SWITCHED' } })
  await expect.poll(() => putsOf(id)).toMatchObject([{ release: first.id }])
  expect((await ends(await ask(id, 'redeploy'))).status).toBe('SUCCEEDED')
})

test('a switch that fails is led back, and the containers that were to take over go', async () => {
  const id = await application({ volumes: [] })
  const first = await ends(await ask(id, 'redeploy'))
  host.script('release.start', async (work) => {
    await work.mayCommit()
    failing('PORT_IN_USE')()
  })
  const failed = await ends(await ask(id, 'redeploy'))
  host.usual('release.start')
  expect(failed).toMatchObject({ status: 'FAILED', failure: { step: 'SWITCHING', code: 'PORT_IN_USE' } })
  const { revision } = startOf(failed.id)!.payload.fragment
  await expect.poll(() => putsOf(id)).toMatchObject([{ release: first.id, revision: revision + 1 }])
  await expect.poll(() => kindsOf(failed.id)).toContain('release.retire')
  expect(kindsOf(first.id)).not.toContain('release.retire')
})

test('a start that an earlier version of the panel has asked for is switched to by a task of its own', async () => {
  const id = await application({ volumes: [] })
  await ends(await ask(id, 'redeploy'))
  host.script('release.start', () => ({ containers: [] }))
  const second = await ends(await ask(id, 'redeploy'))
  host.usual('release.start')
  expect(second.status).toBe('SUCCEEDED')
  expect(putsOf(id)).toMatchObject([{ release: second.id }])
})

test('volumes that are shared need it only if that is asked, and a stopped application is started', async () => {
  const id = await application({ volumes: [{ name: 'data', mountPath: '/data', shared: true }] })
  await ends(await ask(id, 'redeploy'))
  expect(kindsOf((await ends(await ask(id, 'redeploy'))).id)).toEqual(['image.pull', 'release.start'])
  ok(await send('PATCH', `applications/${id}`, { rollover: 'STOP_FIRST' }))
  expect(kindsOf((await ends(await ask(id, 'restart'))).id)).toEqual(['release.replace'])
  await ends(await ask(id, 'stop'))
  expect(kindsOf((await ends(await ask(id, 'start'))).id)).toEqual(['release.start'])
})

test('a port of UDP is published by the engine, which gives it to one container alone', async () => {
  const id = await application({ volumes: [] })
  const port = { containerPort: 53, ip: null, port: 21_901, protocol: 'UDP' }
  ok(await send('POST', `applications/${id}/host-ports`, port), 201)
  ok(await send('POST', `applications/${id}/host-ports`, { ...port, protocol: 'TCP' }), 201)
  const published = [{ ip: null, port: 21_901, containerPort: 53, protocol: 'UDP' }]
  const first = await ends(await ask(id, 'redeploy'))
  expect(workOf(first.id)[1]).toMatchObject({ kind: 'release.start', payload: { services: [{ published }] } })
  const second = await ends(await ask(id, 'redeploy'))
  expect(replaceOf(second.id).payload).toMatchObject({
    services: [{ published }],
    fragment: { listeners: [{}, { mode: 'TCP' }] },
  })
  const ports: any[] = ok(await send('GET', `applications/${id}/ports`))
  const { id: portId } = ports.find(({ protocol }) => protocol === 'UDP')
  ok(await send('DELETE', `applications/${id}/host-ports/${portId}`), 204)
  const third = await ends(await ask(id, 'restart'))
  expect(workOf(third.id)[0]).toMatchObject({ kind: 'release.start', payload: { services: [{ published: [] }] } })
})

test('a failure tells its code, and the release before it goes on', async () => {
  const id = await application()
  const first = await ends(await ask(id, 'redeploy'))
  host.script('release.replace', failing('UNHEALTHY'))
  const failed = await ends(await ask(id, 'redeploy'))
  host.usual('release.replace')
  const failure = { step: 'STARTING', code: 'UNHEALTHY', message: 'It failed with UNHEALTHY' }
  expect(failed).toMatchObject({ status: 'FAILED', failure })
  expect(kindsOf(first.id)).not.toContain('release.retire')
  const next = await ends(await ask(id, 'redeploy'))
  expect(replaceOf(next.id).payload).toMatchObject({ replaces: first.id })
})

test('a cancel counts until the old release stops, and comes too late after that', async () => {
  const id = await application()
  const first = await ends(await ask(id, 'redeploy'))
  const early = gate()
  host.script('release.replace', (work) => early.wait(work))
  const cancelled = await ask(id, 'redeploy')
  await until(cancelled, 'STARTING')
  await expect.poll(() => replaceOf(cancelled)).toBeDefined()
  ok(await cancel(id, cancelled), 202)
  expect((await ends(cancelled)).status).toBe('CANCELLED')
  expect(kindsOf(first.id)).not.toContain('release.retire')
  const late = Promise.withResolvers<void>()
  host.script('release.replace', async () => {
    await late.promise
    return { containers: [], drainedMs: 0, cut: 0 }
  })
  const replaced = await ask(id, 'redeploy')
  await expect.poll(async () => [await panel.settle(), replaceOf(replaced)].at(1)).toBeDefined()
  ok(await cancel(id, replaced), 202)
  await until(replaced, 'CANCELLING')
  late.resolve()
  host.usual('release.replace')
  expect((await ends(replaced)).status).toBe('SUCCEEDED')
  await expect.poll(() => kindsOf(first.id)).toContain('release.retire')
})

test('when it fails the proxy is led to the old release, whatever it has taken of the new one', async () => {
  const id = await application()
  const first = await ends(await ask(id, 'redeploy'))
  host.script('release.replace', failing('OUT_OF_TIME'))
  const failed = await ends(await ask(id, 'redeploy'))
  host.usual('release.replace')
  const { revision } = replaceOf(failed.id).payload.fragment
  await expect.poll(() => putsOf(id).at(-1)).toMatchObject({ release: first.id, revision: revision + 1 })
})

test('an address that changes meanwhile leads to the new release in the end', async () => {
  const id = await application()
  await ends(await ask(id, 'redeploy'))
  const swap = Promise.withResolvers<void>()
  host.script('release.replace', async () => {
    await swap.promise
    return { containers: [], drainedMs: 0, cut: 0 }
  })
  const next = await ask(id, 'redeploy')
  await expect.poll(async () => [await panel.settle(), replaceOf(next)].at(1)).toBeDefined()
  const port = { containerPort: 9_000, ip: null, port: 20_901 + made, protocol: 'TCP' }
  ok(await send('POST', `applications/${id}/host-ports`, port), 201)
  await panel.settle()
  swap.resolve()
  host.usual('release.replace')
  await ends(next)
  await expect.poll(() => putsOf(id).at(-1)).toMatchObject({ release: next, listeners: [{}, { port: port.port }] })
})

test('a deleted application ends the task, and its server is cleared', async () => {
  const id = await application()
  await ends(await ask(id, 'redeploy'))
  const never = gate()
  let isOver = false
  host.script('release.replace', (work) => never.wait(work).finally(() => (isOver = true)))
  const running = await ask(id, 'redeploy')
  await expect.poll(async () => [await panel.settle(), replaceOf(running)].at(1)).toBeDefined()
  ok(await send('DELETE', `applications/${id}?deleteVolumes=true`), 204)
  await expect.poll(() => isOver).toBe(true)
  host.usual('release.replace')
  const removed = () => host.done.filter(({ kind, payload }) => kind === 'release.remove' && payload.workload.id === id)
  await expect.poll(removed).toHaveLength(1)
})
