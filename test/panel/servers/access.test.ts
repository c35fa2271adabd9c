/** Who may use and manage a server over HTTP, and where workloads may be placed. */
import { expect, test } from 'vitest'
import { projects } from '#panel/projects/decider'
import { mustManageServer } from '#panel/workflows/server-access'
import { leaveTeams } from '#panel/workflows/team-memberships'
import { ok, projectFixture, refusalIn } from '../../support/panel/project-fixture.ts'
import { callerOf, serverFixture, SMALL } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'
import type { TestUser } from '../../support/panel/service.ts'

const panel = await startPanel()
await panel.licensed()
const { post, get, patch, remove, running, grant, place } = serverFixture(panel)
const floor = projectFixture(panel)
const root = await panel.somebody('SUPERADMIN')
const UNKNOWN_ID = '01890000-0000-7000-8000-00000000dead'

type Who = Pick<TestUser, 'as'>
const mine = async (who: Who) => ok(await get(who, '/mine?page=1&pageSize=100')).items
const levelOn = async (who: Who, id: string): Promise<string | undefined> =>
  (await mine(who)).find((each: { id: string }) => each.id === id)?.level
const seen = async (who: Who, id: string) => (await get(who, `/${id}`)).status
const refused = (placed: Promise<unknown>) =>
  placed.then(
    () => 'placed',
    (error: { code: string }) => error.code,
  )

test('without a rule every account may use a server and none manages it; it sees little of it', async () => {
  const id = await running(root, { labels: ['gpu'] })
  const somebody = await panel.somebody()
  const usable = { id, name: expect.any(String), status: 'OFFLINE', labels: ['gpu'], level: 'USE' }
  expect(ok(await get(somebody, `/${id}`))).toEqual(usable)
  expect(await mine(somebody)).toContainEqual(usable)
  expect(refusalIn(await get(somebody, `/${id}/access`))).toEqual([403, 'PERMISSION_MISSING'])
  expect(refusalIn(await patch(somebody, `/${id}`, { name: 'Mine' }))).toEqual([403, 'PERMISSION_MISSING'])
  expect((await get(somebody, '')).status).toBe(403)
  expect(ok(await get(root, `/${id}`))).toMatchObject({ isOpen: true, level: 'MANAGE' })
  expect(ok(await get(root, `/${id}/access`))).toEqual({ isOpen: true, rules: [] })
})

test('the first rule closes a server from the next request on, and removing the last one opens it again', async () => {
  const id = await running(root)
  const [ada, bob] = [await panel.somebody(), await panel.somebody()]
  const rule = ok(await post(root, `/${id}/access`, { userId: ada.id, level: 'USE' }), 201)
  expect(rule).toEqual({
    id: expect.any(String),
    userId: ada.id,
    teamId: null,
    projectId: null,
    level: 'USE',
    isGone: false,
    createdAt: expect.any(String),
  })
  expect([await seen(ada, id), await seen(bob, id)]).toEqual([200, 404])
  expect([await levelOn(ada, id), await levelOn(bob, id)]).toEqual(['USE', undefined])
  expect(ok(await get(root, `/${id}/access`))).toEqual({ isOpen: false, rules: [rule] })
  expect(ok(await get(root, `/${id}`)).isOpen).toBe(false)
  expect(refusalIn(await post(root, `/${id}/access`, { userId: ada.id, level: 'MANAGE' }))).toEqual([
    409,
    'RULE_EXISTS',
  ])
  const second = await grant(root, id, { userId: bob.id })
  expect(ok(await remove(root, `/${id}/access/${rule.id}`))).toEqual({ isOpen: false })
  expect([await seen(ada, id), await seen(bob, id)]).toEqual([404, 200])
  expect(ok(await remove(root, `/${id}/access/${second}`))).toEqual({ isOpen: true })
  expect([await seen(ada, id), await seen(bob, id)]).toEqual([200, 200])
  expect((await remove(root, `/${id}/access/${second}`)).status).toBe(404)
})

