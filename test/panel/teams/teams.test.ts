/** Teams: their members, the members' rights in projects, and that these rights end with the membership. */
import { expect, test } from 'vitest'
import { emailKeyOf } from '#kernel/auth/sign-in'
import { userEvents } from '#panel/users/events'
import { leaveTeams } from '#panel/workflows/team-memberships'
import { ok, projectFixture, refusalIn } from '../../support/panel/project-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'
import type { Reply, TestUser } from '../../support/panel/service.ts'

const panel = await startPanel()
await panel.licensed()
const floor = projectFixture(panel)
const UNKNOWN_ID = '01890000-0000-7000-8000-00000000dead'

type Who = Pick<TestUser, 'as'>

const send = (method: string, { as }: Who, path: string, body?: unknown) =>
  panel.call(method, `/api${path}`, { as, ...(body === undefined ? {} : { body }) })
const get = (who: Who, path: string) => send('GET', who, path)
const post = (who: Who, path: string, body?: unknown) => send('POST', who, path, body)
const patch = (who: Who, path: string, body: unknown) => send('PATCH', who, path, body)
const remove = (who: Who, path: string) => send('DELETE', who, path)

async function team(owner: Who, ...members: readonly TestUser[]): Promise<string> {
  const { id } = ok(await post(owner, '/teams', { name: 'Builders' }), 201)
  for (const { id: userId } of members) ok(await post(owner, `/teams/${id}/members`, { userId }), 201)
  return id
}

const put = (who: Who, projectId: string, teamId: string, more: object = {}) =>
  post(who, `/projects/${projectId}/teams`, { teamId, ...more })

const permissions = async (who: Who, projectId: string) => ok(await get(who, `/projects/${projectId}/my-permissions`))

function told({ status, text, headers }: Reply) {
  return { status, text, headers: [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name)) }
}

test('whoever creates a team owns it, is in it, and may change and delete it', async () => {
  const owner = await panel.somebody()
  const made = ok(await post(owner, '/teams', { name: 'Builders', colour: '#FF8800' }), 201)
  expect(made).toMatchObject({ name: 'Builders', colour: '#ff8800', ownerId: owner.id })
  const { members, ...read } = ok(await get(owner, `/teams/${made.id}`))
  expect(read).toEqual(made)
  expect(members).toMatchObject([{ userId: owner.id, email: owner.email, status: 'ACTIVE' }])
  expect(ok(await patch(owner, `/teams/${made.id}`, { colour: null }))).toEqual({ ...made, colour: null })
  expect(ok(await patch(owner, `/teams/${made.id}`, { name: 'Menders' }))).toMatchObject({
    name: 'Menders',
    colour: null,
  })
  expect((await remove(owner, `/teams/${made.id}`)).status).toBe(204)
  expect((await get(owner, `/teams/${made.id}`)).status).toBe(404)
})

test('unknown fields, empty names, colours that are none and nobody to add are refused', async () => {
  const owner = await panel.somebody()
  const id = await team(owner)
  for (const body of [{}, { name: ' ' }, { name: 'A', colour: 'red' }, { name: 'A', size: 1 }])
    expect((await post(owner, '/teams', body)).status, JSON.stringify(body)).toBe(400)
  expect((await patch(owner, `/teams/${id}`, {})).status).toBe(400)
  for (const body of [{}, { email: 'a@panel.test', userId: owner.id }, { userId: UNKNOWN_ID }])
    expect((await post(owner, `/teams/${id}/members`, body)).status, JSON.stringify(body)).toBe(400)
})

test('a list shows the teams that one is in, and those of nobody else', async () => {
  const [owner, member, stranger] = [await panel.somebody(), await panel.somebody(), await panel.somebody()]
  const [shared, own] = [await team(owner, member), await team(owner)]
  const ids = async (who: Who) => ok(await get(who, '/teams')).map(({ id }: { id: string }) => id)
  expect(await ids(owner)).toEqual([own, shared])
  expect(await ids(member)).toEqual([shared])
  expect(await ids(stranger)).toEqual([])
  expect(ok(await get(owner, '/teams?page=2&pageSize=1'))).toMatchObject({ total: 2, items: [{ id: shared }] })
})

