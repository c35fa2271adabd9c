/** Applications over HTTP: who creates, sees and changes them, what they count and reserve, and their variables. */
import { expect, test } from 'vitest'
import { ERASED } from '#kernel/vault/vault'
import { applications } from '#panel/applications/decider'
import { apiKeyFixture } from '../../support/panel/api-key-fixture.ts'
import { ok, projectFixture, refusalIn } from '../../support/panel/project-fixture.ts'
import { serverFixture } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'

const panel = await startPanel()
await panel.licensed()
const root = await panel.somebody('SUPERADMIN')
const [floor, servers, keys] = [projectFixture(panel), serverFixture(panel), apiKeyFixture(panel)]
const serverId = await servers.running(root)

type Who = { readonly as: string }
let made = 0
const send = (method: string, { as }: Who, path: string, body?: unknown) =>
  panel.call(method, `/api/applications${path}`, { as, ...(body === undefined ? {} : { body }) })
const small = { memoryMiB: 16, cpuMillis: 50 }
const source = { kind: 'IMAGE', image: 'ghcr.io/team/shop:1.2' }
const values = (more: object = {}) => ({ name: `App ${(made += 1)}`, source, serverId, ...small, ...more })

async function shop() {
  const owner = await panel.somebody()
  const projectId = await floor.project(owner)
  const environmentId = await floor.environment(owner, projectId, 'live')
  const create = (more: object = {}, who: Who = owner) =>
    send('POST', who, '', values({ projectId, environmentId, ...more }))
  return { owner, projectId, environmentId, create, add: async (more: object = {}) => ok(await create(more), 201) }
}
const idsIn = (reply: any): string[] => ok(reply).map(({ id }: { id: string }) => id)

test('an application is created, read, changed and deleted', async () => {
  const { owner, projectId, environmentId, add } = await shop()
  const created = await add({ name: ' Müller & Søn ', port: 8_080 })
  const { id, slug } = created
  expect(slug).toMatch(/^mu-ller-s-n|muller-s-n/)
  expect(created).toEqual({
    id,
    projectId,
    environmentId,
    serverId,
    slug,
    name: 'Müller & Søn',
    source: { ...source, registryId: null },
    port: 8_080,
    command: null,
    replicas: 1,
    ...small,
    healthCheck: {
      kind: 'HTTP',
      path: '/',
      command: null,
      intervalSeconds: 2,
      timeoutSeconds: 5,
      startSeconds: 60,
      successes: 1,
    },
    drainSeconds: 30,
    stopSeconds: 10,
    keepImages: 5,
    urlMode: 'PORT',
    bindIp: null,
    outboundIp: null,
    url: expect.stringMatching(/^http:\/\/east:2\d{4}$/),
    volumes: [],
    rollover: 'AUTO',
    buildTimeoutSeconds: 1_800,
    autoDeploy: false,
    deploymentId: null,
    dataCopy: null,
    pendingChanges: false,
    createdAt: expect.any(String),
  })
  expect(ok(await send('GET', owner, `/${id}`))).toEqual(created)
  const changed = ok(await send('PATCH', owner, `/${id}`, { name: 'Shop', replicas: 2, command: ['serve', '--fast'] }))
  expect(changed).toEqual({ ...created, name: 'Shop', replicas: 2, command: ['serve', '--fast'] })
  ok(await send('DELETE', owner, `/${id}`), 204)
  expect((await send('GET', owner, `/${id}`)).status).toBe(404)
  expect((await send('DELETE', owner, `/${id}`)).status).toBe(404)
})

test('what is reserved on its server follows its size, and is free when it is deleted', async () => {
  const { owner, add } = await shop()
  const sum = async () => {
    const all = ok(await panel.call('GET', '/api/admin/capacity', { as: root.as }))
    const { reserved } = all.find((each: any) => each.serverId === serverId)
    return [reserved.cpuMillis, reserved.memoryMiB, reserved.workloads]
  }
  const before = await sum()
  const { id } = await add({ replicas: 3 })
  expect(await sum()).toEqual([before[0] + 150, before[1] + 48, before[2] + 1])
  ok(await send('PATCH', owner, `/${id}`, { replicas: 1, memoryMiB: 32 }))
  expect(await sum()).toEqual([before[0] + 50, before[1] + 32, before[2] + 1])
  expect(refusalIn(await send('PATCH', owner, `/${id}`, { memoryMiB: 1_000_000 }))).toEqual([409, 'CAPACITY'])
  expect(ok(await send('GET', owner, `/${id}`)).memoryMiB).toBe(32)
  ok(await send('DELETE', owner, `/${id}`), 204)
  expect(await sum()).toEqual(before)
})

