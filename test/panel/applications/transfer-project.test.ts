/** Applications that go to other projects, over HTTP: what goes with them, who may do it, and what runs. */
import { afterAll, expect, test } from 'vitest'
import { deployedShop } from '../../support/panel/deployed-shop.ts'
import { deployingHost, gate } from '../../support/panel/deploying-host.ts'
import { ok, projectFixture, refusalIn } from '../../support/panel/project-fixture.ts'
import { serverFixture } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'

const panel = await startPanel()
await panel.licensed()
const root = await panel.somebody('SUPERADMIN')
const [floor, servers] = [projectFixture(panel), serverFixture(panel)]
const host = await deployingHost(panel, { servers, owner: root })
afterAll(() => host.stop())

type Who = { readonly as: string }

/** A project with applications, and another one of the same owner. */
async function twoProjects() {
  const owner = await panel.somebody()
  const made = await deployedShop(panel, owner, { floor, host })
  const projectId = await floor.project(owner, 'Other')
  const environmentId = await floor.environment(owner, projectId, 'live')
  const there = { projectId, environmentId }
  const share = async (id: string, name: string, value: string) =>
    ok(await floor.put(owner, `/${id}/shared-env`, { variables: [{ name, value }] }))
  return {
    ...made,
    owner,
    there,
    share,
    transfer: (id: string, to: object = there, who: Who = owner) =>
      made.send('POST', `applications/${id}/transfer-project`, to, who),
    newest: async (id: string) => ok(await made.send('GET', `applications/${id}/deployments`)).items[0],
  }
}

const day = (): string => panel.panel.clock.now().toISOString().slice(0, 10)

test('what runs comes into the network of the other environment, with what is shared there', async () => {
  const { add, deploy, transfer, there, projectId, share, newest, ended, environmentOf, read, send } =
    await twoProjects()
  await share(projectId, 'PLACE', 'the former one')
  await share(there.projectId, 'PLACE', 'the new one')
  const made = await add({ port: 8_080 })
  ok(await send('PATCH', `applications/${made.id}/env`, { set: [{ name: 'TOKEN', value: 'own value', secret: true }] }))
  const before = await deploy(made.id)
  expect(environmentOf(before.id)).toMatchObject({ PLACE: 'the former one', TOKEN: 'own value' })
  await panel.settle()

  const starting = gate()
  host.script('release.start', (work) => starting.wait(work).then(() => ({ containers: [] })))
  const moved = ok(await transfer(made.id))
  const command = { command: ['env'] }
  expect(refusalIn(await send('POST', `applications/${made.id}/exec`, command))).toEqual([409, 'MOVED'])
  starting.open()
  host.usual('release.start')
  expect(moved).toEqual({ ...(await read(made.id)), pendingChanges: expect.any(Boolean) })
  expect(moved).toMatchObject({ ...there, id: made.id, slug: made.slug, url: made.url, deploymentId: before.id })
  const rolled = await ended((await newest(made.id)).id)
  expect(rolled).toMatchObject({ status: 'SUCCEEDED', kind: 'RESTART', imageId: before.imageId, ...there })
  const started = host.done.find(({ kind, payload }) => kind === 'release.start' && payload.deploymentId === rolled.id)!
  expect(started.payload).toMatchObject(there)
  expect(environmentOf(rolled.id)).toMatchObject({ PLACE: 'the new one', TOKEN: 'own value' })
  await panel.settle()
  const retired = () =>
    host.done.find(({ kind, payload }) => kind === 'release.retire' && payload.deploymentId === before.id)
  await expect.poll(() => retired()?.secrets.values).toEqual(expect.arrayContaining(['the former one', 'own value']))
  expect(await read(made.id)).toMatchObject({ deploymentId: rolled.id, pendingChanges: false })
  // The old containers go once the new ones have the requests.
  expect(retired()?.payload.workload.id).toBe(made.id)
})

test('a rollback after it gets its own variables of then, and nothing of the project before', async () => {
  const { add, deploy, transfer, there, projectId, share, newest, ended, environmentOf, send } = await twoProjects()
  await share(projectId, 'FORMER', 'of the former project')
  await share(there.projectId, 'PLACE', 'the new one')
  const { id } = await add()
  const own = async (value: string) =>
    ok(await send('PATCH', `applications/${id}/env`, { set: [{ name: 'COLOR', value }] }))
  await own('red')
  const first = await deploy(id)
  await own('blue')
  await deploy(id)
  await panel.settle()
  ok(await transfer(id))
  await ended((await newest(id)).id)
  await panel.settle()
  const back = await deploy(id, 'rollback', { deploymentId: first.id })
  expect(back).toMatchObject({ status: 'SUCCEEDED', kind: 'ROLLBACK' })
  expect(environmentOf(back.id)).toMatchObject({ COLOR: 'red', PLACE: 'the new one' })
  expect(environmentOf(back.id)).not.toHaveProperty('FORMER')
})