test('MANAGE lets its holder change the server and its USE rules, and no more', async () => {
  const id = await running(root)
  const [ada, bob] = [await panel.somebody(), await panel.somebody()]
  const own = await grant(root, id, { userId: ada.id, level: 'MANAGE' })
  expect(await levelOn(ada, id)).toBe('MANAGE')
  expect(ok(await get(ada, `/${id}`))).toMatchObject({ id, isOpen: false, allowedIps: [] })
  ok(await patch(ada, `/${id}`, { description: 'of Ada' }))
  const rule = await grant(ada, id, { userId: bob.id })
  expect(ok(await get(ada, `/${id}/access`)).rules).toHaveLength(2)
  const forbidden = [403, 'PERMISSION_MISSING']
  expect(refusalIn(await post(ada, `/${id}/access`, { userId: root.id, level: 'MANAGE' }))).toEqual(forbidden)
  expect(refusalIn(await patch(ada, `/${id}/access/${rule}`, { level: 'MANAGE' }))).toEqual(forbidden)
  expect(refusalIn(await patch(ada, `/${id}/access/${own}`, { level: 'USE' }))).toEqual(forbidden)
  expect(refusalIn(await remove(ada, `/${id}/access/${own}`))).toEqual(forbidden)
  for (const [method, path] of [
    ['DELETE', ''],
    ['GET', '/install-command'],
    ['POST', '/regen-token'],
    ['POST', '/reset'],
  ] as const)
    expect((await panel.call(method, `/api/servers/${id}${path}`, { as: ada.as })).status, path).toBe(403)
  expect(ok(await patch(root, `/${id}/access/${own}`, { level: 'USE' })).level).toBe('USE')
  expect(refusalIn(await remove(ada, `/${id}/access/${rule}`))).toEqual(forbidden)
  expect(refusalIn(await patch(ada, `/${id}`, { name: 'Mine' }))).toEqual(forbidden)
})

test('a rule for a team is for its members, as long as they are in it', async () => {
  const id = await running(root)
  const [owner, member] = [await panel.somebody(), await panel.somebody()]
  const { id: teamId } = ok(await panel.call('POST', '/api/teams', { as: owner.as, body: { name: 'Ops' } }), 201)
  await grant(root, id, { teamId })
  expect([await seen(owner, id), await seen(member, id)]).toEqual([200, 404])
  const body = { userId: member.id }
  ok(await panel.call('POST', `/api/teams/${teamId}/members`, { as: owner.as, body }), 201)
  await panel.panel.projector.catchUp()
  expect([await seen(member, id), await levelOn(member, id)]).toEqual([200, 'USE'])
  ok(await panel.call('DELETE', `/api/teams/${teamId}/members/${member.id}`, { as: owner.as }), 204)
  expect([await seen(member, id), await levelOn(member, id)]).toEqual([404, undefined])
})

test('a rule for a project is for those who deploy in it, directly, by a team or by the platform', async () => {
  const id = await running(root)
  const owner = await panel.somebody()
  const projectId = await floor.project(owner)
  const developer = await floor.member(owner, projectId, { role: 'DEVELOPER' })
  const viewer = await floor.member(owner, projectId, { role: 'VIEWER' })
  const teammate = await panel.somebody()
  const { id: teamId } = ok(await panel.call('POST', '/api/teams', { as: teammate.as, body: { name: 'Dev' } }), 201)
  await panel.run(async (unit) => {
    const by = { userId: owner.id, teamIds: [], platform: undefined }
    const held = { role: 'DEVELOPER' as const, roleId: null, environmentIds: null }
    await unit.decide(projects, projectId, 'AddTeam', { teamId, ...held, by })
  })
  await panel.panel.projector.catchUp()
  const everywhere = await panel.somebody('ADMIN', ['projects:manage'])
  const lookingOn = await panel.somebody('ADMIN', ['projects:view'])
  await grant(root, id, { projectId, level: 'MANAGE' })
  for (const [who, level] of [
    [owner, 'MANAGE'],
    [developer, 'MANAGE'],
    [teammate, 'MANAGE'],
    [everywhere, 'MANAGE'],
    [viewer, undefined],
    [lookingOn, undefined],
    [await panel.somebody(), undefined],
  ] as const) {
    expect(await levelOn(who, id)).toBe(level)
    expect(await seen(who, id)).toBe(level ? 200 : 404)
    expect((await patch(who, `/${id}`, { cordoned: false })).status).toBe(level ? 200 : 404)
  }
})

