/** Copies of projects over HTTP: what they have, what they count as, and who may make them. */
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
const small = { memoryMiB: 16, cpuMillis: 50 }
const image = { kind: 'IMAGE', image: 'ghcr.io/team/shop:1.2' }

const statuses = (replies: readonly { readonly status: number }[]) => {
  const counts: Record<number, number> = {}
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

async function shop() {
  const owner = await panel.somebody()
  const projectId = await floor.project(owner, 'Shop')
  const [live, trial] = [
    await floor.environment(owner, projectId, 'live'),
    await floor.environment(owner, projectId, 'trial'),
  ]
  const send = (method: string, path: string, body?: unknown, who: Who = owner) =>
    panel.call(method, `/api/${path}`, { as: who.as, ...(body === undefined ? {} : { body }) })
  return {
    owner,
    projectId,
    live,
    trial,
    send,
    add: async (name: string, more: object = {}) =>
      ok(
        await send('POST', 'applications', {
          projectId,
          environmentId: live,
          serverId,
          name,
          source: image,
          ...small,
          ...more,
        }),
        201,
      ),
    copy: (body: object = { name: 'Copy' }, who: Who = owner) => floor.post(who, `/${projectId}/duplicate`, body),
    listed: async (id: string, who: Who = owner): Promise<any[]> =>
      ok(await send('GET', `applications?projectId=${id}`, undefined, who)),
  }
}

test('a copy has the environments, the shared variables and the applications, and the caller owns it', async () => {
  const { owner, projectId, live, trial, send, add, copy, listed } = await shop()
  ok(await floor.patch(owner, `/${projectId}`, { description: 'What we sell' }))
  const share = async (query: string, value: string) =>
    ok(await floor.put(owner, `/${projectId}/shared-env${query}`, { variables: [{ name: 'PLACE', value }] }))
  await share('', 'everywhere')
  await share(`?environmentId=${trial}`, 'on trial')
  const web = await add('Web', { port: 8_080, volumes: [{ name: 'data', mountPath: '/data' }] })
  const second = await add('Web', { environmentId: trial })
  ok(await send('POST', `applications/${web.id}/host-ports`, { containerPort: 53, port: 5_402 }), 201)
  ok(await send('PATCH', `applications/${web.id}/env`, { set: [{ name: 'TOKEN', value: 'kept', secret: true }] }))
  ok(await send('POST', 'scheduled-deploys', { applicationId: web.id, cron: '0 3 * * *', timezone: 'UTC' }), 201)
  const admin = await floor.member(owner, projectId, { role: 'ADMIN' })
  await floor.member(owner, projectId, { role: 'VIEWER' })

  const made = ok(await copy({ name: 'Shop again' }, admin), 201)
  expect(made).toMatchObject({ name: 'Shop again', description: 'What we sell', ownerId: admin.id })
  const members = ok(await floor.get(admin, `/${made.id}/members`))
  expect(members.map(({ userId, role }: any) => [userId, role])).toEqual([[admin.id, 'OWNER']])
  expect((await floor.get(owner, `/${made.id}`)).status).toBe(404)
  const environments = ok(await floor.get(admin, `/${made.id}/environments`))
  const byName = Object.fromEntries(environments.map(({ id, name }: any) => [name, id]))
  expect(Object.keys(byName).toSorted()).toEqual(['live', 'trial'])
  expect(Object.values(byName)).not.toContain(live)
  const shared = async (query: string) =>
    ok(await floor.get(admin, `/${made.id}/shared-env${query}`)).map(({ value }: any) => value)
  expect([await shared(''), await shared(`?environmentId=${byName['trial']}`)]).toEqual([['everywhere'], ['on trial']])

  const copies = await listed(made.id, admin)
  const places = copies.map(({ name, environmentId }: any) => `${name} ${environmentId}`)
  expect(new Set(places)).toEqual(new Set([`Web ${byName['live']}`, `Web ${byName['trial']}`]))
  const own = copies.find(({ environmentId }: any) => environmentId === byName['live'])
  const place = { id: own.id, projectId: made.id, environmentId: own.environmentId }
  expect(own).toEqual({ ...web, ...place, slug: own.slug, url: own.url, createdAt: own.createdAt })
  expect(new Set([web, second, ...copies].map(({ slug }) => slug)).size).toBe(4)
  const all = ok(await send('GET', `applications/${own.id}/env`, undefined, admin))
  expect(all.map(({ name, secret }: any) => [name, secret])).toContainEqual(['TOKEN', true])
  expect(ok(await send('GET', `applications/${own.id}/ports`, undefined, admin))).toHaveLength(1)
  const secretOf = async (id: string) => ok(await send('GET', `applications/${id}/webhook`, undefined, admin)).secret
  expect(await secretOf(own.id)).not.toBe(await secretOf(web.id))
  expect(ok(await send('GET', `scheduled-deploys?applicationId=${own.id}`, undefined, admin))).toEqual([])
  // The values of the copy are its own: they outlive the project that they came from.
  for (const { id } of await listed(projectId)) ok(await send('DELETE', `applications/${id}`), 204)
  for (const query of ['', `?environmentId=${trial}`])
    ok(await floor.put(owner, `/${projectId}/shared-env${query}`, { variables: [] }))
  expect((await floor.remove(owner, `/${projectId}`)).status).toBe(204)
  await panel.settle()
  expect(await shared('')).toEqual(['everywhere'])
  const dump = JSON.stringify(await panel.history())
  expect(dump).not.toContain('everywhere')
})

test('applications whose names make the same slug get slugs of their own', async () => {
  const { add, copy, listed, trial } = await shop()
  await add('Mail box', { slug: 'mail-one' })
  await add('Mail box', { slug: 'mail-two', environmentId: trial })
  const made = ok(await copy(), 201)
  const slugs = (await listed(made.id)).map(({ slug }) => slug)
  expect(new Set(slugs).size).toBe(2)
  expect(slugs).toContain('mail-box')
})

test('a caller must be ADMIN or OWNER of the project', async () => {
  const { owner, projectId, live, copy } = await shop()
  expect((await copy({ name: 'x' }, await panel.somebody())).status).toBe(404)
  for (const role of ['VIEWER', 'DEVELOPER'])
    expect(refusalIn(await copy({ name: 'x' }, await floor.member(owner, projectId, { role })))).toEqual([
      403,
      'ROLE_MISSING',
    ])
  const partly = await floor.member(owner, projectId, { role: 'ADMIN', environmentIds: [live] })
  expect(refusalIn(await copy({ name: 'x' }, partly))).toEqual([403, 'ROLE_MISSING'])
  for (const body of [{}, { name: '' }, { name: 'x', copyData: 'yes' }, { name: 'x', members: true }])
    expect((await copy(body)).status, JSON.stringify(body)).toBe(400)
})

test('what the copy may not use is refused with the name of its application, and nothing of it stays', async () => {
  const { owner, projectId, send, add, copy } = await shop()
  await add('Fine')
  const registry = { kind: 'EXTERNAL', name: 'Ours', address: 'registry.example', username: 'a', password: 'b' }
  const { id: registryId } = ok(await send('POST', 'registries', { ...registry, projectId }), 201)
  const { id } = await add('Pulled', { source: { kind: 'IMAGE', image: 'registry.example/shop:1', registryId } })
  const refused = await copy()
  expect(refusalIn(refused)).toEqual([409, 'REGISTRY_NOT_SHARED'])
  expect(refused.body.message).toContain('“Pulled”')
  ok(await send('DELETE', `registries/${registryId}`), 204)
  const gone = await copy()
  expect(refusalIn(gone)).toEqual([409, 'REGISTRY_GONE'])
  expect(gone.body.message).toContain(registryId)
  expect(refusalIn(await send('POST', `applications/${id}/duplicate`, { name: 'Copy' }))).toEqual([
    409,
    'REGISTRY_GONE',
  ])
  ok(await send('DELETE', `applications/${id}`), 204)
  const closed = await servers.running(root)
  await servers.grant(root, closed, { projectId, level: 'USE' })
  const { id: placed } = await add('Placed', { serverId: closed })
  expect(refusalIn(await copy())).toEqual([403, 'SERVER_NOT_YOURS'])
  ok(await send('DELETE', `applications/${placed}`), 204)
  expect(ok(await floor.get(owner, '')).length).toBe(1)
  ok(await copy(), 201)
})

test('it counts as a project and as its applications, exactly, although several ask at once', async () => {
  const { owner, projectId, add, copy } = await shop()
  await add('One')
  await add('Two')
  const quota = (path: string, body: object) => panel.call('PATCH', `/api/${path}`, { as: root.as, body })
  ok(await quota(`admin/quotas/users/${owner.id}`, { projects: 1 }))
  expect(refusalIn(await copy())).toEqual([409, 'QUOTA_REACHED'])
  ok(await quota(`admin/quotas/users/${owner.id}`, { projects: null }))
  ok(await quota('admin/quotas/defaults', { applications: 1 }))
  ok(await quota(`projects/${projectId}/quota`, { applications: 10 }))
  expect(refusalIn(await copy())).toEqual([409, 'QUOTA_REACHED'])
  ok(await quota('admin/quotas/defaults', { applications: null }))

  const present = ok(await panel.call('GET', '/api/applications?scope=all', { as: root.as })).length
  await panel.licensed({ 'projects.max': -1, 'applications.max': Math.max(10, present) + 2 })
  for (let nth = present; nth < Math.max(10, present); nth += 1) await add(`Filler ${nth}`)
  // Two places are left, and the application that is copied takes one of them.
  const other = await floor.project(owner, 'Small')
  const environmentId = await floor.environment(owner, other, 'live')
  const place = { projectId: other, environmentId, serverId, name: 'Only', source: image, ...small }
  ok(await panel.call('POST', '/api/applications', { as: owner.as, body: place }), 201)
  const ask = (nth: number) => floor.post(owner, `/${other}/duplicate`, { name: `Copy ${nth}` })
  const replies = await Promise.all([ask(1), ask(2), ask(3)])
  expect(statuses(replies)).toEqual({ 201: 1, 402: 2 })
  expect(refusalIn(replies.find(({ status }) => status === 402)!)).toEqual([402, 'LIMIT_REACHED'])
  const copies = ok(await floor.get(owner, '')).filter(({ name }: any) => name.startsWith('Copy'))
  expect(copies).toHaveLength(1)
  await panel.licensed()
})

test('of two copies at the license’s last project exactly one is made', async () => {
  const { owner, copy } = await shop()
  const present = ok(await panel.call('GET', '/api/projects?scope=all', { as: root.as })).length
  await panel.licensed({ 'projects.max': Math.max(3, present) + 1, 'applications.max': -1 })
  const replies = await Promise.all([copy({ name: 'A' }), copy({ name: 'B' })])
  expect(statuses(replies)).toEqual({ 201: 1, 402: 1 })
  expect(ok(await floor.get(owner, ''))).toHaveLength(2)
  await panel.licensed()
})

test('a hundred applications are copied in one append, and one more is too many', async () => {
  await panel.licensed({ 'projects.max': -1, 'applications.max': -1 })
  const { add, copy, listed } = await shop()
  for (let nth = 0; nth < 100; nth += 1) await add(`Many ${nth}`, { cpuMillis: 50 })
  const made = ok(await copy(), 201)
  expect(await listed(made.id)).toHaveLength(100)
  await add('Many 100')
  expect(refusalIn(await copy())).toEqual([409, 'TOO_MANY'])
  await panel.licensed()
})
