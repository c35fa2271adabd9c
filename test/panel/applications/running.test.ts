/** What runs of an application over HTTP: whether it is as configured, and how far it can be scaled. */
import { afterAll, expect, test } from 'vitest'
import { endOutlived } from '../../../src/panel/deployments/reactions.ts'
import { taskOf } from '../../../src/panel/deployments/tasks.ts'
import { PAYLOAD_BYTES_MAX } from '../../../src/tasks/kind.ts'
import { releaseStart } from '../../../src/tasks/release-start.ts'
import { deployedShop } from '../../support/panel/deployed-shop.ts'
import { deployingHost, failing, gate } from '../../support/panel/deploying-host.ts'
import { ok, projectFixture } from '../../support/panel/project-fixture.ts'
import { serverFixture } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'

const panel = await startPanel()
await panel.licensed()
const root = await panel.somebody('SUPERADMIN')
const [floor, servers] = [projectFixture(panel), serverFixture(panel)]
const host = await deployingHost(panel, { servers, owner: root })
afterAll(() => host.stop())
const owner = await panel.somebody()
const { add, deploy, read, send, until, projectId } = await deployedShop(panel, owner, { floor, host })

async function shown(id: string) {
  await panel.settle()
  const { deploymentId, pendingChanges } = await read(id)
  const all = ok(await send('GET', `applications?projectId=${projectId}`))
  expect(all.find((each: any) => each.id === id)).toMatchObject({ deploymentId, pendingChanges })
  return { deploymentId, pendingChanges }
}
const setVariable = async (id: string, value: string) =>
  ok(await send('PATCH', `applications/${id}/env`, { set: [{ name: 'COLOR', value }] }))

test('an application shows which deployment runs, and none before the first and after a stop', async () => {
  const created = await add()
  const { id } = created
  expect(created).toMatchObject({ deploymentId: null, pendingChanges: false })
  ok(await send('PATCH', `applications/${id}`, { replicas: 2 }))
  expect(await shown(id)).toEqual({ deploymentId: null, pendingChanges: false })
  const first = await deploy(id)
  expect(await shown(id)).toEqual({ deploymentId: first.id, pendingChanges: false })
  const second = await deploy(id)
  expect((await shown(id)).deploymentId).toBe(second.id)
  await deploy(id, 'stop')
  expect(await shown(id)).toEqual({ deploymentId: null, pendingChanges: false })
})

test('a change of configuration or variables is pending until containers are made with it', async () => {
  const { id } = await add({ command: ['one'] })
  await deploy(id)
  expect(ok(await send('PATCH', `applications/${id}`, { command: ['two'] })).pendingChanges).toBe(true)
  expect((await shown(id)).pendingChanges).toBe(true)
  await deploy(id, 'restart')
  expect((await shown(id)).pendingChanges).toBe(false)
  await setVariable(id, 'red')
  expect((await shown(id)).pendingChanges).toBe(true)
  await deploy(id, 'restart')
  expect((await shown(id)).pendingChanges).toBe(false)
  ok(await send('PATCH', `applications/${id}/auto-deploy`, { enabled: false }), 409)
  expect((await shown(id)).pendingChanges).toBe(false)
})

test('a deployment that fails leaves a change pending, and makes none of it', async () => {
  const { id } = await add()
  const first = await deploy(id)
  host.script('release.start', failing('UNHEALTHY'))
  expect((await deploy(id)).status).toBe('FAILED')
  expect(await shown(id)).toEqual({ deploymentId: first.id, pendingChanges: false })
  await setVariable(id, 'blue')
  expect((await deploy(id)).status).toBe('FAILED')
  host.usual('release.start')
  expect(await shown(id)).toEqual({ deploymentId: first.id, pendingChanges: true })
})

test('a rollback runs as configured then, with the variables of then', async () => {
  const { id } = await add({ command: ['one'] })
  const first = await deploy(id)
  await deploy(id)
  const back = await deploy(id, 'rollback', { deploymentId: first.id })
  expect(await shown(id)).toEqual({ deploymentId: back.id, pendingChanges: false })
  ok(await send('PATCH', `applications/${id}`, { command: ['two'] }))
  await deploy(id)
  expect((await shown(id)).pendingChanges).toBe(false)
  const again = await deploy(id, 'rollback', { deploymentId: back.id })
  expect(await shown(id)).toEqual({ deploymentId: again.id, pendingChanges: true })
})

