/** Projects over HTTP: their owners, the accounts that see them, and their maximum number. */
import { expect, test } from 'vitest'
import { PROJECT_PERMISSIONS, BUILT_IN_PROJECT_ROLES } from '#panel/access/permissions'
import { leaveProjects } from '#panel/workflows/project-memberships'
import { projectMemberTable } from '#projections/panel/projects'
import { ok, projectFixture, refusalIn } from '../../support/panel/project-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'

const panel = await startPanel()
await panel.licensed()
const { get, post, patch, remove, project, member, role, environment } = projectFixture(panel)
const UNKNOWN_ID = '01890000-0000-7000-8000-00000000dead'

test('whoever creates a project owns it, sees it and may change and delete it', async () => {
  const owner = await panel.somebody()
  const made = ok(await post(owner, '', { name: ' Shop ', description: 'Sells' }), 201)
  expect(made).toMatchObject({ name: 'Shop', description: 'Sells', ownerId: owner.id })
  expect(ok(await get(owner, `/${made.id}`))).toEqual(made)
  expect(ok(await get(owner, ''))).toEqual([made])
  const changed = ok(await patch(owner, `/${made.id}`, { description: null }))
  expect(changed).toEqual({ ...made, description: null })
  expect((await remove(owner, `/${made.id}`)).status).toBe(204)
  expect((await get(owner, `/${made.id}`)).status).toBe(404)
  expect(ok(await get(owner, ''))).toEqual([])
})

test('unknown fields, empty names and half a page are refused', async () => {
  const owner = await panel.somebody()
  for (const body of [{}, { name: ' ' }, { name: 'A', ownerId: owner.id }])
    expect((await post(owner, '', body)).status).toBe(400)
  for (const query of ['?page=1', '?scope=theirs', '?q=x']) expect((await get(owner, query)).status).toBe(400)
})

test('a list shows what one is a member of, page by page, and with scope=all everything to who may view projects', async () => {
  const [owner, root] = [await panel.somebody(), await panel.somebody('SUPERADMIN')]
  const mine = [await project(owner, 'One'), await project(owner, 'Two')]
  const page = await get(owner, '?page=2&pageSize=1')
  expect(ok(page)).toMatchObject({ total: 2, page: 2, pageSize: 1, items: [{ id: mine[0] }] })
  expect(page.headers.get('total-count')).toBe('2')
  expect(refusalIn(await get(owner, '?scope=all'))).toEqual([403, 'PERMISSION_MISSING'])
  expect(ok(await get(root, ''))).toEqual([])
  expect(ok(await get(root, '?scope=all')).map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(mine))
})

test('a stranger is told of a project what he is told of one that does not exist', async () => {
  const [owner, stranger] = [await panel.somebody(), await panel.somebody()]
  const id = await project(owner)
  for (const path of [
    '',
    '/members',
    '/roles',
    '/usage',
    '/environments',
    '/shared-env',
    '/my-role',
    '/my-permissions',
  ])
    expect((await get(stranger, `/${id}${path}`)).text).toBe((await get(stranger, `/${UNKNOWN_ID}${path}`)).text)
})

test('the platform lets whoever views projects look, and whoever manages them act as an ADMIN, never as the owner', async () => {
  const [owner, root] = [await panel.somebody(), await panel.somebody('SUPERADMIN')]
  const id = await project(owner)
  expect(ok(await get(root, `/${id}/my-role`))).toMatchObject({ role: null, platform: 'ADMIN', isAdmin: true })
  expect(ok(await get(root, `/${id}/my-permissions`)).permissions).toEqual([...PROJECT_PERMISSIONS])
  ok(await patch(root, `/${id}`, { name: 'Renamed' }))
  expect(refusalIn(await remove(root, `/${id}`))).toEqual([403, 'ROLE_MISSING'])
  expect(refusalIn(await remove(root, `/${id}/members/me`))).toEqual([403, 'NO_MEMBERSHIP'])
})

test('what one may do is spelled: in the whole project, and beyond that in single environments', async () => {
  const owner = await panel.somebody()
  const id = await project(owner)
  const staging = await environment(owner, id, 'staging')
  const developer = await member(owner, id, { role: 'DEVELOPER', environmentIds: [staging] })
  expect(ok(await get(developer, `/${id}/my-permissions`))).toEqual({
    permissions: [],
    environments: [
      {
        environmentId: staging,
        permissions: PROJECT_PERMISSIONS.filter((each) => BUILT_IN_PROJECT_ROLES.DEVELOPER.includes(each)),
      },
    ],
  })
  expect(ok(await get(developer, `/${id}/my-role`))).toMatchObject({
    role: 'DEVELOPER',
    environmentIds: [staging],
    isAdmin: false,
  })
})

test('the catalog names every permission and what each built-in role holds', async () => {
  const { roles, permissions } = ok(await get(await panel.somebody(), '/rbac-catalog'))
  expect(permissions).toEqual([...PROJECT_PERMISSIONS])
  expect(roles.map(({ role }: { role: string }) => role)).toEqual(['OWNER', 'ADMIN', 'DEVELOPER', 'VIEWER'])
  const viewer = roles.at(-1).permissions
  expect(viewer).not.toContain('apps:env')
  expect(viewer).not.toContain('apps:logs')
})