test('a name is once in its environment, a slug once in the installation', async () => {
  const { owner, projectId, create, add } = await shop()
  const { slug } = await add({ name: 'Store' })
  expect(refusalIn(await create({ name: 'STORE' }))).toEqual([409, 'NAME_TAKEN'])
  const elsewhere = await floor.environment(owner, projectId, 'trial')
  const second = await add({ name: 'Store', environmentId: elsewhere })
  expect(second.slug).toMatch(new RegExp(`^${slug}-[0-9a-f]{6}$`))
  expect(refusalIn(await create({ slug }))).toEqual([409, 'NAME_TAKEN'])
  expect(refusalIn(await send('PATCH', owner, `/${(await add()).id}`, { name: 'store' }))).toEqual([409, 'NAME_TAKEN'])
  ok(await send('DELETE', owner, `/${second.id}`), 204)
  expect((await add({ name: 'Store', environmentId: elsewhere })).slug).toMatch(new RegExp(`^${slug}-`))
})

test('a body with a bad field is refused', async () => {
  const { create, add, owner, projectId } = await shop()
  const { id } = await add()
  const foreign = await shop()
  for (const more of [
    { name: '' },
    { slug: '-a' },
    { slug: 'pr-7--shop' },
    { source: { kind: 'GIT' } },
    { source: { ...source, image: 'Not an image' } },
    { source: { ...source, image: '../escape' } },
    { source: { ...source, image: '-v/:/host' } },
    { source: { ...source, registryId: serverId } },
    { port: 0 },
    { port: 65_536 },
    { command: [] },
    { command: ['a\0b'] },
    { replicas: 9 },
    { memoryMiB: 15 },
    { cpuMillis: 49 },
    { healthCheck: { kind: 'HTTP' } },
    { healthCheck: { kind: 'COMMAND' } },
    { port: 80, healthCheck: { kind: 'HTTP', path: 'no-slash' } },
    { healthCheck: { kind: 'NONE', path: '/' } },
    { environmentId: foreign.environmentId },
  ])
    expect((await create(more)).status, JSON.stringify(more)).toBe(400)
  for (const body of [{}, { projectId }, { serverId }, { healthCheck: { kind: 'TCP' } }])
    expect((await send('PATCH', owner, `/${id}`, body)).status, JSON.stringify(body)).toBe(400)
})

test('an image is named as engines name it', async () => {
  const { add, create } = await shop()
  const id = `sha256:${'a'.repeat(64)}`
  // Ids of images of other tenants are no secrets.
  for (const image of [id, ` ${id}`, 'sha256', 'sha256:1.2'])
    expect((await create({ source: { ...source, image } })).status, image).toBe(400)
  for (const image of ['nginx', 'library/nginx:1.27', 'localhost:5000/a/b_c/d-e.f:V1', `ghcr.io/team/shop@${id}`])
    expect((await add({ source: { ...source, image } })).source.image).toBe(image)
})

