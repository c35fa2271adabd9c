/**
 * The requests of the mirror test: every route that takes an id, with a placeholder for each id. Most are
 * generated from the routes; the others are listed here.
 */
import { z } from 'zod'
import type { Route } from '#kernel/http/route'
import { WEBHOOK } from '#kernel/http/signed-delivery'
import { AGENT } from '#panel/agent/agent-caller'
import { INSTALL } from '#panel/agent/install-caller'
import { routes } from '../../../src/composition/panel.ts'
import { KINDS } from './tenants.ts'
import type { Kind } from './tenants.ts'

/** The kinds that path parameters name; for `:id`, by the section. */
const BY_NAME: Readonly<Record<string, Kind>> = {
  memberId: 'member',
  envId: 'environment',
  dstEnvId: 'environment',
  rowId: 'variable',
  teamId: 'team',
  ruleId: 'serverRule',
  memberUserId: 'teamMember',
  setId: 'envSet',
  depId: 'deployment',
  portId: 'hostPort',
  previewId: 'preview',
  projectId: 'project',
}
const BY_SECTION: Readonly<Record<string, Kind>> = {
  auth: 'session',
  users: 'user',
  quotas: 'user',
  roles: 'adminRole',
  'api-keys': 'key',
  notifications: 'notification',
  projects: 'project',
  teams: 'team',
  servers: 'server',
  registries: 'registry',
  applications: 'application',
  deployments: 'deployment',
  'scheduled-deploys': 'schedule',
  'git-providers': 'gitProvider',
}

/** Where the section of the path does not say it. */
const BY_PATH: Readonly<Record<string, Kind>> = {
  '/api/admin/quotas/servers/:id': 'server',
  '/api/agent/tasks/:id': 'task',
}

/** Objects of a container engine are no records: any of them would do. */
const OF_ENGINE: Readonly<Record<string, string>> = {
  '/api/engine/servers/:serverId/images/:imageId': `sha256:${'a'.repeat(64)}`,
  '/api/engine/servers/:serverId/networks/:id': 'a'.repeat(64),
  '/api/engine/servers/:serverId/volumes/:name': 'data',
}

/** A server’s agent and a git provider are no tenants: what they see of others is tested with their routes. */
const isForOthers = ({ access: { kinds } }: Route): boolean =>
  kinds.length > 0 && kinds.every((kind) => kind === AGENT || kind === INSTALL || kind === WEBHOOK)

/** Routes that tenants call. */
export const tenantRoutes = routes.filter((route) => !isForOthers(route))

/** Names an object that belongs to no tenant. */
export const ROUTES_WITHOUT_TENANT = ['PATCH /api/admin/settings/:key']

const FROM_GIT = { kind: 'GIT', providerId: '@gitProvider', url: 'https://forge.example/ada/shop.git', branch: 'main' }

interface More {
  readonly query?: string
  readonly body?: object
}

/**
 * Input besides the path that the gate or the schemas need; `@kind` is a placeholder of an id. Several
 * variants where ids exclude each other.
 */