test('its values stay readable when the project before is deleted with its key', async () => {
  const { add, transfer, projectId, owner, send } = await twoProjects()
  const { id } = await add({ source: { kind: 'DOCKERFILE' } })
  ok(await send('PATCH', `applications/${id}/env`, { set: [{ name: 'COLOR', value: 'red' }] }))
  ok(await send('PATCH', `applications/${id}/files/dockerfile`, { content: 'FROM scratch\n' }))
  const { secret } = ok(await send('GET', `applications/${id}/webhook`))
  expect(refusalIn(await floor.remove(owner, `/${projectId}`))).toEqual([409, 'NOT_EMPTY'])
  ok(await transfer(id))
  expect((await floor.remove(owner, `/${projectId}`)).status).toBe(204)
  await panel.settle()
  const variables = ok(await send('GET', `applications/${id}/env`))
  expect(variables.map(({ name, value }: any) => [name, value])).toEqual([['COLOR', 'red']])
  expect(ok(await send('GET', `applications/${id}/files/dockerfile`)).content).toBe('FROM scratch\n')
  expect(ok(await send('GET', `applications/${id}/webhook`)).secret).toBe(secret)
})

test('rights are those of the other project from the next request on', async () => {
  const { add, deploy, transfer, there, projectId, owner, send, newest, ended } = await twoProjects()
  const { id } = await add()
  const { id: deploymentId } = await deploy(id)
  ok(await send('POST', 'scheduled-deploys', { applicationId: id, cron: '0 3 * * *', timezone: 'UTC' }), 201)
  await panel.settle()
  const former = await floor.member(owner, projectId, { role: 'DEVELOPER' })
  const next = await floor.member(owner, there.projectId, { role: 'VIEWER' })
  const statuses = async (who: Who) =>
    Promise.all(
      [
        `applications/${id}`,
        `applications/${id}/deployments`,
        `applications/${id}/ports`,
        `deployments/${deploymentId}`,
      ].map(async (path) => (await send('GET', path, undefined, who)).status),
    )
  const schedules = async (who: Who) => ok(await send('GET', 'scheduled-deploys', undefined, who)).length
  expect([await statuses(former), await schedules(former)]).toEqual([[200, 200, 200, 200], 1])
  expect([await statuses(next), await schedules(next)]).toEqual([[404, 404, 404, 404], 0])
  ok(await transfer(id))
  expect([await statuses(former), await schedules(former)]).toEqual([[404, 404, 404, 404], 0])
  expect([await statuses(next), await schedules(next)]).toEqual([[200, 200, 200, 200], 1])
  const listed = async (who: Who) => ok(await send('GET', 'applications', undefined, who)).map((each: any) => each.id)
  expect([await listed(former), await listed(next)]).toEqual([[], [id]])
  await ended((await newest(id)).id)
})

test('it is counted in the other project, by day and by quota', async () => {
  const { add, transfer, there, projectId, owner } = await twoProjects()
  const [one, other] = [await add(), await add()]
  const quota = async (applications: number | null) =>
    ok(await panel.call('PATCH', `/api/projects/${there.projectId}/quota`, { as: root.as, body: { applications } }))
  await quota(1)
  ok(await transfer(one.id))
  expect(refusalIn(await transfer(other.id))).toEqual([409, 'QUOTA_REACHED'])
  const counted = async (id: string) =>
    ok(await floor.get(owner, `/${id}/usage/history?from=${day()}&to=${day()}`))[0].applications
  expect([await counted(projectId), await counted(there.projectId)]).toEqual([1, 1])
  const load = await panel.call('GET', '/api/admin/capacity', { as: root.as })
  expect(ok(load).find((each: any) => each.serverId === host.serverId).reserved.workloads).toBeGreaterThan(0)
})

test('a caller is ADMIN of the one project, and may create and deploy in the other', async () => {
  const { add, deploy, transfer, there, projectId, owner, newest, ended } = await twoProjects()
  const { id } = await add()
  const admin = async () => floor.member(owner, projectId, { role: 'ADMIN' })
  const joined = async (who: { readonly id: string }, more: object) =>
    ok(await floor.post(owner, `/${there.projectId}/members`, { userId: who.id, ...more }), 201)
  expect((await transfer(id, there, await panel.somebody())).status).toBe(404)
  const developer = await floor.member(owner, projectId, { role: 'DEVELOPER' })
  await joined(developer, { role: 'ADMIN' })
  expect(refusalIn(await transfer(id, there, developer))).toEqual([403, 'ROLE_MISSING'])
  const stranger = await admin()
  expect((await transfer(id, there, stranger)).status).toBe(404)
  const viewer = await admin()
  await joined(viewer, { role: 'VIEWER' })
  expect(refusalIn(await transfer(id, there, viewer))).toEqual([403, 'PERMISSION_MISSING'])
  const trial = await floor.environment(owner, there.projectId, 'trial')
  const elsewhere = await admin()
  await joined(elsewhere, { role: 'DEVELOPER', environmentIds: [trial] })
  expect((await transfer(id, there, elsewhere)).status).toBe(404)
  const maker = await admin()
  const makes = await floor.role(owner, there.projectId, ['apps:view', 'apps:create'])
  await joined(maker, { roleId: makes })
  await deploy(id)
  await panel.settle()
  expect(refusalIn(await transfer(id, there, maker))).toEqual([403, 'PERMISSION_MISSING'])
  const able = await admin()
  await joined(able, { role: 'DEVELOPER', environmentIds: [there.environmentId] })
  ok(await transfer(id, there, able))
  await ended((await newest(id)).id)
})

