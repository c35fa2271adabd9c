/** Admin roles over HTTP, and the rights of the accounts that have them. */
import { expect, test } from 'vitest'
import { adminRoles } from '#panel/roles/resource'
import { given } from '#test/support/decider-spec'
import { startPanel } from '../../support/panel/service.ts'

const panel = await startPanel()
const ROLES = '/api/admin/roles'
const ID = '01890000-0000-7000-8000-000000000001'
const OTHER = '01890000-0000-7000-8000-000000000002'
let made = 0

async function role(as: string, permissions: readonly string[]) {
  const { body, status, text } = await panel.call('POST', ROLES, {
    as,
    body: { name: `Role ${(made += 1)}`, permissions },
  })
  expect(status, text).toBe(201)
  return body as { id: string; name: string; permissions: string[]; createdAt: string }
}

const give = (as: string, userId: string, adminRoleId: string | null) =>
  panel.call('PATCH', `/api/admin/users/${userId}/admin-role`, { as, body: { adminRoleId } })

const actions = (as: string) => panel.call('GET', '/api/admin/audit-logs/actions', { as })

test('a role is created, listed, changed and deleted', async () => {
  const { as } = await panel.somebody('SUPERADMIN')
  const created = await role(as, ['users:view', 'audit:view', 'users:view'])
  expect(created.permissions).toEqual(['users:view', 'audit:view'])
  const listed = await panel.call('GET', ROLES, { as })
  expect(listed.body).toEqual([created])
  expect(listed.headers.get('total-count')).toBe('1')
  const changed = await panel.call('PATCH', `${ROLES}/${created.id}`, { as, body: { permissions: [] } })
  expect(changed.body).toEqual({ ...created, permissions: [] })
  const renamed = await panel.call('PATCH', `${ROLES}/${created.id}`, { as, body: { name: ' Auditors ' } })
  expect(renamed.body).toEqual({ ...created, permissions: [], name: 'Auditors' })
  expect((await panel.call('DELETE', `${ROLES}/${created.id}`, { as })).status).toBe(204)
  expect((await panel.call('GET', `${ROLES}?page=1&pageSize=5`, { as })).body).toEqual({
    items: [],
    total: 0,
    page: 1,
    pageSize: 5,
  })
  for (const [method, body] of [['PATCH', { name: 'x' }], ['DELETE']] as const)
    expect((await panel.call(method, `${ROLES}/${created.id}`, { as, body })).status).toBe(404)
})

test.each([
  {},
  { permissions: ['users:rule'] },
  { permissions: 'users:view' },
  { name: '' },
  { name: 'x'.repeat(101) },
  { name: 'Good', color: 'red' },
])('a role is not changed by %j', async (body) => {
  const { as } = await panel.somebody('SUPERADMIN')
  const { id } = await role(as, [])
  expect((await panel.call('PATCH', `${ROLES}/${id}`, { as, body })).status).toBe(400)
})

test('an administrator holds what he is granted and what his role gives him, from the next request on', async () => {
  const root = await panel.somebody('SUPERADMIN')
  const admin = await panel.somebody('ADMIN')
  const { id } = await role(root.as, ['audit:view', 'users:view'])
  expect((await actions(admin.as)).status).toBe(403)
  expect((await give(root.as, admin.id, id)).body).toMatchObject({ adminRole: { id } })
  expect((await actions(admin.as)).status).toBe(200)
  const granting = { as: root.as, body: { permissions: ['quotas:view', 'users:view'] } }
  await panel.call('PATCH', `/api/admin/users/${admin.id}/admin-permissions`, granting)
  const held = ['users:view', 'quotas:view', 'audit:view']
  for (const path of ['/api/admin/permissions/me', '/api/auth/me'])
    expect((await panel.call('GET', path, { as: admin.as })).body.permissions, path).toEqual(held)
  await panel.call('PATCH', `${ROLES}/${id}`, { as: root.as, body: { permissions: ['users:view'] } })
  expect((await actions(admin.as)).status).toBe(403)
})

test('a deleted role takes its permissions away at once, and a role that is taken does too', async () => {
  const root = await panel.somebody('SUPERADMIN')
  const [one, other] = [await panel.somebody('ADMIN'), await panel.somebody('ADMIN')]
  const { id } = await role(root.as, ['audit:view'])
  for (const admin of [one, other]) {
    await give(root.as, admin.id, id)
    expect((await actions(admin.as)).status).toBe(200)
  }
  await give(root.as, one.id, null)
  expect((await actions(one.as)).status).toBe(403)
  expect((await panel.call('DELETE', `${ROLES}/${id}`, { as: root.as })).status).toBe(204)
  expect((await actions(other.as)).status).toBe(403)
  expect((await panel.call('GET', '/api/auth/me', { as: other.as })).body.permissions).toEqual([])
  expect((await panel.call('GET', `/api/admin/users/${other.id}`, { as: root.as })).body.adminRole).toBeNull()
})

test('an unknown role is given to nobody, and no role to whoever is no administrator', async () => {
  const root = await panel.somebody('SUPERADMIN')
  const [admin, user] = [await panel.somebody('ADMIN'), await panel.somebody('USER')]
  const { id } = await role(root.as, ['audit:view'])
  expect((await give(root.as, admin.id, OTHER)).status).toBe(400)
  expect((await give(root.as, OTHER, id)).status).toBe(404)
  for (const each of [user, root]) expect((await give(root.as, each.id, id)).status).toBe(409)
})

test('who is made an administrator again holds nothing of before', async () => {
  const root = await panel.somebody('SUPERADMIN')
  const admin = await panel.somebody('ADMIN')
  const { id } = await role(root.as, ['audit:view'])
  await give(root.as, admin.id, id)
  for (const wanted of ['USER', 'ADMIN'])
    await panel.call('PATCH', `/api/admin/users/${admin.id}/role`, { as: root.as, body: { role: wanted } })
  const as = await panel.signIn(admin.email)
  expect((await panel.call('GET', '/api/admin/permissions/me', { as })).body).toEqual({
    role: 'ADMIN',
    permissions: [],
  })
})

const auditors = adminRoles.Created({ adminRoleId: ID, name: 'Auditors', permissions: [] })

test('no two roles are called the same, however it is spelled', () => {
  const known = given(adminRoles, [
    auditors,
    adminRoles.Created({ ...auditors.data, adminRoleId: OTHER, name: 'Others' }),
  ])
  const name = 'ＡUDITORS'
  known.when('Create', { id: OTHER, values: { name, permissions: [] } }).refused(409, /name already exists/)
  known.when('Change', { id: OTHER, changes: { name } }).refused(409, /name already exists/)
  expect(known.when('Change', { id: ID, changes: { name } }).events()).toHaveLength(1)
})

test('there are at most a hundred roles', () => {
  const many = Array.from({ length: 100 }, (_none, n) => adminRoles.Created({ ...auditors.data, name: `Role ${n}` }))
  given(adminRoles, many)
    .when('Create', { id: OTHER, values: { name: 'One more', permissions: [] } })
    .refused(409, /100 admin roles/)
})
