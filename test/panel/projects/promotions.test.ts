/** What runs in one environment is promoted to another one, over HTTP. */
import { afterAll, expect, test } from 'vitest'
import { deployedShop } from '../../support/panel/deployed-shop.ts'
import { deployingHost } from '../../support/panel/deploying-host.ts'
import type { DoneWork } from '../../support/panel/deploying-host.ts'
import { ok, projectFixture, refusalIn } from '../../support/panel/project-fixture.ts'
import { serverFixture } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'

const panel = await startPanel()
await panel.licensed()
const root = await panel.somebody('SUPERADMIN')
const [floor, servers] = [projectFixture(panel), serverFixture(panel)]
const host = await deployingHost(panel, { servers, owner: root })
// An image that is named by its id is there already, and stays the same one.
const pullUsually = { count: 0 }
host.script('image.pull', ({ payload: { reference } }) => ({
  imageId: reference.startsWith('sha256:') ? reference : `sha256:${`${(pullUsually.count += 1)}`.padStart(64, 'a')}`,
  repoDigest: null,
  ports: [],
}))
afterAll(() => host.stop())
const owner = await panel.somebody()

async function shop() {
  const made = await deployedShop(panel, owner, { floor, host })
  const { projectId, environmentId: trial, send } = made
  const live = await floor.environment(owner, projectId, 'production')
  const promote = (body: object = {}, who: { readonly as: string } = owner) =>
    send('POST', `projects/${projectId}/environments/${trial}/promote-to/${live}`, body, who)
  return {
    ...made,
    trial,
    live,
    promote,
    promoted: async (body: object = {}): Promise<any[]> => ok(await promote(body), 202),
    addTo: (environmentId: string, name: string, more: object = {}) => made.add({ environmentId, name, ...more }),
  }
}
const startOf = (deploymentId: string) =>
  host.done.find(({ kind, payload }) => kind === 'release.start' && payload.deploymentId === deploymentId)!

test('the same image runs there, as that application is configured', async () => {
  const { trial, live, addTo, deploy, promoted, ended, environmentOf, send, read } = await shop()
  const here = await addTo(trial, 'Shop', { command: ['tested'], volumes: [{ name: 'data', mountPath: '/data' }] })
  const volumes = [{ name: 'data', mountPath: '/data' }]
  const there = await addTo(live, 'SHOP', { command: ['serve'], replicas: 2, volumes })
  ok(await send('PATCH', `applications/${there.id}/env`, { set: [{ name: 'PLACE', value: 'live' }] }))
  const tested = await deploy(here.id)
  const [one, ...others] = await promoted()
  expect(one).toEqual({ from: here.id, to: there.id, deploymentId: expect.any(String), reason: null })
  expect(others).toEqual([])
  const done = await ended(one.deploymentId)
  expect(done).toMatchObject({ status: 'SUCCEEDED', kind: 'PROMOTE', cause: { type: 'PROMOTE', id: here.id } })
  expect(done.imageId).toBe(tested.imageId)
  const [service] = startOf(done.id).payload.services
  expect(service).toMatchObject({ imageId: tested.imageId, command: ['serve'], replicas: 2 })
  expect(service.volumes).toEqual([{ volume: `${there.id}-data-1`, mountPath: '/data' }])
  expect(service.aliases).toEqual([there.slug])
  expect(environmentOf(done.id)['PLACE']).toBe('live')
  const pulled = host.done.filter(({ kind, payload }) => kind === 'image.pull' && payload.deploymentId === done.id)
  const [{ payload: asked }, ...none] = pulled as [DoneWork, ...DoneWork[]]
  expect(none).toEqual([])
  // The agent takes it only from the application that it names.
  expect(asked).toMatchObject({ reference: tested.imageId, from: { kind: 'APPLICATION', id: here.id } })
  expect(asked.tag).toMatch(new RegExp(`^daybook/application-${there.id}/app:${done.id}-[0-9a-f]{32}$`))
  const before = host.done.find(({ kind, payload }) => kind === 'image.pull' && payload.deploymentId === tested.id)!
  expect(before.payload.from).toBeUndefined()
  const markOf = (tag: string): string => tag.slice(-32)
  expect(markOf(before.payload.tag)).not.toBe(markOf(asked.tag))
  await panel.settle()
  expect(await read(there.id)).toMatchObject({ deploymentId: done.id, pendingChanges: false })
  const restarted = await deploy(there.id, 'restart')
  expect(restarted).toMatchObject({ status: 'SUCCEEDED', imageId: tested.imageId })
})

test('what cannot be promoted says why, and the rest is promoted', async () => {
  const { trial, live, addTo, deploy, promoted, ended } = await shop()
  const never = await addTo(trial, 'Never')
  const alone = await addTo(trial, 'Alone')
  const stopped = await addTo(trial, 'Stopped')
  const fine = await addTo(trial, 'Fine')
  for (const name of ['Never', 'Stopped', 'Fine']) await addTo(live, name)
  for (const { id } of [alone, stopped, fine]) await deploy(id)
  await deploy(stopped.id, 'stop')
  await panel.settle()
  const codes = (all: any[]) => all.map(({ from, reason }) => [from, reason?.code ?? null])
  const expected = [
    [never.id, 'NEVER_DEPLOYED'],
    [alone.id, 'NO_SUCH_APPLICATION'],
    [stopped.id, 'NOT_RUNNING'],
    [fine.id, null],
  ]
  const head = await panel.panel.store.head()
  const dry = await promoted({ dryRun: true })
  expect(codes(dry)).toEqual(expected)
  expect(dry.map(({ deploymentId }) => deploymentId)).toEqual([null, null, null, null])
  expect(await panel.panel.store.head()).toBe(head)
  const all = await promoted()
  expect(codes(all)).toEqual(expected)
  expect((await ended(all[3].deploymentId)).status).toBe('SUCCEEDED')
  expect(codes(await promoted({ applicationIds: [never.id] }))).toEqual([[never.id, 'NEVER_DEPLOYED']])
})