export const EXTRA_INPUT: Readonly<Record<string, readonly More[]>> = {
  'GET /api/users': [{ query: 'q=@user' }],
  'GET /api/admin/users': [{ query: 'q=@user' }],
  'PATCH /api/users/:id': [{ body: { name: 'Taken over' } }],
  'PATCH /api/admin/users/:id/profile': [{ body: { name: 'Taken over' } }],
  'PATCH /api/admin/users/:id/role': [{ body: { role: 'USER' } }],
  'PATCH /api/admin/users/:id/status': [{ body: { status: 'BANNED' } }],
  'PATCH /api/admin/users/:id/admin-permissions': [{ body: { permissions: [] } }],
  'PATCH /api/admin/users/:id/admin-role': [{ body: { adminRoleId: '@adminRole' } }],
  'PATCH /api/admin/roles/:roleId': [{ body: { name: 'Taken over' } }],
  'POST /api/api-keys': [
    { body: { name: 'CI', scopes: ['platform:projects:view'], projectIds: ['@project'] } },
    { body: { name: 'CI', scopes: ['platform:projects:view'], ownerId: '@user' } },
  ],
  'GET /api/admin/api-keys': [{ query: 'userId=@user' }],
  'GET /api/admin/audit-logs': [{ query: 'actor=@user&subject=@key&project=@project' }],
  'PATCH /api/admin/quotas/users/:id': [{ body: { projects: 0 } }],
  'PATCH /api/admin/quotas/servers/:id': [{ body: { workloads: 0 } }],
  'PATCH /api/servers/:id': [{ body: { name: 'Taken over' } }],
  'POST /api/servers/:id/access': [
    { body: { userId: '@user', level: 'USE' } },
    { body: { teamId: '@team', level: 'USE' } },
    { body: { projectId: '@project', level: 'USE' } },
  ],
  'PATCH /api/servers/:id/access/:ruleId': [{ body: { level: 'USE' } }],
  'POST /api/engine/servers/:serverId/containers/action': [{ body: { containerId: 'a'.repeat(64), action: 'stop' } }],
  'GET /api/registries': [{ query: 'projectId=@project' }],
  'POST /api/registries': [
    {
      body: {
        kind: 'EXTERNAL',
        name: 'Mine',
        address: '127.0.0.1:59999',
        username: 'robot',
        password: 'a password',
        projectId: '@project',
      },
    },
    { body: { kind: 'SELF_HOSTED', name: 'Mine', serverId: '@server', diskMiB: 1_000 } },
  ],
  'GET /api/applications': [{ query: 'projectId=@project' }, { query: 'environmentId=@environment' }],
  'POST /api/applications': [
    {
      body: {
        projectId: '@project',
        environmentId: '@environment',
        serverId: '@server',
        name: 'Mine',
        source: { kind: 'IMAGE', image: 'shop:1', registryId: '@registry' },
      },
    },
    {
      body: {
        projectId: '@project',
        environmentId: '@environment',
        serverId: '@server',
        name: 'Mine',
        source: FROM_GIT,
      },
    },
  ],
  'GET /api/applications/:id/logs': [{ query: 'deploymentId=@application' }],
  'GET /api/applications/:id/logs/stream': [{ query: 'deploymentId=@application' }],
  'POST /api/applications/:id/exec': [{ body: { command: ['true'], previewId: '@preview' } }],
  'GET /api/applications/:id/stats/live': [{ query: 'previewId=@preview' }],
  'PATCH /api/applications/:id': [
    { body: { name: 'Taken over' } },
    { body: { source: { kind: 'IMAGE', image: 'shop:1', registryId: '@registry' } } },
    { body: { source: FROM_GIT } },
  ],
  'POST /api/applications/:id/duplicate': [{ body: { name: 'Mine', environmentId: '@environment' } }],
  'POST /api/applications/:id/transfer-project': [{ body: { projectId: '@project', environmentId: '@environment' } }],
  'POST /api/projects/:id/duplicate': [{ body: { name: 'Mine' } }],
  'POST /api/projects/:id/environments/:envId/promote-to/:dstEnvId': [{ body: { applicationIds: ['@application'] } }],
  'GET /api/deployments': [{ query: 'applicationId=@application' }],
  'POST /api/deployments': [{ body: { applicationId: '@application' } }],
  'POST /api/applications/:id/rollback': [{ body: { deploymentId: '@deployment' } }],
  'PATCH /api/applications/:id/files/compose': [{ body: { content: 'services: {web: {image: mine}}' } }],
  'PATCH /api/applications/:id/files/dockerfile': [{ body: { content: 'FROM mine' } }],
  'PATCH /api/applications/:id/auto-deploy': [{ body: { enabled: false } }],
  'PATCH /api/applications/:id/previews': [{ body: { limit: 1 } }, { body: { setId: '@envSet' } }],
  'PATCH /api/applications/:id/env': [{ body: { set: [{ name: 'SECRET', value: 'mine' }] } }],
  'POST /api/applications/:id/env-sets': [{ body: { name: 'mine' } }],
  'PATCH /api/applications/:id/env-sets/:setId': [{ body: { name: 'mine' } }],
  'PATCH /api/applications/:id/bind-ip': [{ body: { ip: null } }],
  'PATCH /api/applications/:id/outbound-ip': [{ body: { ip: null } }],
  'PATCH /api/applications/:id/url-mode': [{ body: { mode: 'PORT' } }],
  'PATCH /api/applications/:id/ports': [{ body: { ports: [{ id: '@hostPort', hostPort: 5_354 }] } }],
  'POST /api/applications/:id/host-ports': [{ body: { containerPort: 53, port: 5_355 } }],
  'GET /api/applications/next-free-port/:projectId': [{ query: 'serverId=@server' }],
  'GET /api/git-providers': [{ query: 'projectId=@project' }],
  'POST /api/git-providers': [
    {
      body: {
        kind: 'GENERIC',
        name: 'Mine',
        baseUrl: 'https://forge.example',
        token: 'a-token',
        projectId: '@project',
        repositories: ['ada/shop'],
      },
    },
  ],
  'POST /api/git-providers/oauth/hosted-git/device/start': [
    { body: { projectId: '@project', repositories: ['ada/shop'] } },
  ],
  'POST /api/git-providers/oauth/selfhosted-git/start': [
    {
      body: {
        kind: 'GITEA',
        baseUrl: 'https://forge.example',
        clientId: 'mine',
        clientSecret: 'mine',
        projectId: '@project',
        repositories: ['ada/shop'],
      },
    },
    {
      body: {
        kind: 'GITEA',
        baseUrl: 'https://forge.example',
        clientId: 'mine',
        clientSecret: 'mine',
        gitProviderId: '@gitProvider',
      },
    },
  ],
  'GET /api/git-providers/oauth/selfhosted-git/status': [{ query: 'flowId=@gitFlow' }],
  'POST /api/git-providers/oauth/hosted-git/device/poll': [{ body: { flowId: '@gitFlow' } }],
  'GET /api/git-providers/:id/tree': [{ query: 'repo=ada/shop' }],
  'GET /api/git-providers/:id/file': [{ query: 'repo=ada/shop&path=README.md' }],
  'GET /api/scheduled-deploys': [{ query: 'applicationId=@application' }],
  'POST /api/scheduled-deploys': [{ body: { applicationId: '@application', cron: '0 0 * * *' } }],
  'PATCH /api/scheduled-deploys/:id': [{ body: { enabled: false } }],
  'GET /api/git-providers/:id/detect': [{ query: 'repo=ada/shop' }],
  'GET /api/git-providers/:id/scan-monorepo': [{ query: 'repo=ada/shop' }],
  'PATCH /api/registries/:id': [{ body: { name: 'Taken over' } }],
  'POST /api/registries/:id/test': [{ body: { serverId: '@server' } }],
  'POST /api/admin/agents/update': [{ body: { serverId: '@server' } }],
  // A scan belongs to no tenant.
  'POST /api/admin/reaper/reap': [{ body: { scanId: '@server' } }],
  'PATCH /api/projects/:id/quota': [{ body: { members: 0 } }],
  'PATCH /api/projects/:id/resource-quota': [{ body: { members: 0 } }],
  'PATCH /api/projects/:id': [{ body: { name: 'Taken over' } }],
  'POST /api/projects/:id/transfer-ownership': [{ body: { memberId: '@member' } }],
  'POST /api/projects/:id/members': [
    { body: { userId: '@user' } },
    { body: { email: 'mine@panel.test', roleId: '@role', environmentIds: ['@environment'] } },
  ],
  'PATCH /api/projects/:id/members/:memberId': [{ body: { role: 'VIEWER', environmentIds: ['@environment'] } }],
  'PATCH /api/projects/:id/members/:memberId/custom-role': [{ body: { roleId: '@role' } }],
  'PUT /api/projects/:id/members/:memberId/grants': [{ body: { permissions: [], environmentIds: ['@environment'] } }],
  'POST /api/projects/:id/roles': [{ body: { name: 'Mine' } }],
  'PATCH /api/projects/:id/roles/:roleId': [{ body: { name: 'Mine' } }],
  'PUT /api/projects/:id/roles/:roleId/grants': [{ body: { permissions: [] } }],
  'POST /api/projects/:id/environments': [{ body: { name: 'mine' } }],
  'PATCH /api/projects/:id/environments/:envId': [{ body: { name: 'mine' } }],
  'GET /api/projects/:id/shared-env': [{ query: 'environmentId=@environment' }],
  'PUT /api/projects/:id/shared-env': [{ query: 'environmentId=@environment', body: { variables: [] } }],
  'POST /api/projects/:id/teams': [
    { body: { teamId: '@spareTeam', roleId: '@role', environmentIds: ['@environment'] } },
  ],
  'PATCH /api/teams/:id': [{ body: { name: 'Taken over' } }],
  'POST /api/teams/:id/members': [{ body: { userId: '@user' } }],
  'PATCH /api/admin/teams/:id': [{ body: { name: 'Taken over' } }],
  'POST /api/admin/teams/:id/members': [{ body: { userId: '@user' } }],
}

