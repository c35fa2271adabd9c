/** Members of projects and their roles, over HTTP. */
import { expect, test } from 'vitest'
import { emailKeyOf } from '#kernel/auth/sign-in'
import { userEvents } from '#panel/users/events'
import { ok, projectFixture, refusalIn } from '../../support/panel/project-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'

const panel = await startPanel()
await panel.licensed()
const { get, post, patch, put, remove, project, member, role, environment } = projectFixture(panel)
const UNKNOWN_ID = '01890000-0000-7000-8000-00000000dead'

async function verify(userId: string): Promise<void> {
  await panel.run(async (unit) => {
    unit.appendEvent(userEvents, userId, userEvents.UserVerified({ userId }))
    unit.appendEvent(userEvents, userId, userEvents.UserStatusChanged({ userId, status: 'ACTIVE' }))
  })
  await panel.panel.projector.catchUp()
  await panel.settle()
}

test('members are listed with what their accounts say of them', async () => {
  const owner = await panel.somebody()
  const id = await project(owner)
  const viewer = await member(owner, id)
  const members = ok(await get(viewer, `/${id}/members`))
  expect(members).toHaveLength(2)
  expect(members[0]).toMatchObject({ id: viewer.memberId, userId: viewer.id, email: viewer.email, role: 'VIEWER' })
  expect(members[1]).toMatchObject({ userId: owner.id, email: owner.email, role: 'OWNER', status: 'ACTIVE' })
  expect(ok(await get(viewer, `/${id}/members?page=1&pageSize=1`))).toMatchObject({ total: 2, items: [members[0]] })
})

test('nobody makes himself a member, whatever he has by the platform or by a team', async () => {
  const owner = await panel.somebody()
  const id = await project(owner)
  const [manager, mate] = [await panel.somebody('ADMIN', ['projects:manage']), await panel.somebody()]
  const team = ok(await panel.call('POST', '/api/teams', { as: owner.as, body: { name: 'Crew' } }), 201).id
  ok(await panel.call('POST', `/api/teams/${team}/members`, { as: owner.as, body: { userId: mate.id } }), 201)
  ok(await post(owner, `/${id}/teams`, { teamId: team, role: 'ADMIN' }), 201)
  expect(ok(await get(mate, `/${id}/my-role`))).toMatchObject({ role: null, platform: null, isAdmin: true })
  for (const { id: userId, email, as } of [manager, mate])
    for (const whom of [{ userId }, { email }])
      expect(refusalIn(await post({ as }, `/${id}/members`, whom))).toEqual([403, 'OWN_ROLE'])
  ok(await post(mate, `/${id}/members`, { userId: manager.id }), 201)
})

test('an address that nobody has is answered like one that somebody has', async () => {
  const [owner, known] = [await panel.somebody(), await panel.account('USER')]
  const id = await project(owner)
  const add = async (email: string) => {
    const {
      id: memberId,
      createdAt,
      ...rest
    } = ok(await post(owner, `/${id}/members`, { email, role: 'DEVELOPER' }), 201)
    expect([memberId, createdAt]).toEqual([expect.any(String), expect.any(String)])
    return rest
  }
  expect(await add('nobody@panel.test')).toEqual({ ...(await add(known.email)), email: 'nobody@panel.test' })
  expect(refusalIn(await post(owner, `/${id}/members`, { email: 'NOBODY@panel.test' }))).toEqual([
    409,
    'ALREADY_MEMBER',
  ])
  expect(refusalIn(await post(owner, `/${id}/members`, { userId: known.id }))).toEqual([409, 'ALREADY_MEMBER'])
})