test('members see and change what their roles in its environment allow', async () => {
  const { owner, projectId, environmentId, create, add } = await shop()
  const other = await floor.environment(owner, projectId, 'trial')
  const [one, two] = [await add(), await add({ environmentId: other })]
  const viewer = await floor.member(owner, projectId, { role: 'VIEWER' })
  const partly = await floor.member(owner, projectId, { role: 'DEVELOPER', environmentIds: [other] })
  const stranger = await panel.somebody()
  const listed = async (who: Who, query = '') => idsIn(await send('GET', who, query))
  expect(await listed(owner)).toEqual([two.id, one.id])
  expect(await listed(viewer, `?environmentId=${environmentId}`)).toEqual([one.id])
  expect(await listed(partly)).toEqual([two.id])
  expect(await listed(partly, `?projectId=${projectId}`)).toEqual([two.id])
  expect(await listed(stranger)).toEqual([])
  expect(await listed(stranger, `?projectId=${projectId}`)).toEqual([])
  expect(refusalIn(await send('GET', stranger, '?scope=all'))).toEqual([403, 'PERMISSION_MISSING'])
  expect(await listed(root, `?scope=all&projectId=${projectId}`)).toEqual([two.id, one.id])
  for (const [who, id, method, status] of [
    [viewer, one.id, 'GET', 200],
    [viewer, one.id, 'PATCH', 403],
    [partly, one.id, 'GET', 404],
    [partly, two.id, 'PATCH', 200],
    [stranger, two.id, 'GET', 404],
    [stranger, two.id, 'PATCH', 404],
  ] as const)
    expect((await send(method, who, `/${id}`, method === 'GET' ? undefined : { drainSeconds: 1 })).status).toBe(status)
  expect((await create({}, viewer)).status).toBe(403)
  expect((await create({}, partly)).status).toBe(404)
  expect((await create({}, stranger)).status).toBe(404)
  ok(await create({ environmentId: other }, partly), 201)
})

test('a key has its scope alone, and one of other projects sees none of them', async () => {
  const { owner, projectId, create, add } = await shop()
  const { id } = await add()
  const elsewhere = await shop()
  const minted = async (scopes: string[], projectIds?: string[]) => ({
    as: (await keys.minted(owner, { scopes, ...(projectIds && { projectIds }) })).secret,
  })
  const reader = await minted(['project:apps:view'], [projectId])
  const creator = await minted(['project:apps:create'])
  const own = await floor.project(owner)
  const ofOther = await minted(['project:apps:view', 'project:apps:create'], [own])
  expect(idsIn(await send('GET', reader, ''))).toEqual([id])
  expect((await send('PATCH', reader, `/${id}`, { drainSeconds: 1 })).status).toBe(403)
  expect((await create({}, reader)).status).toBe(403)
  ok(await create({}, creator), 201)
  expect(idsIn(await send('GET', ofOther, ''))).toEqual([])
  expect((await send('GET', ofOther, `/${id}`)).status).toBe(404)
  expect((await create({}, ofOther)).status).toBe(404)
  expect((await elsewhere.create({}, creator)).status).toBe(404)
})

test('the number of applications is that of the license, exactly, and of the quota of the project', async () => {
  const { owner, projectId, create, add } = await shop()
  const all = idsIn(await send('GET', root, '?scope=all')).length
  await panel.licensed({ 'applications.max': Math.max(10, all + 3) })
  const free = Math.max(10, all + 3) - all
  const replies = await Promise.all(Array.from({ length: free + 2 }, () => create()))
  const refused = replies.filter(({ status }) => status === 402)
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(free)
  expect(refused.map(({ body }) => body.message)[0]).toMatch(/^The plan .+ allows \d+ applications: upgrade it/)
  await panel.licensed()
  const present = idsIn(await send('GET', owner, `?projectId=${projectId}`)).length
  const quota = { applications: present + 1 }
  ok(await panel.call('PATCH', `/api/projects/${projectId}/resource-quota`, { as: root.as, body: quota }))
  const { id } = await add()
  expect(refusalIn(await create())).toEqual([409, 'QUOTA_REACHED'])
  ok(await send('DELETE', owner, `/${id}`), 204)
  await add()
})

