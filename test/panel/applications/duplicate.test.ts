/** Copies of applications over HTTP: what they take with them, and what they count as. */
import { expect, test } from 'vitest'
import { ok, projectFixture, refusalIn } from '../../support/panel/project-fixture.ts'
import { serverFixture } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'

const panel = await startPanel()
await panel.licensed()
const root = await panel.somebody('SUPERADMIN')
const [floor, servers] = [projectFixture(panel), serverFixture(panel)]
const serverId = await servers.running(root)

type Who = { readonly as: string }
const send = (method: string, path: string, { as }: Who, body?: unknown) =>
  panel.call(method, `/api/applications${path}`, { as, ...(body === undefined ? {} : { body }) })
const small = { memoryMiB: 16, cpuMillis: 50 }
const source = { kind: 'IMAGE', image: 'ghcr.io/team/shop:1.2' }
let made = 0

async function shop() {
  const owner = await panel.somebody()
  const projectId = await floor.project(owner)
  const [environmentId, trial] = [
    await floor.environment(owner, projectId, 'live'),
    await floor.environment(owner, projectId, 'trial'),
  ]
  return {
    owner,
    projectId,
    environmentId,
    trial,
    async add(more: object = {}) {
      const place = { projectId, environmentId, serverId, name: `Shop ${(made += 1)}` }
      return ok(await send('POST', '', owner, { ...place, source, ...small, ...more }), 201)
    },
    copy: (id: string, body: object, who: Who = owner) => send('POST', `/${id}/duplicate`, who, body),
  }
}

test('a copy has the configuration, the variables, the sets and the files, and no ports', async () => {
  const { owner, add, copy, trial } = await shop()
  const volumes = [{ name: 'data', mountPath: '/data', shared: false }]
  const values = { port: 8_080, command: ['serve'], replicas: 2, keepImages: 3, rollover: 'STOP_FIRST', volumes }
  const first = await add(values)
  const set = [
    { name: 'COLOR', value: 'red', when: 'BOTH' },
    { name: 'TOKEN', value: 'a secret value', secret: true },
  ]
  ok(await send('PATCH', `/${first.id}/env`, owner, { set }))
  const addSet = async (name: string) =>
    ok(await send('POST', `/${first.id}/env-sets`, owner, { name, variables: [{ name: 'MODE', value: name }] }), 201)
  await addSet('calm')
  const busy = await addSet('busy')
  ok(await send('POST', `/${first.id}/env-sets/${busy.id}/activate`, owner))
  ok(await send('PATCH', `/${first.id}/files/dockerfile`, owner, { content: 'FROM scratch\n' }))
  ok(await send('POST', `/${first.id}/host-ports`, owner, { containerPort: 53, port: 5_401 }), 201)

  const second = ok(await copy(first.id, { name: 'Copy', environmentId: trial }), 201)
  const own = { id: second.id, name: 'Copy', environmentId: trial, slug: second.slug, url: second.url }
  expect(second).toEqual({ ...first, ...own, createdAt: second.createdAt })
  expect(second.slug).not.toBe(first.slug)
  expect(second.url).not.toBe(first.url)
  const variables = async (id: string) => ok(await send('GET', `/${id}/env`, owner))
  expect(await variables(second.id)).toEqual(await variables(first.id))
  const sets = ok(await send('GET', `/${second.id}/env-sets`, owner))
  expect(sets.map(({ name, isActive, variables }: any) => [name, isActive, variables])).toEqual([
    ['calm', false, 1],
    ['busy', true, 1],
  ])
  expect(sets.map(({ id }: any) => id)).not.toContain(busy.id)
  expect(ok(await send('GET', `/${second.id}/files/dockerfile`, owner)).content).toBe('FROM scratch\n')
  expect(ok(await send('GET', `/${second.id}/ports`, owner)).map(({ via }: any) => via)).toEqual(['EDGE'])
  const secretOf = async (id: string) => ok(await send('GET', `/${id}/webhook`, owner)).secret
  expect(await secretOf(second.id)).not.toBe(await secretOf(first.id))
  expect(JSON.stringify(await panel.history())).not.toContain('a secret value')
  ok(await send('PATCH', `/${second.id}/env`, owner, { set: [{ name: 'COLOR', value: 'blue' }] }))
  expect((await variables(first.id)).find(({ name }: any) => name === 'COLOR').value).toBe('red')
  ok(await send('DELETE', `/${first.id}`, owner), 204)
  expect((await variables(second.id)).find(({ name }: any) => name === 'COLOR').value).toBe('blue')
})