const scale = async (id: string) => ok(await send('GET', `applications/${id}/scale`))
const codesIn = ({ reasons }: any) => reasons.map(({ code }: any) => code)

test('the most replicas are those that fit on the server, and at most 8', async () => {
  const { id } = await add({ replicas: 2, memoryMiB: 1_024 })
  const before = await scale(id)
  expect(before).toMatchObject({ replicas: 2, memoryMiB: 1_024, cpuMillis: 50, rollover: 'START_FIRST' })
  expect(codesIn(before)).toEqual(['NAMES_REACH_CANDIDATES'])
  expect(before.max).toBe(Math.min(8, 2 + Math.floor(before.free.memoryMiB / 1_024)))
  const quota = (memoryMiB: number | null) =>
    panel.call('PATCH', `/api/admin/quotas/servers/${host.serverId}`, { as: root.as, body: { memoryMiB } })
  const all = ok(await panel.call('GET', '/api/admin/capacity', { as: root.as }))
  const { reserved } = all.find(({ serverId }: any) => serverId === host.serverId)
  ok(await quota(reserved.memoryMiB + 1_024))
  expect(await scale(id)).toMatchObject({ max: 3, free: { memoryMiB: 1_024 } })
  ok(await send('PATCH', `applications/${id}`, { replicas: 3 }))
  const full = await scale(id)
  expect(full).toMatchObject({ max: 3, free: { memoryMiB: 0 } })
  expect(codesIn(full)).toEqual(['SERVER_FULL', 'NAMES_REACH_CANDIDATES'])
  ok(await send('PATCH', `applications/${id}`, { replicas: 4 }), 409)
  ok(await quota(null))
  ok(await send('PATCH', `applications/${id}`, { replicas: 8, memoryMiB: 16 }))
  expect(codesIn(await scale(id))).toEqual(['AT_MOST', 'NAMES_REACH_CANDIDATES'])
})

async function reservedMiB(): Promise<number> {
  const all = ok(await panel.call('GET', '/api/admin/capacity', { as: root.as }))
  return all.find(({ serverId }: any) => serverId === host.serverId).reserved.memoryMiB
}

test('a server holds the room of what runs, and of what is about to run', async () => {
  const { id } = await add({ memoryMiB: 64 })
  const held = reservedMiB
  const quota = async (memoryMiB: number | null) =>
    ok(await panel.call('PATCH', `/api/admin/quotas/servers/${host.serverId}`, { as: root.as, body: { memoryMiB } }))
  const others = (await held()) - 64
  const large = await deploy(id)
  ok(await send('PATCH', `applications/${id}`, { memoryMiB: 16 }))
  expect(await held(), 'the large one runs').toBe(others + 64)
  await deploy(id)
  expect(await held()).toBe(others + 16)
  await deploy(id, 'rollback', { deploymentId: large.id })
  expect(await held()).toBe(others + 64)
  await deploy(id, 'stop')
  expect(await held(), 'nothing runs').toBe(others + 16)
  await deploy(id, 'redeploy')
  await quota(others + 32)
  const refused = await deploy(id, 'rollback', { deploymentId: large.id })
  expect(refused).toMatchObject({ status: 'FAILED', failure: { code: 'QUOTA_REACHED' } })
  await quota(null)
  host.script('release.start', failing('UNHEALTHY'))
  expect((await deploy(id, 'rollback', { deploymentId: large.id })).status).toBe('FAILED')
  host.usual('release.start')
  await panel.settle()
  expect(await held()).toBe(others + 16)
  const start = gate()
  host.script('release.start', start.wait)
  const silent = ok(await send('POST', `applications/${id}/rollback`, { deploymentId: large.id }), 202).id
  await until(silent, 'STARTING')
  expect(await held()).toBe(others + 64)
  ok(await send('PATCH', `applications/${id}`, { memoryMiB: 17 }))
  expect(await held(), 'the large one is about to run').toBe(others + 64)
  await endOutlived.run({ key: taskOf({ id: silent }, releaseStart) } as never, panel as never)
  await panel.settle()
  expect(await held(), 'its agent has gone silent').toBe(others + 17)
  start.open()
  await panel.settle()
  host.usual('release.start')
})