test('an application on another server, or with other services, is not promoted', async () => {
  const { trial, live, addTo, deploy, promoted, send } = await shop()
  const far = await servers.running(root)
  for (const name of ['Far', 'Composed']) await deploy((await addTo(trial, name)).id)
  await addTo(live, 'Far', { serverId: far })
  const size = { memoryMiB: 64, cpuMillis: 200 }
  const composed = await addTo(live, 'Composed', { source: { kind: 'COMPOSE' }, ...size })
  await panel.settle()
  const codes = async () => (await promoted()).map(({ reason }) => reason.code)
  expect(await codes()).toEqual(['OTHER_SERVER', 'NO_COMPOSE_FILE'])
  const content = 'services: {web: {image: "web:1"}, db: {image: "db:1"}}\n'
  ok(await send('PATCH', `applications/${composed.id}/files/compose`, { content }))
  expect(await codes()).toEqual(['OTHER_SERVER', 'OTHER_SERVICES'])
})

test('the services of a Compose file get the images of the services of the same names', async () => {
  const { trial, live, addTo, deploy, promoted, ended, send } = await shop()
  const more = { source: { kind: 'COMPOSE' }, memoryMiB: 64, cpuMillis: 200 }
  const [here, there] = [await addTo(trial, 'Forum', more), await addTo(live, 'Forum', more)]
  const write = async (id: string, content: string) =>
    ok(await send('PATCH', `applications/${id}/files/compose`, { content }))
  await write(here.id, 'services: {web: {image: "web:1"}, db: {image: "db:1"}}\n')
  await write(there.id, 'services: {db: {image: "db:2"}, web: {image: "web:2", command: [serve]}}\n')
  const tested = await deploy(here.id)
  const [one] = await promoted()
  await ended(one.deploymentId)
  const imagesOf = (id: string) =>
    Object.fromEntries(startOf(id).payload.services.map(({ name, imageId }: any) => [name, imageId]))
  expect(imagesOf(one.deploymentId)).toEqual(imagesOf(tested.id))
  const web = startOf(one.deploymentId).payload.services.find(({ name }: any) => name === 'web')
  expect(web.command).toEqual(['serve'])
})

test('a missing application is created as a copy, all of them or none', async () => {
  const { projectId, trial, live, addTo, deploy, promoted, promote, ended, send } = await shop()
  const here = await addTo(trial, 'Shop')
  const tested = await deploy(here.id)
  ok(await send('PATCH', `applications/${here.id}/env`, { set: [{ name: 'COLOR', value: 'red' }] }))
  const dry = await promoted({ create: true, dryRun: true })
  expect(dry).toEqual([{ from: here.id, to: null, deploymentId: null, reason: null }])
  const quota = (applications: number | null) =>
    panel.call('PATCH', `/api/projects/${projectId}/quota`, { as: root.as, body: { applications } })
  ok(await quota(1))
  for (const dryRun of [true, false])
    expect(refusalIn(await promote({ create: true, dryRun }))).toEqual([409, 'QUOTA_REACHED'])
  ok(await quota(null))
  const [one] = await promoted({ create: true })
  const copy = ok(await send('GET', `applications/${one.to}`))
  expect(copy).toMatchObject({ name: 'Shop', environmentId: live, projectId })
  expect((await ended(one.deploymentId)).imageId).toBe(tested.imageId)
  await panel.settle()
  expect((await promoted({ create: true }))[0].to).toBe(one.to)
})

test('a caller needs to view the one, to deploy the other, and more to create', async () => {
  const { projectId, trial, live, addTo, deploy, promote, send } = await shop()
  const here = await addTo(trial, 'Shop')
  await deploy(here.id)
  const member = async (...permissions: string[]) =>
    floor.member(owner, projectId, { roleId: await floor.role(owner, projectId, permissions) })
  expect((await promote({}, await member('apps:view'))).status).toBe(403)
  expect((await promote({}, await member('apps:deploy'))).status).toBe(403)
  const deployer = await member('apps:view', 'apps:deploy')
  ok(await promote({}, deployer), 202)
  expect((await promote({ create: true }, deployer)).status).toBe(403)
  expect((await promote({ create: true }, await member('apps:view', 'apps:deploy', 'apps:create'))).status).toBe(403)
  const here1 = await floor.member(owner, projectId, { role: 'DEVELOPER', environmentIds: [trial] })
  expect((await promote({}, here1)).status).toBe(404)
  expect((await promote({}, await panel.somebody())).status).toBe(404)
  const same = await send('POST', `projects/${projectId}/environments/${trial}/promote-to/${trial}`, {})
  expect(refusalIn(same)).toEqual([400, 'SAME_ENVIRONMENT'])
  const foreign = await addTo(live, 'Other')
  expect(refusalIn(await promote({ applicationIds: [foreign.id] }))).toEqual([400, 'UNKNOWN_APPLICATION'])
  expect((await promote({ applicationIds: [] })).status).toBe(400)
})