test('what cannot go there is refused, and stays as it is', async () => {
  const { add, transfer, there, projectId, environmentId, owner, read, send } = await twoProjects()
  const first = await add({ name: 'Shop' })
  ok(await transfer(first.id))
  const second = await add({ name: 'SHOP' })
  expect(refusalIn(await transfer(second.id))).toEqual([409, 'NAME_TAKEN'])
  const registry = { kind: 'EXTERNAL', name: 'Ours', address: 'registry.example', username: 'a', password: 'b' }
  const { id: registryId } = ok(await send('POST', 'registries', { ...registry, projectId }), 201)
  const pulled = await add({ source: { kind: 'IMAGE', image: 'registry.example/shop:1', registryId } })
  expect(refusalIn(await transfer(pulled.id))).toEqual([409, 'REGISTRY_NOT_SHARED'])
  const closed = await servers.running(root)
  await servers.grant(root, closed, { userId: owner.id, level: 'USE' })
  const placed = await add({ serverId: closed })
  const admin = await floor.member(owner, projectId, { role: 'ADMIN' })
  ok(await floor.post(owner, `/${there.projectId}/members`, { userId: admin.id, role: 'ADMIN' }), 201)
  expect(refusalIn(await transfer(placed.id, there, admin))).toEqual([403, 'SERVER_NOT_YOURS'])
  for (const [body, status] of [
    [{ ...there, environmentId }, 400],
    [{ projectId: there.projectId }, 400],
    [{ ...there, name: 'x' }, 400],
  ] as const)
    expect((await transfer(second.id, body)).status).toBe(status)
  for (const { id } of [second, pulled, placed]) expect(await read(id)).toMatchObject({ projectId, environmentId })
})

test('a git provider must be shared with the other project, unless it is the caller’s', async () => {
  const { add, transfer, there, projectId, owner, send } = await twoProjects()
  const mine = { kind: 'GENERIC', name: 'Mine', baseUrl: 'https://forge.example', token: 'a-token' }
  const shared = { ...mine, projectId, repositories: ['ada/shop'] }
  const { id: providerId } = ok(await send('POST', 'git-providers', shared), 201)
  const source = { kind: 'GIT', providerId, url: 'https://forge.example/ada/shop.git', branch: 'main' }
  const { id } = await add({ source })
  const admin = await floor.member(owner, projectId, { role: 'ADMIN' })
  ok(await floor.post(owner, `/${there.projectId}/members`, { userId: admin.id, role: 'ADMIN' }), 201)
  expect(refusalIn(await transfer(id, there, admin))).toEqual([409, 'PROVIDER_NOT_SHARED'])
  ok(await transfer(id))
})

test('while a deployment waits or runs it stays, and where it is already nothing happens', async () => {
  const { add, deploy, transfer, send, ended, projectId, environmentId, owner, newest } = await twoProjects()
  const { id } = await add()
  const hold = gate()
  host.script('image.pull', async (work) => {
    await hold.wait(work)
    return { imageId: `sha256:${'b'.repeat(64)}`, repoDigest: null, ports: [] }
  })
  const asked = ok(await send('POST', `applications/${id}/redeploy`), 202)
  expect(refusalIn(await transfer(id))).toEqual([409, 'DEPLOYING'])
  hold.open()
  host.usual('image.pull')
  await ended(asked.id)
  await panel.settle()
  const head = await panel.panel.store.head()
  expect(ok(await transfer(id, { projectId, environmentId }))).toMatchObject({ projectId, environmentId })
  expect(await panel.panel.store.head()).toBe(head)
  // Another environment of the same project is another place.
  const trial = await floor.environment(owner, projectId, 'trial')
  expect(ok(await transfer(id, { projectId, environmentId: trial }))).toMatchObject({ environmentId: trial })
  await ended((await newest(id)).id)
  expect((await deploy(id, 'restart')).status).toBe('SUCCEEDED')
})

test('of a transfer and a deployment that come at once, each sees the other', async () => {
  const { add, deploy, transfer, send, there, newest, until, read, projectId } = await twoProjects()
  for (let tries = 0; tries < 5; tries += 1) {
    const { id } = await add()
    await deploy(id)
    await panel.settle()
    const [moved, asked] = await Promise.all([transfer(id), send('POST', `applications/${id}/restart`)])
    expect([200, 409]).toContain(moved.status)
    // Of a transfer that was first, the restart is one of the new place. After a restart there is none.
    expect(ok(asked, 202)).toMatchObject(moved.status === 200 ? there : { projectId })
    expect((await read(id)).projectId).toBe(moved.status === 200 ? there.projectId : projectId)
    await until((await newest(id)).id, 'SUCCEEDED')
  }
})