test('a server that is not the account’s, and a registry of another project, are refused', async () => {
  const { owner, create, add } = await shop()
  const closed = await servers.running(root)
  await servers.grant(root, closed, { userId: root.id })
  expect(refusalIn(await create({ serverId: closed }))).toEqual([403, 'SERVER_NOT_YOURS'])
  expect(refusalIn(await create({ serverId: undefined }))).toEqual([400, 'NO_LOCAL_SERVER'])
  const other = await shop()
  const login = { kind: 'EXTERNAL', address: '127.0.0.1:59999', username: 'a', password: 'b', name: 'Images' }
  const body = { ...login, projectId: other.projectId }
  const { id: registryId } = ok(await panel.call('POST', '/api/registries', { as: other.owner.as, body }), 201)
  const foreign = { source: { ...source, registryId } }
  expect(refusalIn(await create(foreign))).toEqual([400, 'UNKNOWN_REGISTRY'])
  expect(refusalIn(await send('PATCH', owner, `/${(await add()).id}`, foreign))).toEqual([400, 'UNKNOWN_REGISTRY'])
  const { id } = ok(await other.create(foreign), 201)
  ok(await panel.call('DELETE', `/api/registries/${registryId}`, { as: other.owner.as }), 204)
  ok(await send('PATCH', other.owner, `/${id}`, { replicas: 2 }))
  expect(refusalIn(await send('PATCH', other.owner, `/${id}`, foreign))).toEqual([400, 'UNKNOWN_REGISTRY'])
})

test('a project, an environment and a server with applications stay', async () => {
  const { owner, projectId, environmentId, add } = await shop()
  const { id } = await add()
  for (const path of [`/${projectId}`, `/${projectId}/environments/${environmentId}`]) {
    const refused = await floor.remove(owner, path)
    expect(refusalIn(refused)).toEqual([409, 'NOT_EMPTY'])
    expect(refused.body.message).toContain('1 APPLICATION')
  }
  expect(refusalIn(await servers.remove(root, `/${serverId}`))).toEqual([409, 'IN_USE'])
  ok(await send('DELETE', owner, `/${id}`), 204)
  ok(await floor.remove(owner, `/${projectId}/environments/${environmentId}`), 204)
  ok(await floor.remove(owner, `/${projectId}`), 204)
})

test('variables come from project, environment, application and active set, and the last one is in effect', async () => {
  const { owner, projectId, environmentId, add } = await shop()
  const { id } = await add()
  const put = (query: string, value: string) =>
    floor.put(owner, `/${projectId}/shared-env${query}`, { variables: [{ name: 'A', value }] })
  ok(await put('', 'of the project'))
  ok(await put(`?environmentId=${environmentId}`, 'of the environment'))
  const shownIn = (reply: any) => ok(reply).map((each: any) => [each.source, each.value, each.inEffect])
  const first = await send('PATCH', owner, `/${id}/env`, { set: [{ name: 'A', value: 'its own' }] })
  expect(shownIn(first)).toEqual([
    ['PROJECT', 'of the project', false],
    ['ENVIRONMENT', 'of the environment', false],
    ['APPLICATION', 'its own', true],
  ])
  const variables = [{ name: 'A', value: 'of the set', secret: true }]
  const set = ok(await send('POST', owner, `/${id}/env-sets`, { name: 'live', variables }), 201)
  expect(shownIn(await send('GET', owner, `/${id}/env`))).toHaveLength(3)
  ok(await send('POST', owner, `/${id}/env-sets/${set.id}/activate`))
  expect(shownIn(await send('GET', owner, `/${id}/env`)).slice(-2)).toEqual([
    ['APPLICATION', 'its own', false],
    ['SET', '••••••••', true],
  ])
  const partly = await floor.member(owner, projectId, { role: 'DEVELOPER', environmentIds: [environmentId] })
  expect(shownIn(await send('GET', partly, `/${id}/env`)).slice(0, 2)).toEqual([
    ['PROJECT', '••••••••', false],
    ['ENVIRONMENT', 'of the environment', false],
  ])
})