test('servers:view sees every server and changes none; servers:manage passes all rules', async () => {
  const id = await running(root)
  await grant(root, id, { userId: root.id })
  const [viewer, manager] = [
    await panel.somebody('ADMIN', ['servers:view']),
    await panel.somebody('ADMIN', ['servers:manage']),
  ]
  expect(ok(await get(viewer, `/${id}`))).toMatchObject({ id, isOpen: false, level: null })
  ok(await get(viewer, `/${id}/access`))
  expect(await levelOn(viewer, id)).toBeUndefined()
  expect((await patch(viewer, `/${id}`, { name: 'Mine' })).status).toBe(403)
  expect(await levelOn(manager, id)).toBe('MANAGE')
  ok(await patch(manager, `/${id}`, { cordoned: true }))
  ok(await get(manager, `/${id}/access`))
  expect((await get(manager, '')).status).toBe(403)
})

test('only what the caller sees can be the subject of a rule', async () => {
  const id = await running(root)
  const manager = await panel.somebody('ADMIN', ['servers:manage'])
  const stranger = await panel.somebody()
  const projectId = await floor.project(stranger)
  const { id: teamId } = ok(await panel.call('POST', '/api/teams', { as: stranger.as, body: { name: 'T' } }), 201)
  for (const subject of [{ userId: UNKNOWN_ID }, { teamId: UNKNOWN_ID }, { projectId: UNKNOWN_ID }])
    expect(refusalIn(await post(root, `/${id}/access`, { ...subject, level: 'USE' }))).toEqual([400, 'UNKNOWN_SUBJECT'])
  for (const subject of [{ teamId }, { projectId }])
    expect(refusalIn(await post(manager, `/${id}/access`, { ...subject, level: 'USE' }))).toEqual([
      400,
      'UNKNOWN_SUBJECT',
    ])
  for (const body of [{ level: 'USE' }, { userId: root.id, teamId, level: 'USE' }, { userId: root.id, level: 'OWN' }])
    expect((await post(root, `/${id}/access`, body)).status).toBe(400)
  expect(ok(await get(root, `/${id}/access`)).isOpen).toBe(true)
  await grant(root, id, { teamId })
  await grant(root, id, { projectId })
})

test('an account, a team or a project that ceases to exist opens no server: its rule stays', async () => {
  const owner = await panel.somebody()
  const erased = await panel.somebody()
  const projectId = await floor.project(owner)
  const { id: teamId } = ok(await panel.call('POST', '/api/teams', { as: owner.as, body: { name: 'T' } }), 201)
  const subjects = [{ userId: erased.id }, { teamId }, { projectId }]
  const closed = await Promise.all(
    subjects.map(async (subject) => {
      const id = await running(root)
      await grant(root, id, subject)
      return id
    }),
  )
  ok(await panel.call('DELETE', `/api/admin/users/${erased.id}`, { as: root.as }), 204)
  ok(await panel.call('DELETE', `/api/teams/${teamId}`, { as: owner.as }), 204)
  ok(await panel.call('DELETE', `/api/projects/${projectId}`, { as: owner.as }), 204)
  await panel.settle()
  await panel.panel.projector.catchUp()
  const bystander = await panel.somebody()
  for (const [nth, id] of closed.entries()) {
    const { isOpen, rules } = ok(await get(root, `/${id}/access`))
    expect([isOpen, rules]).toEqual([false, [expect.objectContaining({ ...subjects[nth], isGone: true })]])
    expect([await seen(owner, id), await seen(bystander, id)]).toEqual([404, 404])
    expect(ok(await remove(root, `/${id}/access/${rules[0].id}`))).toEqual({ isOpen: true })
    expect(await seen(bystander, id)).toBe(200)
  }
})

test('rights that end between the gate and the append no longer change a server', async () => {
  const id = await running(root)
  const owner = await panel.somebody()
  const { id: teamId } = ok(await panel.call('POST', '/api/teams', { as: owner.as, body: { name: 'T' } }), 201)
  await grant(root, id, { teamId, level: 'MANAGE' })
  await panel.run((unit) => leaveTeams(unit, owner.id))
  const asked = panel.run((unit) => mustManageServer(unit, callerOf(owner.id), id))
  await expect(asked).rejects.toMatchObject({ statusCode: 403, code: 'PERMISSION_MISSING' })
})

test('a hundred racing rules for one account are one rule', async () => {
  const id = await running(root)
  const ada = await panel.somebody()
  const replies = await Promise.all(
    Array.from({ length: 100 }, () => post(root, `/${id}/access`, { userId: ada.id, level: 'USE' })),
  )
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(ok(await get(root, `/${id}/access`)).rules).toHaveLength(1)
})