test('a rollback that cannot be told to an agent holds no room', async () => {
  const MOUNTS = Array.from({ length: 20 * 9 }, (_, nth) => `v${nth % 9}`)
  const content = (characters: number) => {
    const mounts = MOUNTS.slice(0, 9).map((name) => `'${name}:/${name}/${'x'.repeat(characters)}'`)
    const services = Array.from({ length: 20 }, (_, nth) => `  s${nth}: {image: x, volumes: [${mounts.join(', ')}]}`)
    return `services:\n${services.join('\n')}\nvolumes: {${MOUNTS.slice(0, 9).join(': {}, ')}: {}}\n`
  }
  const large = async (characters: number) => {
    const { id } = await add({ source: { kind: 'COMPOSE' }, memoryMiB: 320, cpuMillis: 1_000 })
    ok(await send('PATCH', `applications/${id}/files/compose`, { content: content(characters) }))
    return { id, first: await deploy(id) }
  }
  await large(200)
  const told = host.done.findLast(({ kind }) => kind === 'release.start')!.payload
  const left = PAYLOAD_BYTES_MAX - Buffer.byteLength(JSON.stringify(told))
  const { id, first } = await large(200 + Math.floor(left / MOUNTS.length))
  expect(first.status).toBe('SUCCEEDED')
  ok(await send('PATCH', `applications/${id}/files/compose`, { content: 'services: {web: {image: x}}\n' }))
  ok(await send('PATCH', `applications/${id}`, { memoryMiB: 16, cpuMillis: 50 }))
  await deploy(id)
  const before = await reservedMiB()
  // What the rollback replaces is told with it.
  const refused = await deploy(id, 'rollback', { deploymentId: first.id })
  expect(refused).toMatchObject({ status: 'FAILED', failure: { code: 'CONFIGURATION_TOO_LARGE' } })
  expect(await reservedMiB()).toBe(before)
})

test('what two releases cannot share makes the old one stop first', async () => {
  const volumes = (shared: boolean) => [{ name: 'data', mountPath: '/data', shared }]
  const { id } = await add({ volumes: volumes(true) })
  expect(await scale(id)).toMatchObject({ rollover: 'START_FIRST' })
  ok(await send('PATCH', `applications/${id}`, { volumes: volumes(false) }))
  const held = await scale(id)
  expect(held.rollover).toBe('STOP_FIRST')
  expect(codesIn(held)).toEqual(['VOLUME_NOT_SHARED'])
  ok(await send('POST', `applications/${id}/host-ports`, { containerPort: 53, port: 5_399, protocol: 'UDP' }), 201)
  ok(await send('PATCH', `applications/${id}`, { volumes: [], rollover: 'STOP_FIRST' }))
  expect(codesIn(await scale(id))).toEqual(['UDP_PORT', 'ASKED_FOR'])
})

test('of a Compose file, the volumes of its services count', async () => {
  const { id } = await add({ source: { kind: 'COMPOSE' } })
  expect((await scale(id)).rollover).toBe('START_FIRST')
  const content = 'services: {web: {image: "web:1", volumes: ["data:/data"]}}\nvolumes: {data: {}}\n'
  ok(await send('PATCH', `applications/${id}/files/compose`, { content }))
  expect(codesIn(await scale(id))).toEqual(['VOLUME_NOT_SHARED'])
})

test('who may not view it sees no scale', async () => {
  const { id } = await add()
  expect((await send('GET', `applications/${id}/scale`, undefined, await panel.somebody())).status).toBe(404)
  const blind = await floor.member(owner, projectId, { roleId: await floor.role(owner, projectId, ['apps:logs']) })
  expect((await send('GET', `applications/${id}/scale`, undefined, blind)).status).toBe(403)
})