/**
 * A request with placeholders for its ids: path, query and body, one a line, such as
 * `/api/projects/@project/members` and `{"userId":"@user"}`.
 */
export interface MirrorRequest {
  readonly line: string
  readonly text: string
  /** `path.project`, `body.user` */
  readonly places: readonly string[]
  readonly where: string
}

export const ID_PLACEHOLDER = new RegExp(`@(${KINDS.toSorted((a, b) => b.length - a.length).join('|')})\\b`, 'g')

function kindOf({ line, path }: Route, name: string): Kind {
  const section = path.replace(/^\/api\/(admin\/)?/, '').split('/')[0]!
  const kind =
    BY_PATH[path] ?? (name === 'roleId' && section === 'projects' ? 'role' : (BY_NAME[name] ?? BY_SECTION[section]))
  if (kind === undefined) throw new Error(`What is :${name} of ${line}?`)
  return kind
}

const asksOf = (route: Route): MirrorRequest[] =>
  (EXTRA_INPUT[route.line] ?? [{}]).map(({ query, body }: More) => {
    const path = route.path.replaceAll(/:(\w+)/g, (_all, name: string) =>
      name === 'serverId' ? '@server' : (OF_ENGINE[route.path] ?? `@${kindOf(route, name)}`),
    )
    const parts = { path, query: query ?? '', body: body === undefined ? '' : JSON.stringify(body) }
    const places = Object.entries(parts).flatMap(([part, text]) =>
      [...text.matchAll(ID_PLACEHOLDER)].map(([, kind]) => `${part}.${kind}`),
    )
    const text = Object.values(parts).join('\n')
    return { line: route.line, text, places, where: places.join(', ') }
  })

export const mirrorRequests = tenantRoutes
  .filter(({ line }) => !ROUTES_WITHOUT_TENANT.includes(line))
  .flatMap(asksOf)
  .filter(({ places }) => places.length > 0)

/** The fields of query and body that are ids by their types. */
export function idFieldsOf({ query, body }: Route): string[] {
  return [query, body].flatMap((schema) => {
    if (!schema) return []
    const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
    return Object.entries(properties).flatMap(([name, field]) =>
      JSON.stringify(field).includes('"format":"uuid"') ? [name] : [],
    )
  })
}

export const sendsId = ({ query = '', body = {} }: More, name: string): boolean =>
  query.includes(`${name}=@`) || JSON.stringify((body as Record<string, unknown>)[name] ?? '').includes('@')