test('settings are changed by whoever holds settings:manage, and by nobody else', async () => {
  const owner = await panel.somebody()
  const id = await project(owner)
  const developer = await member(owner, id, { role: 'DEVELOPER' })
  expect(refusalIn(await patch(developer, `/${id}`, { name: 'X' }))).toEqual([403, 'PERMISSION_MISSING'])
  const manager = await member(owner, id, { roleId: await role(owner, id, ['settings:manage']) })
  ok(await patch(manager, `/${id}`, { name: 'X' }))
})

test('an owner hands a project over and stays as an ADMIN; only he does', async () => {
  const owner = await panel.somebody()
  const id = await project(owner)
  const admin = await member(owner, id, { role: 'ADMIN' })
  const transfer = (who: typeof owner, memberId: string) => post(who, `/${id}/transfer-ownership`, { memberId })
  expect(refusalIn(await transfer(admin, admin.memberId))).toEqual([403, 'ROLE_MISSING'])
  expect(refusalIn(await transfer(owner, UNKNOWN_ID))).toEqual([400, 'UNKNOWN_MEMBER'])
  const { id: pending } = ok(await post(owner, `/${id}/members`, { email: 'not-yet@panel.test' }), 201)
  expect(refusalIn(await transfer(owner, pending))).toEqual([409, 'MEMBER_PENDING'])
  expect(ok(await transfer(owner, admin.memberId)).ownerId).toBe(admin.id)
  expect(ok(await get(owner, `/${id}/my-role`)).role).toBe('ADMIN')
  expect(refusalIn(await transfer(owner, admin.memberId))).toEqual([403, 'ROLE_MISSING'])
  expect(ok(await get(admin, `/${id}/my-role`)).role).toBe('OWNER')
})

test('a project is not handed to an account that is not active', async () => {
  const owner = await panel.somebody()
  const id = await project(owner)
  const suspended = await panel.account('USER', 'SUSPENDED')
  const { id: memberId } = ok(await post(owner, `/${id}/members`, { userId: suspended.id }), 201)
  expect(refusalIn(await post(owner, `/${id}/transfer-ownership`, { memberId }))).toEqual([409, 'NOT_ACTIVE'])
  expect(ok(await get(owner, `/${id}`)).ownerId).toBe(owner.id)
})

test('with its owner gone a project is nobody’s, until somebody who manages projects claims it', async () => {
  const [owner, root] = [await panel.somebody(), await panel.somebody('SUPERADMIN')]
  const id = await project(owner)
  const admin = await member(owner, id, { role: 'ADMIN' })
  const claim = (who: typeof owner, of = id) => post(who, `/${of}/claim-ownership`)
  expect(refusalIn(await claim(root))).toEqual([409, 'OWNER_EXISTS'])
  await panel.run((unit) => leaveProjects(unit, owner.id))
  await panel.panel.projector.catchUp()
  expect(ok(await get(admin, `/${id}`)).ownerId).toBeNull()
  expect((await get(owner, `/${id}`)).status).toBe(404)
  expect(refusalIn(await claim(admin))).toEqual([403, 'PERMISSION_MISSING'])
  expect((await claim(root, UNKNOWN_ID)).status).toBe(404)
  expect(ok(await claim(root)).ownerId).toBe(root.id)
  expect(refusalIn(await claim(root))).toEqual([409, 'OWNER_EXISTS'])
  expect((await remove(root, `/${id}`)).status).toBe(204)
})

test('what is in a project is counted', async () => {
  const owner = await panel.somebody()
  const id = await project(owner)
  await member(owner, id)
  ok(await post(owner, `/${id}/members`, { email: 'later@panel.test' }), 201)
  await role(owner, id, ['apps:view'])
  await environment(owner, id, 'production')
  expect(ok(await get(owner, `/${id}/usage`))).toEqual({
    members: 2,
    pendingMembers: 1,
    teams: 0,
    roles: 1,
    environments: 1,
    sharedVariables: 0,
  })
})

test('what was secret in a deleted project cannot be read again, by nobody', async () => {
  const owner = await panel.somebody()
  const id = await project(owner, 'A secret name')
  ok(await post(owner, `/${id}/members`, { email: 'secret-address@panel.test' }), 201)
  const invitee = (await projectMemberTable.queryIn(panel.panel.read).selectAll().execute()).find(
    (row) => row.projectId === id && row.userId === null,
  )
  expect((await remove(owner, `/${id}`)).status).toBe(204)
  await panel.settle()
  for (const subject of [`project/${id}`, `invitee/${invitee!.id}`]) {
    const { rows } = await panel.superuser.query('SELECT wrapped FROM vault.data_key WHERE subject = $1', [subject])
    expect(rows, subject).toEqual([{ wrapped: null }])
  }
})

test('every change leaves an entry with its request’s id, and a refusal none', async () => {
  const owner = await panel.somebody()
  const id = await project(owner)
  const entries = async (requestId: string | null) => {
    const events = await panel.history()
    return events.filter(({ metadata }) => metadata['requestId'] === requestId).length
  }
  const same = await patch(owner, `/${id}`, {})
  expect(await entries(same.headers.get('x-request-id'))).toBe(1)
  const refusal = await post(owner, `/${id}/transfer-ownership`, { memberId: UNKNOWN_ID })
  expect(await entries(refusal.headers.get('x-request-id'))).toBe(0)
})
