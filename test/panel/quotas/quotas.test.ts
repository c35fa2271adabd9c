/** Quotas: who sets them, which one applies, and that the limit is exact. */
import { expect, test } from 'vitest'
import { leaveProjects } from '#panel/workflows/project-memberships'
import { ok, projectFixture, refusalIn } from '../../support/panel/project-fixture.ts'
import { serverFixture } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'

const panel = await startPanel()
await panel.licensed()
const { post, patch, project, member } = projectFixture(panel)
const AT_ONCE = 100
const UNKNOWN_ID = '01890000-0000-7000-8000-00000000dead'

const root = await panel.somebody('SUPERADMIN')
const set = (path: string, body: object) => panel.call('PATCH', `/api/${path}`, { as: root.as, body })
const read = async (path: string) => ok(await panel.call('GET', `/api/${path}`, { as: root.as }))
const UNSET = { projects: null, members: null, environments: null, applications: null, previews: null }

const counted = (replies: readonly { readonly status: number }[], status: number) =>
  replies.filter((reply) => reply.status === status).length
const many = <Result>(number: number, work: (nth: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: number }, (_, nth) => work(nth)))

test('a quota of its own goes before the default, and null leaves it to the default again', async () => {
  const owner = await panel.somebody()
  const id = await project(owner)
  expect(await read(`admin/quotas/users/${owner.id}`)).toEqual({ projects: null, inEffect: { projects: null } })
  ok(await set('admin/quotas/defaults', { projects: 5, members: 6, environments: 7 }))
  expect(ok(await set(`admin/quotas/users/${owner.id}`, { projects: 2 }))).toEqual({
    projects: 2,
    inEffect: { projects: 2 },
  })
  expect(ok(await set(`projects/${id}/resource-quota`, { members: 3 }))).toEqual({
    members: 3,
    environments: null,
    applications: null,
    previews: null,
    inEffect: { members: 3, environments: 7, applications: null, previews: null },
  })
  expect(ok(await set(`admin/quotas/users/${owner.id}`, { projects: null })).inEffect).toEqual({ projects: 5 })
  expect(ok(await set('admin/quotas/defaults', { projects: null }))).toEqual({
    projects: null,
    members: 6,
    environments: 7,
    applications: null,
    previews: null,
  })
  expect(ok(await set('admin/quotas/defaults', UNSET))).toEqual(await read('admin/quotas/defaults'))
})

test('both paths of a project’s quota write one record, and what one leaves out stays', async () => {
  const id = await project(await panel.somebody())
  ok(await set(`projects/${id}/quota`, { members: 3 }))
  ok(await set(`projects/${id}/resource-quota`, { environments: 4 }))
  const quota = { members: 3, environments: 4, applications: null, previews: null }
  expect(await read(`projects/${id}/resource-quota`)).toEqual({ ...quota, inEffect: quota })
})

test('a field that nothing enforces, a field of something else, a number below zero and nothing at all are refused', async () => {
  const { id: userId, ...owner } = await panel.somebody()
  const id = await project(owner)
  for (const [path, body] of [
    ['admin/quotas/defaults', { servers: 1 }],
    ['admin/quotas/defaults', {}],
    ['admin/quotas/defaults', { projects: -1 }],
    [`admin/quotas/users/${userId}`, { members: 1 }],
    [`admin/quotas/users/${userId}`, {}],
    [`projects/${id}/quota`, { projects: 1 }],
    [`projects/${id}/resource-quota`, { members: 1.5 }],
  ] as const)
    expect((await set(path, body)).status, `${path} ${JSON.stringify(body)}`).toBe(400)
})

test('of an account or a project that is not there is no quota', async () => {
  for (const path of [`admin/quotas/users/${UNKNOWN_ID}`, `projects/${UNKNOWN_ID}/resource-quota`]) {
    expect((await panel.call('GET', `/api/${path}`, { as: root.as })).status).toBe(404)
    expect((await set(path, path.includes('users') ? { projects: 1 } : { members: 1 })).status).toBe(404)
  }
  expect((await set(`projects/${UNKNOWN_ID}/quota`, { members: 1 })).status).toBe(404)
})

test('the quota of a server is its own, field by field, else what its host has', async () => {
  const { add, register } = serverFixture(panel)
  const { id, installToken } = await add(root)
  const path = `admin/quotas/servers/${id}`
  const none = { workloads: null, cpuMillis: null, memoryMiB: null, diskMiB: null, builds: null }
  const nothing = { workloads: null, cpuMillis: 0, memoryMiB: 0, diskMiB: 0, builds: 2 }
  expect(await read(path)).toEqual({ ...none, inEffect: nothing })
  await register(installToken)
  const usual = { workloads: null, cpuMillis: 16_000, memoryMiB: 7_372, diskMiB: 90_000, builds: 2 }
  expect(await read(path)).toEqual({ ...none, inEffect: usual })
  const own = { workloads: 5, memoryMiB: 4_096, builds: 8 }
  expect(ok(await set(path, own))).toEqual({ ...none, ...own, inEffect: { ...usual, ...own } })
  expect(ok(await set(path, { memoryMiB: null, builds: null }))).toEqual({
    ...none,
    workloads: 5,
    inEffect: { ...usual, workloads: 5 },
  })
  for (const body of [{ projects: 1 }, { cpuMillis: 0.5 }, { memoryMiB: -1 }, { diskMiB: 2 ** 30 + 1 }, { builds: 9 }])
    expect((await set(path, body)).status, JSON.stringify(body)).toBe(400)
  expect((await set(`admin/quotas/servers/${UNKNOWN_ID}`, { workloads: 1 })).status).toBe(404)
})