test('an address that waits is a member once somebody has proven it, and not before', async () => {
  const owner = await panel.somebody()
  const id = await project(owner)
  const pending = await panel.account('USER', 'PENDING_VERIFICATION')
  const { id: memberId } = ok(await post(owner, `/${id}/members`, { email: pending.email, role: 'DEVELOPER' }), 201)
  const [waiting] = ok(await get(owner, `/${id}/members`))
  expect(waiting).toMatchObject({ id: memberId, userId: null, email: pending.email, status: 'PENDING', name: null })
  await verify(pending.id)
  const as = await panel.signIn(pending.email)
  expect(ok(await get({ as }, `/${id}/my-role`)).role).toBe('DEVELOPER')
  expect(ok(await get(owner, `/${id}/members`))[0]).toMatchObject({
    id: memberId,
    userId: pending.id,
    status: 'ACTIVE',
  })
})

test('whoever was added as an account while his address waited stays what he is', async () => {
  const owner = await panel.somebody()
  const id = await project(owner)
  const pending = await panel.account('USER', 'PENDING_VERIFICATION')
  ok(await post(owner, `/${id}/members`, { email: pending.email, role: 'ADMIN' }), 201)
  ok(await post(owner, `/${id}/members`, { userId: pending.id, role: 'VIEWER' }), 201)
  await verify(pending.id)
  const members = ok(await get(owner, `/${id}/members`))
  expect(members.map(({ userId, role }: any) => [userId, role])).toEqual([
    [pending.id, 'VIEWER'],
    [owner.id, 'OWNER'],
  ])
})

test('an address is never in clear where it is stored, and not readable when it waits no longer', async () => {
  const owner = await panel.somebody()
  const id = await project(owner)
  const { id: memberId } = ok(await post(owner, `/${id}/members`, { email: 'canary-7@panel.test' }), 201)
  expect(await panel.dump()).not.toContain('canary-7')
  expect(panel.logs()).not.toContain('canary-7')
  expect((await remove(owner, `/${id}/members/${memberId}`)).status).toBe(204)
  await panel.settle()
  const sql = 'SELECT wrapped FROM vault.data_key WHERE subject = $1'
  const { rows } = await panel.superuser.query(sql, [`invitee/${memberId}`])
  expect(rows).toEqual([{ wrapped: null }])
  // An attacker cannot test a guessed address against the stored data either.
  const emailKey = await emailKeyOf(panel.panel.vault, 'canary-7@panel.test')
  const said = (await panel.history()).map(({ data }) => JSON.stringify(data))
  expect(said.some((data) => data.includes(memberId))).toBe(true)
  expect(said.filter((data) => data.includes(emailKey))).toEqual([])
})

test('nobody gives what he does not hold, changes his own role, or touches who stands above him', async () => {
  const owner = await panel.somebody()
  const id = await project(owner)
  const managing = await role(owner, id, ['members:manage', 'apps:view'])
  const deploying = await role(owner, id, ['apps:deploy'])
  const manager = await member(owner, id, { roleId: managing })
  const admin = await member(owner, id, { role: 'ADMIN' })
  const viewer = await member(owner, id)
  const members = `/${id}/members`
  const add = (ask: object) => post(manager, members, { email: 'new@panel.test', ...ask })
  for (const ask of [{ role: 'ADMIN' }, { role: 'DEVELOPER' }, { roleId: deploying }, {}])
    expect(refusalIn(await add(ask)), JSON.stringify(ask)).toEqual([403, 'BEYOND_OWN_RIGHTS'])
  ok(await add({ roleId: managing }), 201)
  const change = (who: typeof owner, memberId: string, role: string) => patch(who, `${members}/${memberId}`, { role })
  expect(refusalIn(await change(manager, viewer.memberId, 'DEVELOPER'))).toEqual([403, 'BEYOND_OWN_RIGHTS'])
  expect(refusalIn(await change(manager, admin.memberId, 'VIEWER'))).toEqual([403, 'PROJECT_ADMIN_ONLY'])
  expect(refusalIn(await remove(manager, `${members}/${admin.memberId}`))).toEqual([403, 'PROJECT_ADMIN_ONLY'])
  expect(refusalIn(await change(admin, admin.memberId, 'VIEWER'))).toEqual([403, 'OWN_ROLE'])
  expect(refusalIn(await put(admin, `${members}/${admin.memberId}/grants`, { permissions: [] }))).toEqual([
    403,
    'OWN_ROLE',
  ])
  expect((await change(admin, viewer.memberId, 'OWNER')).status).toBe(400)
  expect(ok(await change(admin, viewer.memberId, 'ADMIN'))).toMatchObject({ role: 'ADMIN', email: viewer.email })
})