test('a copy stays in its environment without another one, and a push deploys it not yet', async () => {
  const { owner, add, copy, environmentId } = await shop()
  const first = await add({ source: { kind: 'GIT', url: 'https://forge.example/ada/shop.git', branch: 'main' } })
  ok(await send('PATCH', `/${first.id}/auto-deploy`, owner, { enabled: true }))
  const second = ok(await copy(first.id, { name: 'Second' }), 201)
  expect(second).toMatchObject({ environmentId, autoDeploy: false, source: first.source, deploymentId: null })
  expect(refusalIn(await copy(first.id, { name: 'SECOND' }))).toEqual([409, 'NAME_TAKEN'])
})

test('a copy with a Compose file has its services', async () => {
  const { owner, add, copy } = await shop()
  const first = await add({ source: { kind: 'COMPOSE', service: 'web' }, port: 80, memoryMiB: 64, cpuMillis: 200 })
  const content = 'services: {web: {image: "web:1"}, db: {image: "db:1"}}\n'
  ok(await send('PATCH', `/${first.id}/files/compose`, owner, { content }))
  const second = ok(await copy(first.id, { name: 'Forum' }), 201)
  expect(ok(await send('GET', `/${second.id}/files/compose`, owner)).content).toBe(content)
})

test('a copy counts as an application, and reserves what it may use', async () => {
  const { add, copy, projectId } = await shop()
  const first = await add()
  const quota = (path: string, body: object) => panel.call('PATCH', `/api/${path}`, { as: root.as, body })
  ok(await quota(`projects/${projectId}/quota`, { applications: 1 }))
  expect(refusalIn(await copy(first.id, { name: 'One more' }))).toEqual([409, 'QUOTA_REACHED'])
  ok(await quota(`projects/${projectId}/quota`, { applications: null }))
  const reserved = async () => {
    const all = ok(await panel.call('GET', '/api/admin/capacity', { as: root.as }))
    return all.find((each: any) => each.serverId === serverId).reserved.memoryMiB
  }
  const before = await reserved()
  ok(await copy(first.id, { name: 'One more' }), 201)
  expect(await reserved()).toBe(before + 16)
})

test('a caller needs the rights where the application is and where its copy will be', async () => {
  const { owner, add, copy, projectId, environmentId, trial } = await shop()
  const { id } = await add()
  const developer = await floor.member(owner, projectId, { role: 'DEVELOPER', environmentIds: [environmentId] })
  ok(await copy(id, { name: 'Mine' }, developer), 201)
  expect((await copy(id, { name: 'There', environmentId: trial }, developer)).status).toBe(404)
  const reads = await floor.role(owner, projectId, ['apps:view', 'apps:create'])
  const blind = await floor.member(owner, projectId, { roleId: reads })
  expect((await copy(id, { name: 'Blind' }, blind)).status).toBe(403)
  expect((await copy(id, { name: 'Foreign' }, await panel.somebody())).status).toBe(404)
  const elsewhere = await shop()
  expect((await copy(id, { name: 'Elsewhere', environmentId: elsewhere.trial })).status).toBe(400)
})

test('a body that asks for something else is refused', async () => {
  const { add, copy } = await shop()
  const { id } = await add()
  for (const body of [{}, { name: '' }, { name: 'x', environmentId: 'live' }, { name: 'x', port: 1 }, { copyData: 1 }])
    expect((await copy(id, body)).status, JSON.stringify(body)).toBe(400)
})