test('what may be used and how much is free is told to each account, and the number of servers to managers', async () => {
  const id = await running(root)
  const ada = await panel.somebody()
  await grant(root, id, { userId: ada.id })
  await place(root.id, id, { cpuMillis: 1_000 })
  await panel.panel.projector.catchUp()
  const allowance = async (who: Who) => ok(await get(who, '/my-allowance'))
  const { servers, each } = await allowance(ada)
  expect(servers).toBeNull()
  expect(each).toContainEqual({
    serverId: id,
    level: 'USE',
    free: { workloads: null, cpuMillis: 15_000, memoryMiB: 8_192 - 820 - 256, diskMiB: 90_000 },
  })
  const bystander = await allowance(await panel.somebody())
  expect(bystander.each.map((one: { serverId: string }) => one.serverId)).not.toContain(id)
  const { servers: number } = await allowance(root)
  expect(number).toEqual({ used: ok(await get(root, '?page=1&pageSize=1')).total, max: null })
})

test('a workload is placed where the caller may use the server, it is not cordoned and has an agent', async () => {
  const id = await running(root)
  const [ada, bob] = [await panel.somebody(), await panel.somebody()]
  await grant(root, id, { userId: ada.id })
  expect(await refused(place(ada.id, id))).toBe('placed')
  expect(await refused(place(root.id, id))).toBe('placed')
  expect(await refused(place(bob.id, id))).toBe('SERVER_NOT_YOURS')
  expect(await refused(place(ada.id, UNKNOWN_ID))).toBe('SERVER_NOT_YOURS')
  const projectId = await floor.project(bob)
  expect(await refused(place(bob.id, id, { projectId }))).toBe('SERVER_NOT_YOURS')
  await grant(root, id, { projectId })
  expect(await refused(place(bob.id, id, { projectId }))).toBe('placed')
  expect(await refused(place(bob.id, id))).toBe('SERVER_NOT_YOURS')
  ok(await patch(root, `/${id}`, { cordoned: true }))
  expect(await refused(place(ada.id, id))).toBe('CORDONED')
  ok(await patch(root, `/${id}`, { cordoned: false }))
  ok(await post(root, `/${id}/reset`))
  expect(await refused(place(ada.id, id))).toBe('SERVER_OFFLINE')
})

test('a rule for a project lets a caller use the server who deploys in it, not one who sets its settings', async () => {
  const id = await running(root)
  const owner = await panel.somebody()
  const projectId = await floor.project(owner)
  const roleId = await floor.role(owner, projectId, ['settings:manage'])
  const setter = await floor.member(owner, projectId, { roleId })
  const developer = await floor.member(owner, projectId, { role: 'DEVELOPER' })
  const stranger = await panel.somebody()
  await grant(root, id, { projectId })
  expect(await refused(place(developer.id, id, { projectId }))).toBe('placed')
  for (const who of [setter, stranger]) expect(await refused(place(who.id, id, { projectId }))).toBe('SERVER_NOT_YOURS')
  const registry = { kind: 'SELF_HOSTED', name: 'Own', serverId: id, diskMiB: 1_024, projectId }
  const create = (who: Who) => panel.call('POST', '/api/registries', { as: who.as, body: registry })
  expect(refusalIn(await create(setter))).toEqual([403, 'SERVER_NOT_YOURS'])
  ok(await create(owner), 201)
})

test('a hundred workloads at once end exactly at the capacity of the host, or at its quota', async () => {
  const id = await running(root)
  const many = () =>
    Promise.all(Array.from({ length: 100 }, () => refused(place(root.id, id, { ...SMALL, memoryMiB: 1_000 }))))
  const outcomes = await many()
  expect(outcomes.filter((each) => each === 'placed')).toHaveLength(7)
  expect(outcomes.filter((each) => each !== 'placed' && each !== 'CAPACITY' && each !== 'CONTENTION')).toEqual([])
  const quota = { as: root.as, body: { workloads: 9, memoryMiB: 1_000_000 } }
  ok(await panel.call('PATCH', `/api/admin/quotas/servers/${id}`, quota))
  const more = await many()
  expect(more.filter((each) => each === 'placed')).toHaveLength(2)
  expect(more.filter((each) => each !== 'placed' && each !== 'QUOTA_REACHED' && each !== 'CONTENTION')).toEqual([])
})
