/** Two tenants with the same objects, each with objects of its own. Neither may read or change those of the other. */
import { expect } from 'vitest'
import { tasks } from '#panel/agent/decider'
import { gitFlows } from '#panel/git-providers/flows/decider'
import { png } from '#test/support/kernel/image-fixtures'
import { scopesFor } from './access-expected.ts'
import { ACCESS } from './access-table.ts'
import { apiKeyFixture } from './api-key-fixture.ts'
import { openedPreview } from './opened-preview.ts'
import { ok, projectFixture } from './project-fixture.ts'
import { serverFixture } from './server-fixture.ts'
import type { TestPanel } from './service.ts'

const DAY_MS = 86_400_000

/** The kinds of objects that a tenant has. */
export const KINDS = [
  'user',
  'session',
  'notification',
  'key',
  'project',
  'member',
  'role',
  'environment',
  'variable',
  'team',
  'spareTeam',
  'teamMember',
  'adminRole',
  'server',
  'serverRule',
  'registry',
  'application',
  'envSet',
  'deployment',
  'hostPort',
  'preview',
  'schedule',
  'gitProvider',
  'gitFlow',
  'task',
] as const
export type Kind = (typeof KINDS)[number]
export type Ids = Readonly<Record<Kind, string>>

export interface Tenant {
  /** A session token. */
  readonly session: string
  /** The secret of a key with every scope. */
  readonly key: string
  readonly ids: Ids
}

export const UNKNOWN_ID = '01890000-0000-7000-8000-00000000dead'

export async function twoTenants(panel: TestPanel): Promise<readonly [Tenant, Tenant]> {
  await panel.licensed()
  const made = [await makeTenant(panel, 'one'), await makeTenant(panel, 'other')] as const
  await panel.settle()
  return [await noticed(panel, made[0]), await noticed(panel, made[1])]
}

type Made = Omit<Tenant, 'ids'> & { readonly ids: Omit<Ids, 'notification'> }

async function makeTenant(panel: TestPanel, name: string): Promise<Made> {
  const [floor, keys, servers] = [projectFixture(panel), apiKeyFixture(panel), serverFixture(panel)]
  const owner = await panel.somebody()
  const { as, id: user } = owner
  const post = async (path: string, body: object, who = as) =>
    ok(await panel.call('POST', path, { as: who, body }), 201)
  await avatar(panel, as)

  const project = await floor.project(owner, `Shop of ${name}`)
  const member = await floor.member(owner, project, { role: 'DEVELOPER' })
  const role = await floor.role(owner, project, ['apps:view'])
  const environment = await floor.environment(owner, project, 'live')
  const variables = [{ name: 'SECRET', value: `secret of ${name}` }]
  const [{ id: variable }] = ok(
    await floor.put(owner, `/${project}/shared-env?environmentId=${environment}`, { variables }),
  )

  const { id: team } = await post('/api/teams', { name: `Team of ${name}` })
  await post(`/api/teams/${team}/members`, { userId: member.id })
  await post(`/api/projects/${project}/teams`, { teamId: team })
  const { id: spareTeam } = await post('/api/teams', { name: `Spare team of ${name}` })

  const root = await panel.somebody('SUPERADMIN')
  const adminRole = await post('/api/admin/roles', { name: `Helpers of ${name}`, permissions: ['audit:view'] }, root.as)
  const { id: key, secret } = await keys.minted(owner, { scopes: scopesFor(ACCESS) })
  // Revoked by another account, so that the owner is notified.
  const { id: lost } = await keys.minted(owner)
  ok(await keys.revoke(root, lost, '/api/admin/api-keys'))
  const { server } = await post('/api/servers', { name: `Server of ${name}` }, root.as)
  const { id: serverRule } = await post(`/api/servers/${server.id}/access`, { userId: user, level: 'MANAGE' }, root.as)
  const login = { kind: 'EXTERNAL', address: '127.0.0.1:59999', username: 'robot', password: `password of ${name}` }
  const registry = await post('/api/registries', { ...login, name: 'Images', projectId: project })
  const serverId = await servers.running(root, { name: `Host of ${name}` })
  await post(`/api/servers/${serverId}/access`, { userId: user, level: 'USE' }, root.as)
  const application = await post('/api/applications', {
    projectId: project,
    environmentId: environment,
    serverId,
    name: `Shop of ${name}`,
    source: { kind: 'IMAGE', image: 'shop:1' },
  })
  const secrets = [{ name: 'SECRET', value: `application secret of ${name}` }]
  const envSet = await post(`/api/applications/${application.id}/env-sets`, { name: 'live', variables: secrets })
  const asked = { as, body: { applicationId: application.id } }
  const deployment = ok(await panel.call('POST', '/api/deployments', asked), 202)
  const hostPort = await post(`/api/applications/${application.id}/host-ports`, { containerPort: 53, port: 5_353 })
  const preview = await openedPreview(panel, application)
  const schedule = await post('/api/scheduled-deploys', { applicationId: application.id, cron: '0 0 * * *' })
  const forge = { kind: 'GENERIC', baseUrl: 'https://forge.example', token: `token-of-${name.toLowerCase()}` }
  const shared = { projectId: project, repositories: ['ada/shop'] }
  const gitProvider = await post('/api/git-providers', { ...forge, name: `Forge of ${name}`, ...shared })
  const gitFlow = await panel.run(async (unit) => {
    const gitFlowId = unit.newId()
    const expiresAt = new Date(unit.at.getTime() + DAY_MS).toISOString()
    const flow = { ownerId: user, projectId: null, name, repositories: '', code: `code of ${name}`, intervalSeconds: 5 }
    await unit.decide(gitFlows, gitFlowId, 'Start', { gitFlowId, expiresAt, ...flow })
    return gitFlowId
  })
  const task = await panel.run(async (unit) => {
    const [taskId, expiresAt] = [unit.newId(), new Date(unit.at.getTime() + DAY_MS).toISOString()]
    const asked = { kind: 'echo', kindVersion: 1, lane: null, payload: '{}', causeType: 'test', causeId: taskId }
    await unit.decide(tasks, taskId, 'Queue', { taskId, serverId: server.id, projectId: project, expiresAt, ...asked })
    return taskId
  })
  const sessions = ok(await panel.call('GET', '/api/auth/sessions', { as }))
  const ids = {
    user,
    key,
    project,
    role,
    environment,
    variable,
    team,
    spareTeam,
    session: sessions[0].id,
    adminRole: adminRole.id,
    server: server.id,
    serverRule,
    registry: registry.id,
    application: application.id,
    envSet: envSet.id,
    deployment: deployment.id,
    hostPort: hostPort.id,
    preview,
    schedule: schedule.id,
    gitProvider: gitProvider.id,
    gitFlow,
    task,
  }
  return { session: as, key: secret, ids: { ...ids, member: member.memberId, teamMember: member.id } }
}

async function noticed(panel: TestPanel, tenant: Made): Promise<Tenant> {
  const [notification] = ok(await panel.call('GET', '/api/notifications', { as: tenant.session }))
  return { ...tenant, ids: { ...tenant.ids, notification: notification.id } }
}

async function avatar(panel: TestPanel, as: string): Promise<void> {
  const headers = { authorization: `Bearer ${as}`, 'content-type': 'application/octet-stream' }
  const body = new Uint8Array(png(8, 8))
  const { status } = await fetch(`${panel.url}/api/auth/profile/avatar`, { method: 'POST', headers, body })
  expect(status).toBe(200)
}