test('a member reads and changes nothing; to a stranger the team is like none', async () => {
  const [owner, member, stranger] = [await panel.somebody(), await panel.somebody(), await panel.somebody()]
  const id = await team(owner, member)
  const asks = (of: string, who: Who): Promise<Reply>[] => [
    get(who, `/teams/${of}`),
    patch(who, `/teams/${of}`, { name: 'Mine' }),
    post(who, `/teams/${of}/members`, { email: 'mine@panel.test' }),
    remove(who, `/teams/${of}/members/${member.id}`),
    remove(who, `/teams/${of}`),
  ]
  const before = ok(await get(owner, `/teams/${id}`))
  expect((await Promise.all(asks(id, member))).map(({ status }) => status)).toEqual([200, 403, 403, 403, 403])
  const unknown = (await Promise.all(asks(UNKNOWN_ID, stranger))).map(told)
  expect(unknown.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
  for (const of of [id, id.toUpperCase()]) expect((await Promise.all(asks(of, stranger))).map(told)).toEqual(unknown)
  expect(ok(await get(owner, `/teams/${id}`))).toEqual(before)
})

test('an address that nobody has is answered like one that somebody has, and waits until it is proven', async () => {
  const [owner, known] = [await panel.somebody(), await panel.account('USER')]
  const [id, projectId] = [await team(owner), await floor.project(owner)]
  ok(await put(owner, projectId, id), 201)
  const pending = await panel.account('USER', 'PENDING_VERIFICATION')
  const add = async (email: string) => {
    const { id: memberId, createdAt, ...rest } = ok(await post(owner, `/teams/${id}/members`, { email }), 201)
    expect([memberId, createdAt]).toEqual([expect.any(String), expect.any(String)])
    return rest
  }
  expect(await add(pending.email)).toEqual({ ...(await add(known.email)), email: pending.email })
  expect(refusalIn(await post(owner, `/teams/${id}/members`, { email: pending.email.toUpperCase() }))).toEqual([
    409,
    'ALREADY_MEMBER',
  ])
  const statuses = async () =>
    ok(await get(owner, `/teams/${id}`)).members.map(({ userId, status }: any) => [userId, status])
  expect(await statuses()).toEqual([
    [owner.id, 'ACTIVE'],
    [null, 'PENDING'],
    [known.id, 'ACTIVE'],
  ])
  await panel.run(async (unit) => {
    unit.appendEvent(userEvents, pending.id, userEvents.UserVerified({ userId: pending.id }))
    unit.appendEvent(userEvents, pending.id, userEvents.UserStatusChanged({ userId: pending.id, status: 'ACTIVE' }))
  })
  await panel.panel.projector.catchUp()
  await panel.settle()
  expect((await statuses())[1]).toEqual([pending.id, 'ACTIVE'])
  expect((await get({ as: await panel.signIn(pending.email) }, `/projects/${projectId}`)).status).toBe(200)
})

test('who is awaited is removed by the member’s id, and his address cannot be read again', async () => {
  const owner = await panel.somebody()
  const id = await team(owner)
  const { id: memberId } = ok(await post(owner, `/teams/${id}/members`, { email: 'canary-11@panel.test' }), 201)
  expect(await panel.dump()).not.toContain('canary-11')
  expect((await remove(owner, `/teams/${id}/members/${memberId}`)).status).toBe(204)
  await panel.settle()
  const { rows } = await panel.superuser.query('SELECT wrapped FROM vault.data_key WHERE subject = $1', [
    `invitee/${memberId}`,
  ])
  expect(rows).toEqual([{ wrapped: null }])
  const emailKey = await emailKeyOf(panel.panel.vault, 'canary-11@panel.test')
  const said = (await panel.history()).map(({ data }) => JSON.stringify(data))
  expect(said.filter((data) => data.includes(emailKey))).toEqual([])
})

test('what a team is in a project everybody in it is besides, with environments of its own', async () => {
  const [owner, builder] = [await panel.somebody(), await panel.somebody()]
  const projectId = await floor.project(owner)
  const [live, staging] = [
    await floor.environment(owner, projectId, 'live'),
    await floor.environment(owner, projectId, 'staging'),
  ]
  const teamId = await team(owner, builder)
  ok(await put(owner, projectId, teamId, { role: 'DEVELOPER', environmentIds: [staging] }), 201)
  const byTeam = await permissions(builder, projectId)
  expect(byTeam.permissions).toEqual([])
  expect(byTeam.environments.map(({ environmentId }: any) => environmentId)).toEqual([staging])
  expect(byTeam.environments[0].permissions).toContain('apps:deploy')
  expect(ok(await get(builder, '/projects'))).toMatchObject([{ id: projectId }])
  ok(await post(owner, `/projects/${projectId}/members`, { userId: builder.id, environmentIds: [live] }), 201)
  const both = await permissions(builder, projectId)
  const at = (environmentId: string) =>
    both.environments.find((each: { environmentId: string }) => each.environmentId === environmentId).permissions
  expect(at(live)).toContain('apps:view')
  expect(at(live)).not.toContain('apps:deploy')
  expect(at(staging)).toContain('apps:deploy')
})

const endings: [string, (owner: Who, at: Record<'teamId' | 'projectId' | 'userId', string>) => Promise<Reply>][] = [
  ['he is removed from it', (owner, { teamId, userId }) => remove(owner, `/teams/${teamId}/members/${userId}`)],
  ['it is taken off the project', (owner, at) => remove(owner, `/projects/${at.projectId}/teams/${at.teamId}`)],
  ['it is deleted', (owner, { teamId }) => remove(owner, `/teams/${teamId}`)],
]

test.each(endings)('what somebody has by a team ends at once when %s', async (_when, end) => {
  const [owner, builder] = [await panel.somebody(), await panel.somebody()]
  const [projectId, teamId] = [await floor.project(owner), await team(owner, builder)]
  ok(await put(owner, projectId, teamId, { role: 'ADMIN' }), 201)
  expect((await patch(builder, `/projects/${projectId}`, { name: 'Ours' })).status).toBe(200)
  expect((await end(owner, { teamId, projectId, userId: builder.id })).status).toBe(204)
  expect((await get(builder, `/projects/${projectId}`)).status).toBe(404)
  expect(ok(await get(builder, '/projects'))).toEqual([])
})

test('a decision rests on the teams of that moment, and nobody gives what he does not hold', async () => {
  const [owner, manager, builder] = [await panel.somebody(), await panel.somebody(), await panel.somebody()]
  const projectId = await floor.project(owner)
  const roleId = await floor.role(owner, projectId, ['members:manage', 'apps:view'])
  const managers = await team(owner, manager)
  ok(await put(owner, projectId, managers, { roleId }), 201)
  const builders = await team(manager, builder)
  for (const body of [{ role: 'ADMIN' }, { role: 'DEVELOPER' }, {}])
    expect(refusalIn(await put(manager, projectId, builders, body))).toEqual([403, 'BEYOND_OWN_RIGHTS'])
  ok(await put(manager, projectId, builders, { roleId }), 201)
  expect(refusalIn(await put(manager, projectId, builders, { roleId }))).toEqual([409, 'ALREADY_MEMBER'])
  expect((await permissions(builder, projectId)).permissions).toEqual(['apps:view', 'members:manage'])
  const listed = ok(await get(builder, `/projects/${projectId}/teams`))
  expect(listed.map(({ teamId, name, role }: any) => [teamId, name, role])).toEqual([
    [builders, 'Builders', 'CUSTOM'],
    [managers, 'Builders', 'CUSTOM'],
  ])
  expect(ok(await get(owner, `/projects/${projectId}/usage`)).teams).toBe(2)
  expect(refusalIn(await remove(owner, `/projects/${projectId}/roles/${roleId}`))).toEqual([409, 'ROLE_IN_USE'])
  expect(refusalIn(await remove(manager, `/projects/${projectId}/members/me`))).toEqual([403, 'NO_MEMBERSHIP'])
})

test('a team of ADMINs is taken off by an ADMIN alone', async () => {
  const [owner, manager] = [await panel.somebody(), await panel.somebody()]
  const projectId = await floor.project(owner)
  const roleId = await floor.role(owner, projectId, ['members:manage'])
  const teamId = await team(owner)
  ok(await put(owner, projectId, teamId, { role: 'ADMIN' }), 201)
  ok(await post(owner, `/projects/${projectId}/members`, { userId: manager.id, roleId }), 201)
  const path = `/projects/${projectId}/teams/${teamId}`
  expect(refusalIn(await remove(manager, path))).toEqual([403, 'PROJECT_ADMIN_ONLY'])
  expect((await remove(owner, path)).status).toBe(204)
  expect((await remove(owner, path)).status).toBe(404)
})

test('a team that one is not in, a role and an environment of another project are like none', async () => {
  const [one, other] = [await panel.somebody(), await panel.somebody()]
  const [mine, theirs] = [await floor.project(one), await floor.project(other)]
  const [teamId, foreign] = [await team(one), await team(other)]
  const [roleId, environmentId] = [
    await floor.role(other, theirs, ['apps:view']),
    await floor.environment(other, theirs, 'live'),
  ]
  expect(told(await put(one, mine, foreign))).toEqual(told(await put(one, mine, UNKNOWN_ID)))
  expect(refusalIn(await put(one, mine, foreign))).toEqual([400, 'UNKNOWN_TEAM'])
  expect(refusalIn(await put(one, mine, teamId, { roleId }))).toEqual([400, 'UNKNOWN_ROLE'])
  expect(refusalIn(await put(one, mine, teamId, { environmentIds: [environmentId] }))).toEqual([
    400,
    'UNKNOWN_ENVIRONMENT',
  ])
  expect(ok(await get(one, `/projects/${mine}/teams`))).toEqual([])
})

test('whoever is erased is in no team any more, and those that he owned are nobody’s', async () => {
  const [root, owner, member] = [await panel.somebody('SUPERADMIN'), await panel.somebody(), await panel.somebody()]
  const [own, shared] = [await team(owner, member), await team(member, owner)]
  expect((await remove(root, `/admin/users/${owner.id}`)).status).toBe(204)
  const left = ok(await get(member, `/teams/${own}`))
  expect(left.ownerId).toBeNull()
  expect(left.members.map(({ userId }: { userId: string }) => userId)).toEqual([member.id])
  expect(ok(await get(member, `/teams/${shared}`)).members).toHaveLength(1)
  expect((await patch(member, `/teams/${own}`, { name: 'Ours' })).status).toBe(403)
  expect((await remove(root, `/admin/teams/${own}`)).status).toBe(204)
})

test('administrators see all teams with users:view, and change them with users:manage', async () => {
  const [owner, member] = [await panel.somebody(), await panel.somebody()]
  const [viewer, manager] = [
    await panel.somebody('ADMIN', ['users:view']),
    await panel.somebody('ADMIN', ['users:view', 'users:manage']),
  ]
  const id = await team(owner)
  const path = `/admin/teams/${id}`
  expect(ok(await get(viewer, '/admin/teams')).map((each: { id: string }) => each.id)).toContain(id)
  expect(ok(await get(viewer, path))).toEqual(ok(await get(owner, `/teams/${id}`)))
  expect((await get(viewer, `/teams/${id}`)).status).toBe(404)
  expect((await patch(viewer, path, { name: 'Mine' })).status).toBe(403)
  expect(ok(await patch(manager, path, { name: 'Menders', colour: '#000000' }))).toMatchObject({
    name: 'Menders',
    colour: '#000000',
  })
  ok(await post(manager, `${path}/members`, { email: member.email }), 201)
  expect(ok(await get(member, `/teams/${id}`)).members).toHaveLength(2)
  expect((await remove(manager, `${path}/members/${member.id}`)).status).toBe(204)
  ok(await post(manager, `${path}/members`, { userId: member.id }), 201)
  expect(refusalIn(await remove(manager, `${path}/members/${owner.id}`))).toEqual([409, 'OWNER_STAYS'])
  expect((await remove(manager, path)).status).toBe(204)
  expect((await remove(manager, path)).status).toBe(404)
})

test('by way of a team nobody comes to what he does not hold, whatever he may do with accounts', async () => {
  const [owner, other] = [await panel.somebody(), await panel.somebody()]
  const manager = await panel.somebody('ADMIN', ['users:view', 'users:manage'])
  const holder = await panel.somebody('ADMIN', ['users:manage', 'projects:manage'])
  const [id, projectId] = [await team(owner), await floor.project(owner)]
  ok(await put(owner, projectId, id, { role: 'DEVELOPER' }), 201)
  const path = `/admin/teams/${id}/members`
  for (const { id: userId, email } of [manager, other])
    for (const whom of [{ userId }, { email }])
      expect(refusalIn(await post(manager, path, whom))).toEqual([403, 'BEYOND_OWN_RIGHTS'])
  expect((await get(manager, `/projects/${projectId}`)).status).toBe(404)
  ok(await post(holder, path, { userId: other.id }), 201)
  ok(await post(owner, `/teams/${id}/members`, { userId: manager.id }), 201)
  expect(ok(await get(manager, `/projects/${projectId}/my-permissions`)).permissions).toContain('apps:deploy')
})

test('a deleted project is no more of its teams’ business, and the name of a deleted team cannot be read again', async () => {
  const owner = await panel.somebody()
  const [projectId, other] = [await floor.project(owner), await floor.project(owner)]
  const { id } = ok(await post(owner, '/teams', { name: 'canary-12' }), 201)
  for (const each of [projectId, other]) ok(await put(owner, each, id), 201)
  expect((await remove(owner, `/projects/${projectId}`)).status).toBe(204)
  expect(await panel.dump()).not.toContain('canary-12')
  expect((await remove(owner, `/teams/${id}`)).status).toBe(204)
  expect(ok(await get(owner, `/projects/${other}/usage`)).teams).toBe(0)
  await panel.settle()
  const { rows } = await panel.superuser.query('SELECT wrapped FROM vault.data_key WHERE subject = $1', [`team/${id}`])
  expect(rows).toEqual([{ wrapped: null }])
})

test('somebody who is added twenty times at once is in the team once', async () => {
  const [owner, { id: userId, email }] = [await panel.somebody(), await panel.account('USER')]
  const id = await team(owner)
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, nth) => post(owner, `/teams/${id}/members`, nth % 2 === 0 ? { userId } : { email })),
  )
  const counted = (wanted: number) => replies.filter(({ status }) => status === wanted).length
  expect([counted(201), counted(409)]).toEqual([1, 19])
})

test('a team that is deleted while it is put on projects is on none of them', async () => {
  const owner = await panel.somebody()
  for (let round = 0; round < 5; round += 1) {
    const [teamId, ...projectIds] = [await team(owner), await floor.project(owner), await floor.project(owner)]
    const [deleted] = await Promise.all([
      remove(owner, `/teams/${teamId}`),
      ...projectIds.map((projectId) => put(owner, projectId, teamId)),
    ])
    expect(deleted?.status).toBe(204)
    for (const projectId of projectIds) expect(ok(await get(owner, `/projects/${projectId}/usage`)).teams).toBe(0)
  }
})

test('whoever has left a team decides nothing by it', async () => {
  const [owner, builder] = [await panel.somebody(), await panel.somebody()]
  const [projectId, teamId] = [await floor.project(owner), await team(owner, builder)]
  ok(await put(owner, projectId, teamId, { role: 'ADMIN' }), 201)
  await panel.run((unit) => leaveTeams(unit, builder.id))
  const late = await post(builder, `/projects/${projectId}/roles`, { name: 'Mine', permissions: [] })
  expect(late.status).toBe(404)
})