test('an owner sets no quota of his own project, nor does an ADMIN who may only look', async () => {
  const owner = await panel.somebody()
  const id = await project(owner)
  const viewer = await panel.somebody('ADMIN', ['quotas:view'])
  for (const { as } of [owner, viewer])
    for (const path of [`projects/${id}/quota`, `projects/${id}/resource-quota`])
      expect((await panel.call('PATCH', `/api/${path}`, { as, body: { members: 9 } })).status).toBe(403)
  expect((await panel.call('GET', `/api/projects/${id}/resource-quota`, { as: viewer.as })).status).toBe(200)
})

test('a hundred projects at once end exactly at the quota of their owner', async () => {
  const [owner, other] = [await panel.somebody(), await panel.somebody()]
  ok(await set(`admin/quotas/users/${owner.id}`, { projects: 4 }))
  const replies = await many(AT_ONCE, (nth) => post(owner, '', { name: `Project ${nth}` }))
  expect([counted(replies, 201), counted(replies, 409)]).toEqual([4, AT_ONCE - 4])
  const refusal = replies.find(({ status }) => status === 409)!
  expect(refusal.body.message).toBe('The quota of this account allows 4 projects: transfer or delete one first')
  expect(refusalIn(refusal)).toEqual([409, 'QUOTA_REACHED'])
  await project(other)
})

test('a hundred environments at once end exactly at the quota of their project', async () => {
  const owner = await panel.somebody()
  const id = await project(owner)
  ok(await set(`projects/${id}/quota`, { environments: 5 }))
  const replies = await many(AT_ONCE, (nth) => post(owner, `/${id}/environments`, { name: `e${nth}` }))
  expect([counted(replies, 201), counted(replies, 409)]).toEqual([5, AT_ONCE - 5])
})

test('a hundred members at once, those among them who are awaited, end exactly at the quota of their project', async () => {
  const owner = await panel.somebody()
  const id = await project(owner)
  ok(await set(`projects/${id}/resource-quota`, { members: 3 }))
  const replies = await many(AT_ONCE, (nth) => post(owner, `/${id}/members`, { email: `awaited-${nth}@panel.test` }))
  expect([counted(replies, 201), counted(replies, 409)]).toEqual([2, AT_ONCE - 2])
})

test('a quota that shrinks takes nothing away, and nothing is added until there is room', async () => {
  const owner = await panel.somebody()
  const id = await project(owner)
  await member(owner, id)
  ok(await set(`projects/${id}/quota`, { members: 1 }))
  expect(ok(await panel.call('GET', `/api/projects/${id}/members`, { as: owner.as }))).toHaveLength(2)
  const refusal = await post(owner, `/${id}/members`, { email: 'one-more@panel.test' })
  expect(refusalIn(refusal)).toEqual([409, 'QUOTA_REACHED'])
  ok(await set(`projects/${id}/quota`, { members: null }))
  await member(owner, id)
})

test('nobody comes to own more than his quota by having a project handed over, or by claiming one', async () => {
  const owner = await panel.somebody()
  const id = await project(owner)
  const next = await member(owner, id)
  ok(await set(`admin/quotas/users/${next.id}`, { projects: 0 }))
  const handed = await post(owner, `/${id}/transfer-ownership`, { memberId: next.memberId })
  expect(refusalIn(handed)).toEqual([409, 'QUOTA_REACHED'])
  await panel.run((unit) => leaveProjects(unit, owner.id))
  ok(await set(`admin/quotas/users/${root.id}`, { projects: 0 }))
  expect(refusalIn(await post(root, `/${id}/claim-ownership`))).toEqual([409, 'QUOTA_REACHED'])
  ok(await set(`admin/quotas/users/${root.id}`, { projects: null }))
  ok(await post(root, `/${id}/claim-ownership`))
})

test('every project of the platform is listed for whoever views projects', async () => {
  const owner = await panel.somebody()
  const id = await project(owner, 'Listed')
  const viewer = await panel.somebody('ADMIN', ['projects:view'])
  const list = (as: string) => panel.call('GET', '/api/admin/projects?page=1&pageSize=100', { as })
  const { items, total } = ok(await list(viewer.as))
  expect(items.find((each: { id: string }) => each.id === id)).toMatchObject({ name: 'Listed', ownerId: owner.id })
  expect(items).toHaveLength(total)
  expect((await list(owner.as)).status).toBe(403)
  expect((await patch(viewer, `/${id}`, { name: 'Mine' })).status).toBe(403)
})
