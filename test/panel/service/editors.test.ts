/** Two editors of one record of the panel do not overwrite each other, if they send the version that they have read. */
import { expect, test } from 'vitest'
import { projectFixture, ok } from '#test/support/panel/project-fixture'
import { serverFixture } from '#test/support/panel/server-fixture'
import { startPanel } from '#test/support/panel/service'
import { routes } from '../../../src/composition/panel.ts'
import { oneEditorWins, versionedChanges } from '../../support/one-editor-wins.ts'
import type { Edit } from '../../support/one-editor-wins.ts'

const panel = await startPanel({ unsetVariables: ['PANEL_URL'] })
const { as } = await panel.somebody('SUPERADMIN')
await panel.licensed()
const { project, environment, member, role } = projectFixture(panel)
const admin = (path: string) => `/api/admin/${path}`

const account = async (role?: 'ADMIN') => (await panel.somebody(role)).id
const made = async (path: string, body: object): Promise<string> =>
  ok(await panel.call('POST', path, { as, body }), 201).id
let servers = 0
const server = async (): Promise<string> => {
  const body = { name: `machine ${(servers += 1)}` }
  return ok(await panel.call('POST', '/api/servers', { as, body }), 201).server.id
}
const hosts = serverFixture(panel)
const application = async (): Promise<string> => {
  const projectId = await project({ as })
  const environmentId = await environment({ as }, projectId, 'live')
  const source = { kind: 'IMAGE', image: 'shop:1' }
  const place = { projectId, environmentId, serverId: await hosts.running({ as }) }
  return made('/api/applications', { ...place, name: 'Shop', source, memoryMiB: 16, cpuMillis: 50 })
}
const grants = async () => {
  const projectId = await project({ as })
  return { projectId, memberId: (await member({ as }, projectId)).memberId }
}
const names = { first: { name: 'Grace' }, second: { name: 'Edsger' } }

const EDITS: Record<string, () => Promise<Omit<Edit, 'as'> & { as?: string; read?: string }>> = {
  'PATCH /api/users/me': async () => ({ path: '/api/users/me', ...names, as: (await panel.somebody()).as }),
  'PATCH /api/users/:id': async () => ({ path: `/api/users/${await account()}`, ...names }),
  'PATCH /api/admin/users/:id/profile': async () => {
    const read = admin(`users/${await account()}`)
    return { path: `${read}/profile`, read, ...names }
  },
  'PATCH /api/admin/users/:id/role': async () => {
    const read = admin(`users/${await account()}`)
    return { path: `${read}/role`, read, first: { role: 'ADMIN' }, second: { role: 'USER' } }
  },
  'PATCH /api/admin/users/:id/status': async () => {
    const read = admin(`users/${await account()}`)
    return { path: `${read}/status`, read, first: { status: 'SUSPENDED' }, second: { status: 'ACTIVE' } }
  },
  'PATCH /api/admin/users/:id/admin-permissions': async () => {
    const read = admin(`users/${await account('ADMIN')}`)
    const [first, second] = [['users:view'], ['users:view', 'settings:view']]
    return { path: `${read}/admin-permissions`, read, first: { permissions: first }, second: { permissions: second } }
  },
  'PATCH /api/admin/users/:id/admin-role': async () => {
    const read = admin(`users/${await account('ADMIN')}`)
    const adminRoleId = await made(admin('roles'), { name: 'Support', permissions: ['users:view'] })
    return { path: `${read}/admin-role`, read, first: { adminRoleId }, second: { adminRoleId: null } }
  },
  'PATCH /api/admin/config': async () => ({
    path: admin('config'),
    first: { retention: { notificationDays: 40 } },
    second: { urls: { panel: 'https://panel.example.test' } },
  }),
  'PATCH /api/projects/:id': async () => ({ path: `/api/projects/${await project({ as })}`, ...names }),
  'PUT /api/projects/:id/members/:memberId/grants': async () => {
    const { projectId, memberId } = await grants()
    const [first, second] = [['apps:view'], ['members:manage', 'apps:view']]
    const path = `/api/projects/${projectId}/members/${memberId}/grants`
    return { path, first: { permissions: first }, second: { permissions: second } }
  },
  'PUT /api/projects/:id/roles/:roleId/grants': async () => {
    const projectId = await project({ as })
    const path = `/api/projects/${projectId}/roles/${await role({ as }, projectId, ['apps:view'])}/grants`
    return { path, first: { permissions: [] }, second: { permissions: ['settings:manage', 'apps:view'] } }
  },
  'PATCH /api/admin/quotas/defaults': async () => ({
    path: admin('quotas/defaults'),
    first: { projects: 50 },
    second: { members: 60 },
  }),
  'PATCH /api/admin/quotas/users/:id': async () => ({
    path: admin(`quotas/users/${await account()}`),
    first: { projects: 5 },
    second: { projects: null },
  }),
  'PATCH /api/projects/:id/resource-quota': async () => ({
    path: `/api/projects/${await project({ as })}/resource-quota`,
    first: { members: 5 },
    second: { environments: 6 },
  }),
  'PATCH /api/projects/:id/quota': async () => {
    const path = `/api/projects/${await project({ as })}`
    return { path: `${path}/quota`, read: `${path}/resource-quota`, first: { members: 5 }, second: { members: null } }
  },
  'PATCH /api/admin/quotas/servers/:id': async () => ({
    path: admin(`quotas/servers/${await server()}`),
    first: { workloads: 5 },
    second: { memoryMiB: 1_024 },
  }),
  'PATCH /api/applications/:id': async () => ({
    path: `/api/applications/${await application()}`,
    first: { replicas: 2 },
    second: { drainSeconds: 5 },
  }),
  'PATCH /api/applications/:id/files/compose': async () => ({
    path: `/api/applications/${await application()}/files/compose`,
    first: { content: 'services: {web: {image: shop}}' },
    second: { content: null },
  }),
  'PATCH /api/applications/:id/files/dockerfile': async () => ({
    path: `/api/applications/${await application()}/files/dockerfile`,
    first: { content: 'FROM shop:1' },
    second: { content: 'FROM shop:2' },
  }),
  'PATCH /api/applications/:id/previews': async () => ({
    path: `/api/applications/${await application()}/previews`,
    first: { limit: 3 },
    second: { idleDays: 3 },
  }),
  'PATCH /api/applications/:id/env-sets/:setId': async () => {
    const sets = `/api/applications/${await application()}/env-sets`
    const set = [{ name: 'MODE', value: 'live' }]
    return { path: `${sets}/${await made(sets, { name: 'live' })}`, first: { name: 'trial' }, second: { set } }
  },
  'PATCH /api/servers/:id': async () => ({
    path: `/api/servers/${await server()}`,
    first: { cordoned: true },
    second: { description: 'Rack 4' },
  }),
  'PATCH /api/teams/:id': async () => ({ path: `/api/teams/${await made('/api/teams', { name: 'Team' })}`, ...names }),
  'PATCH /api/admin/teams/:id': async () => ({
    path: admin(`teams/${await made('/api/teams', { name: 'Team' })}`),
    first: { colour: '#aabbcc' },
    second: { colour: null },
  }),
}

test('every change that takes a version is tried', () => {
  expect(Object.keys(EDITS).toSorted()).toEqual(versionedChanges(routes).toSorted())
})

test.each(Object.entries(EDITS))('%s', async (line, prepare) => {
  const { read, ...edit } = await prepare()
  await oneEditorWins(panel.call, line.split(' ')[0]!, { as, ...edit }, read)
})