test('sets of variables are listed, read, changed and deleted', async () => {
  const { owner, add } = await shop()
  const { id } = await add()
  const sets = `/${id}/env-sets`
  const variables = [{ name: 'A', value: '1' }]
  const live = ok(await send('POST', owner, sets, { name: 'live', variables }), 201)
  expect(live).toEqual({
    id: expect.any(String),
    name: 'live',
    isActive: false,
    variables: [{ name: 'A', value: '1', secret: false, when: 'RUN' }],
  })
  expect(ok(await send('GET', owner, sets))).toEqual([{ id: live.id, name: 'live', isActive: false, variables: 1 }])
  expect(refusalIn(await send('POST', owner, sets, { name: 'live' }))).toEqual([409, 'NAME_TAKEN'])
  const body = { name: 'real', set: [{ name: 'B', value: '2', when: 'BUILD' }], remove: ['A'] }
  const changed = ok(await send('PATCH', owner, `${sets}/${live.id}`, body))
  expect(changed).toEqual({
    ...live,
    name: 'real',
    variables: [{ name: 'B', value: '2', secret: false, when: 'BUILD' }],
  })
  expect(ok(await send('GET', owner, `${sets}/${live.id}`))).toEqual(changed)
  expect(ok(await send('POST', owner, `${sets}/${live.id}/activate`))).toEqual({ setId: live.id })
  expect(refusalIn(await send('DELETE', owner, `${sets}/${live.id}`))).toEqual([409, 'SET_ACTIVE'])
  const spare = ok(await send('POST', owner, sets, { name: 'spare' }), 201)
  ok(await send('DELETE', owner, `${sets}/${spare.id}`), 204)
  expect((await send('GET', owner, `${sets}/${spare.id}`)).status).toBe(404)
  for (const bad of [{ set: [{ name: 'a-b', value: '' }] }, { set: [{ name: 'A', value: 'a\0b' }] }, {}])
    expect((await send('PATCH', owner, `/${id}/env`, bad)).status, JSON.stringify(bad)).toBe(400)
})

test('variables are stored sealed, and nothing can open them when their application is deleted', async () => {
  const { owner, add } = await shop()
  const { id } = await add()
  const canary = 'canary-of-an-application'
  ok(await send('PATCH', owner, `/${id}/env`, { set: [{ name: 'TOKEN', value: canary, secret: true }] }))
  expect((await send('GET', owner, `/${id}/env`)).text).not.toContain(canary)
  expect(await panel.dump()).not.toContain(canary)
  ok(await send('DELETE', owner, `/${id}`), 204)
  await panel.settle()
  const set = (await panel.history()).findLast(({ type }) => type === 'ApplicationVariableSet')!
  const { value } = set.data as { value: string }
  expect(await panel.panel.vault.open(value, { subject: `application/${id}`, field: 'value' })).toBe(ERASED)
})

test('variables of 256 KiB pass, and more are refused', async () => {
  const { owner, add } = await shop()
  const { id } = await add()
  const value = 'x'.repeat(32_760)
  const set = Array.from({ length: 8 }, (_none, nth) => ({ name: `V${nth}`, value }))
  ok(await send('PATCH', owner, `/${id}/env`, { set }))
  const more = await send('PATCH', owner, `/${id}/env`, { set: [{ name: 'MORE', value }] })
  expect(refusalIn(more)).toEqual([413, 'TOO_LARGE'])
})

test('commands are stored and logged nowhere in clear, and end with their application', async () => {
  const { owner, add } = await shop()
  const command = ['serve', '--token', 'canary-of-a-command']
  const healthCheck = { kind: 'COMMAND', command: ['check', 'canary-of-a-check'] }
  const { id } = await add({ command, healthCheck })
  const changed = { command: [...command, 'canary-of-a-change'] }
  expect(ok(await send('PATCH', owner, `/${id}`, changed))).toMatchObject({ ...changed, healthCheck })
  const shown = ok(await send('GET', owner, `/${id}`))
  expect(shown).toMatchObject({ ...changed, healthCheck })
  expect(ok(await send('GET', owner, '')).find((each: any) => each.id === id)).toEqual(shown)
  const copy = ok(await send('POST', owner, `/${id}/duplicate`, { name: 'Its copy' }), 201)
  expect(copy).toMatchObject({ ...changed, healthCheck })
  const unchanged = { ...changed, healthCheck: shown.healthCheck }
  expect(await panel.run((unit) => unit.decide(applications, id, 'Change', { changes: unchanged }))).toEqual([])
  expect((await panel.dump()) + panel.logs()).not.toContain('canary-of-')
  for (const each of [id, copy.id]) ok(await send('DELETE', owner, `/${each}`), 204)
  await panel.settle()
  expect(await panel.run((unit) => unit.load(applications, id))).toBeUndefined()
  expect(JSON.stringify(await panel.history())).not.toContain('canary-of-')
})