test('the owner stays: nobody changes, removes or outlives him, and he does not leave', async () => {
  const owner = await panel.somebody()
  const id = await project(owner)
  const admin = await member(owner, id, { role: 'ADMIN' })
  const [, { id: ownerMember }] = ok(await get(owner, `/${id}/members`))
  const path = `/${id}/members/${ownerMember}`
  expect(refusalIn(await patch(admin, path, { role: 'VIEWER' }))).toEqual([409, 'OWNER_STAYS'])
  expect(refusalIn(await remove(admin, path))).toEqual([409, 'OWNER_STAYS'])
  expect(refusalIn(await remove(owner, `/${id}/members/me`))).toEqual([403, 'OWNER_STAYS'])
  expect((await remove(admin, `/${id}/members/me`)).status).toBe(204)
  expect((await get(admin, `/${id}`)).status).toBe(404)
  expect(ok(await get(admin, ''))).toEqual([])
})

test('whoever is removed sees nothing from then on, and may be added again', async () => {
  const owner = await panel.somebody()
  const id = await project(owner)
  const viewer = await member(owner, id)
  expect((await remove(owner, `/${id}/members/${viewer.memberId}`)).status).toBe(204)
  expect((await get(viewer, `/${id}`)).status).toBe(404)
  expect((await remove(owner, `/${id}/members/${viewer.memberId}`)).status).toBe(404)
  ok(await post(owner, `/${id}/members`, { userId: viewer.id }), 201)
  ok(await get(viewer, `/${id}`))
})

test('a custom role grants what it grants, at once, to all who have it', async () => {
  const owner = await panel.somebody()
  const id = await project(owner)
  const roleId = await role(owner, id, ['apps:view'])
  const path = `/${id}/roles/${roleId}`
  const viewer = await member(owner, id)
  const given = ok(await patch(owner, `/${id}/members/${viewer.memberId}/custom-role`, { roleId }))
  expect(given).toMatchObject({ role: 'CUSTOM', roleId })
  const held = async () => ok(await get(viewer, `/${id}/my-permissions`)).permissions
  expect(await held()).toEqual(['apps:view'])
  expect(ok(await put(owner, `${path}/grants`, { permissions: ['apps:logs', 'apps:logs'] }))).toEqual({
    permissions: ['apps:logs'],
  })
  expect(await held()).toEqual(['apps:logs'])
  expect(ok(await get(viewer, `${path}/grants`))).toEqual({ permissions: ['apps:logs'] })
  expect(ok(await patch(owner, path, { name: 'Readers' }))).toMatchObject({ id: roleId, name: 'Readers' })
  expect(ok(await get(viewer, `/${id}/roles`))).toMatchObject([{ name: 'Readers', permissions: ['apps:logs'] }])
  expect(refusalIn(await remove(owner, path))).toEqual([409, 'ROLE_IN_USE'])
  ok(await patch(owner, `/${id}/members/${viewer.memberId}/custom-role`, { roleId: null }))
  expect(ok(await get(viewer, `/${id}/my-role`)).role).toBe('VIEWER')
  expect((await remove(owner, path)).status).toBe(204)
  expect((await remove(owner, path)).status).toBe(404)
})

test('roles are for an ADMIN of the project and its owner, whatever else somebody holds', async () => {
  const owner = await panel.somebody()
  const id = await project(owner)
  const roleId = await role(owner, id, ['members:manage', 'settings:manage', 'environments:manage'])
  const manager = await member(owner, id, { roleId })
  const path = `/${id}/roles/${roleId}`
  const asked = [
    post(manager, `/${id}/roles`, { name: 'Mine' }),
    patch(manager, path, { name: 'Mine' }),
    put(manager, `${path}/grants`, { permissions: ['apps:env'] }),
    remove(manager, path),
    patch(manager, `/${id}/members/${manager.memberId}/custom-role`, { roleId }),
    put(manager, `/${id}/members/${manager.memberId}/grants`, { permissions: ['apps:env'] }),
  ]
  for (const reply of await Promise.all(asked)) expect(refusalIn(reply)).toEqual([403, 'ROLE_MISSING'])
  expect((await put(owner, `${path}/grants`, { permissions: ['roles:manage'] })).status).toBe(400)
  expect(
    refusalIn(await post(owner, `/${id}/roles`, { name: 'members:manage,settings:manage,environments:manage' })),
  ).toEqual([409, 'NAME_TAKEN'])
})

test('grants stand beside the role; whoever they are about and who manages members may read them', async () => {
  const owner = await panel.somebody()
  const id = await project(owner)
  const [viewer, other] = [await member(owner, id), await member(owner, id)]
  const path = `/${id}/members/${viewer.memberId}/grants`
  const granted = ok(await put(owner, path, { permissions: ['apps:logs'] }))
  expect(granted).toEqual({ role: 'VIEWER', roleId: null, environmentIds: null, permissions: ['apps:logs'] })
  expect(ok(await get(viewer, path))).toEqual(granted)
  expect(ok(await get(owner, path))).toEqual(granted)
  expect(refusalIn(await get(other, path))).toEqual([403, 'PERMISSION_MISSING'])
  expect(ok(await get(viewer, `/${id}/my-permissions`)).permissions).toContain('apps:logs')
  ok(await put(owner, path, { permissions: [] }))
  expect(ok(await get(viewer, `/${id}/my-permissions`)).permissions).not.toContain('apps:logs')
})

test('a role in some environments reaches those and nothing that concerns all of them', async () => {
  const owner = await panel.somebody()
  const id = await project(owner)
  const [staging, production] = [await environment(owner, id, 'staging'), await environment(owner, id, 'production')]
  const admin = await member(owner, id, { role: 'ADMIN', environmentIds: [staging] })
  expect(ok(await get(admin, `/${id}/environments`)).map(({ id }: any) => id)).toEqual([staging])
  ok(await patch(admin, `/${id}/environments/${staging}`, { name: 'test' }))
  expect((await patch(admin, `/${id}/environments/${production}`, { name: 'x' })).status).toBe(404)
  expect(refusalIn(await post(admin, `/${id}/environments`, { name: 'x' }))).toEqual([403, 'PERMISSION_MISSING'])
  expect(refusalIn(await post(admin, `/${id}/members`, { email: 'a@panel.test' }))).toEqual([403, 'PERMISSION_MISSING'])
  expect(refusalIn(await post(admin, `/${id}/roles`, { name: 'x' }))).toEqual([403, 'ROLE_MISSING'])
  const wider = ok(await patch(owner, `/${id}/members/${admin.memberId}`, { environmentIds: [staging, production] }))
  expect(wider).toMatchObject({ role: 'ADMIN', environmentIds: [staging, production] })
  ok(await patch(admin, `/${id}/environments/${production}`, { name: 'live' }))
})

test('ids in a body that the project does not have are refused', async () => {
  const owner = await panel.somebody()
  const [id, other] = [await project(owner), await project(owner)]
  const [roleId, environmentId] = [await role(owner, other, ['apps:view']), await environment(owner, other, 'live')]
  const add = (ask: object) => post(owner, `/${id}/members`, ask)
  const email = 'somebody@panel.test'
  expect(refusalIn(await add({ userId: UNKNOWN_ID }))).toEqual([400, 'UNKNOWN_USER'])
  expect(refusalIn(await add({ email, roleId }))).toEqual([400, 'UNKNOWN_ROLE'])
  expect(refusalIn(await add({ email, environmentIds: [environmentId] }))).toEqual([400, 'UNKNOWN_ENVIRONMENT'])
  for (const ask of [{}, { email, userId: owner.id }, { email, roleId, role: 'VIEWER' }, { email, environmentIds: [] }])
    expect((await add(ask)).status, JSON.stringify(ask)).toBe(400)
})
