/**
 * The expected access of every route, written by hand from the contract's table “Who may”. It is the one list
 * that repeats routes. What src/ declares must answer accordingly, cell by cell. The catalog decides which
 * routes keys open, and by which scope.
 */
import type { PlatformPermission } from '#panel/access/permissions'
import { HEALTH } from './catalog.ts'

/**
 * 'public': no credential. 'cookie': public to the gate, guarded by the refresh token. 'session': any
 * signed-in account. 'any admin': ADMIN or SUPERADMIN, without a permission. 'superadmin': the role alone.
 * 'stream': a token that is good once, or a session; 'stream in project …': one for its path. 'in project …', 'in team …': a rule about the named
 * object, which answers 404 to callers that cannot see it. 'on server …': the server that paths name has one rule, for
 * an account of its own. 'agent': the agent of a server. 'install': a token that installs one. 'signature': of the body, with a secret of what the path names. 'on task: view': the task that paths name runs on the server of
 * the first agent. 'on task: bytes': only that agent. Otherwise the needed platform permission.
 */
export type Needs =
  | 'public'
  | 'cookie'
  | 'session'
  | 'any admin'
  | 'superadmin'
  | 'stream'
  | `in project${string}`
  | `stream in project${string}`
  | `in team${string}`
  | `on server${string}`
  | 'on registry'
  | 'agent'
  | 'install'
  | 'agent or install'
  | 'signature'
  | 'on task: view'
  | 'on task: bytes'
  | PlatformPermission

export interface Row {
  readonly line: string
  readonly needs: Needs
}

/** The gate asks for no credential. */
export const isOpen = ({ needs }: Row): boolean => needs === 'public' || needs === 'cookie'
export const isPermission = (needs: Needs): needs is PlatformPermission => /^[a-z]+:(view|manage)$/.test(needs)

const rows = (needs: Needs, ...lines: string[]): Row[] => lines.map((line) => ({ line, needs }))

export const ACCESS: readonly Row[] = [
  // Auth
  ...rows(
    'public',
    'POST /api/auth/login',
    'POST /api/auth/register',
    'POST /api/auth/verify-email',
    'POST /api/auth/resend-verification',
    'POST /api/auth/forgot-password',
    'POST /api/auth/reset-password',
    'GET /api/auth/setup-status',
  ),
  ...rows('cookie', 'POST /api/auth/refresh', 'POST /api/auth/logout'),
  ...rows(
    'session',
    'GET /api/auth/me',
    'POST /api/auth/profile/avatar',
    'DELETE /api/auth/profile/avatar',
    'GET /api/auth/me/onboarding',
    'POST /api/auth/me/onboarding/complete',
    'PATCH /api/auth/profile',
    'POST /api/auth/change-password',
    'POST /api/auth/2fa/setup',
    'POST /api/auth/2fa/enable',
    'POST /api/auth/2fa/disable',
    'GET /api/auth/sessions',
    'DELETE /api/auth/sessions',
    'DELETE /api/auth/sessions/:id',
    'POST /api/auth/sse-token',
  ),
  // Users
  ...rows('users:view', 'GET /api/users', 'GET /api/users/:id', 'GET /api/admin/users', 'GET /api/admin/users/:id'),
  ...rows(
    'users:manage',
    'PATCH /api/users/:id',
    'DELETE /api/users/:id',
    'POST /api/admin/users',
    'DELETE /api/admin/users/:id',
    'PATCH /api/admin/users/:id/profile',
    'PATCH /api/admin/users/:id/role',
    'PATCH /api/admin/users/:id/status',
    'POST /api/admin/users/:id/avatar',
    'DELETE /api/admin/users/:id/avatar',
    'POST /api/admin/users/:id/reset-password',
  ),
  ...rows('superadmin', 'PATCH /api/admin/users/:id/admin-permissions', 'PATCH /api/admin/users/:id/admin-role'),
  ...rows(
    'session',
    'GET /api/users/me',
    'PATCH /api/users/me',
    'GET /api/users/me/notification-preferences',
    'PUT /api/users/me/notification-preferences',
    'GET /api/users/:id/avatar',
  ),
  // Admin roles and permissions
  ...rows(
    'superadmin',
    'GET /api/admin/roles',
    'POST /api/admin/roles',
    'PATCH /api/admin/roles/:roleId',
    'DELETE /api/admin/roles/:roleId',
  ),
  ...rows('any admin', 'GET /api/admin/permissions/catalog'),
  ...rows('session', 'GET /api/admin/permissions/me'),
  // API keys
  ...rows(
    'session',
    'GET /api/api-keys',
    'POST /api/api-keys',
    'GET /api/api-keys/scopes',
    'POST /api/api-keys/:id/revoke',
    'DELETE /api/api-keys/:id',
  ),
  ...rows('users:view', 'GET /api/admin/api-keys'),
  ...rows('users:manage', 'POST /api/admin/api-keys/:id/revoke', 'DELETE /api/admin/api-keys/:id'),
  // License
  ...rows('license:view', 'GET /api/admin/license'),
  ...rows(
    'license:manage',
    'POST /api/admin/license',
    'POST /api/admin/license/remove',
    'POST /api/admin/license/revalidate',
  ),
  // Audit logs
  ...rows('audit:view', 'GET /api/admin/audit-logs', 'GET /api/admin/audit-logs/actions'),
  // Notifications
  ...rows(
    'session',
    'GET /api/notifications',
    'GET /api/notifications/unread-count',
    'POST /api/notifications/read-all',
    'POST /api/notifications/:id/read',
    'DELETE /api/notifications',
    'DELETE /api/notifications/:id',
  ),
  // Events
  ...rows('stream', 'GET /api/events/stream'),
  // Settings, overview, health
  ...rows('settings:view', 'GET /api/admin/config', 'GET /api/admin/settings'),
  ...rows(
    'settings:manage',
    'PATCH /api/admin/config',
    'POST /api/admin/config/test-smtp',
    'PATCH /api/admin/settings/:key',
  ),
  ...rows('public', 'GET /api/settings/public', ...HEALTH),
  ...rows('system:view', 'GET /api/admin/overview', 'GET /api/admin/health'),
  // Projects
  ...rows('session', 'GET /api/projects', 'POST /api/projects', 'GET /api/projects/rbac-catalog'),
  ...rows('in project: settings:manage', 'PATCH /api/projects/:id'),
  ...rows(
    'in project: member',
    'GET /api/projects/:id',
    'GET /api/projects/:id/members',
    'GET /api/projects/:id/roles',
    'GET /api/projects/:id/usage',
    'GET /api/projects/:id/usage/history',
    'GET /api/projects/:id/mesh',
    'GET /api/projects/:id/my-permissions',
    'GET /api/projects/:id/my-role',
    'GET /api/projects/:id/roles/:roleId/grants',
    'GET /api/projects/:id/environments',
    'GET /api/projects/:id/shared-env',
  ),
  ...rows('projects:view', 'GET /api/admin/projects'),
  ...rows('projects:manage', 'POST /api/projects/:id/claim-ownership'),
  ...rows('in project: OWNER', 'DELETE /api/projects/:id', 'POST /api/projects/:id/transfer-ownership'),
  ...rows(
    'in project: members:manage',
    'POST /api/projects/:id/members',
    'PATCH /api/projects/:id/members/:memberId',
    'DELETE /api/projects/:id/members/:memberId',
  ),
  ...rows('in project: members:manage or self', 'GET /api/projects/:id/members/:memberId/grants'),
  ...rows('in project: own membership, not OWNER', 'DELETE /api/projects/:id/members/me'),
  ...rows(
    'in project: ADMIN+',
    'PATCH /api/projects/:id/members/:memberId/custom-role',
    'PUT /api/projects/:id/members/:memberId/grants',
    'POST /api/projects/:id/roles',
    'PATCH /api/projects/:id/roles/:roleId',
    'DELETE /api/projects/:id/roles/:roleId',
    'PUT /api/projects/:id/roles/:roleId/grants',
  ),
  ...rows(
    'in project: environments:manage',
    'POST /api/projects/:id/environments',
    'PATCH /api/projects/:id/environments/:envId',
    'DELETE /api/projects/:id/environments/:envId',
  ),
  ...rows('in project: apps:env', 'PUT /api/projects/:id/shared-env', 'DELETE /api/projects/:id/shared-env/:rowId'),
  ...rows(
    'in project: members:manage',
    'GET /api/projects/:id/teams',
    'POST /api/projects/:id/teams',
    'DELETE /api/projects/:id/teams/:teamId',
  ),
  // Teams
  ...rows('session', 'GET /api/teams', 'POST /api/teams'),
  ...rows('in team: member', 'GET /api/teams/:id'),
  ...rows(
    'in team: owner',
    'PATCH /api/teams/:id',
    'DELETE /api/teams/:id',
    'POST /api/teams/:id/members',
    'DELETE /api/teams/:id/members/:memberUserId',
  ),
  ...rows('users:view', 'GET /api/admin/teams', 'GET /api/admin/teams/:id'),
  ...rows(
    'users:manage',
    'PATCH /api/admin/teams/:id',
    'DELETE /api/admin/teams/:id',
    'POST /api/admin/teams/:id/members',
    'DELETE /api/admin/teams/:id/members/:memberUserId',
  ),
  // Quotas
  ...rows(
    'quotas:view',
    'GET /api/admin/quotas/defaults',
    'GET /api/admin/quotas/users/:id',
    'GET /api/projects/:id/resource-quota',
  ),
  ...rows(
    'quotas:manage',
    'PATCH /api/admin/quotas/defaults',
    'PATCH /api/admin/quotas/users/:id',
    'PATCH /api/projects/:id/quota',
    'PATCH /api/projects/:id/resource-quota',
  ),
  // Servers
  // Agent
  ...rows('install', 'GET /api/agent/install.sh', 'POST /api/agent/register'),
  ...rows('agent or install', 'GET /api/agent/binary'),
  ...rows(
    'agent',
    'POST /api/agent/poll',
    'POST /api/agent/heartbeat',
    'POST /api/agent/tasks/:id/progress',
    'POST /api/agent/tasks/:id/result',
    'POST /api/agent/transfers/:taskId/upload',
  ),
  ...rows('on task: view', 'GET /api/agent/tasks/:id'),
  ...rows('session', 'GET /api/servers/mine', 'GET /api/servers/my-allowance', 'GET /api/servers/local-public'),
  ...rows('servers:view', 'GET /api/servers/local', 'GET /api/servers/local/stats'),
  ...rows('on task: bytes', 'GET /api/agent/transfers/:taskId/download'),
  ...rows('servers:view', 'GET /api/servers', 'GET /api/admin/capacity'),
  ...rows(
    'servers:manage',
    'POST /api/servers',
    'POST /api/servers/local/install-agent',
    'POST /api/servers/local/setup',
    'DELETE /api/servers/:id',
    'GET /api/servers/:id/install-command',
    'POST /api/servers/:id/regen-token',
    'POST /api/servers/:id/reset',
  ),
  ...rows('on server: USE', 'GET /api/servers/:id'),
  ...rows('on server: view', 'GET /api/servers/:id/access'),
  ...rows(
    'on server: MANAGE',
    'PATCH /api/servers/:id',
    'POST /api/servers/:id/access',
    'PATCH /api/servers/:id/access/:ruleId',
    'DELETE /api/servers/:id/access/:ruleId',
  ),
  ...rows('servers:manage', 'POST /api/admin/agents/update'),
  // Container engine
  ...rows(
    'on server: view',
    'GET /api/engine/servers/:serverId/containers',
    'GET /api/engine/servers/:serverId/images',
    'GET /api/engine/servers/:serverId/networks',
    'GET /api/engine/servers/:serverId/volumes',
  ),
  ...rows(
    'on server: MANAGE',
    'POST /api/engine/servers/:serverId/containers/action',
    'DELETE /api/engine/servers/:serverId/images/:imageId',
    'DELETE /api/engine/servers/:serverId/networks/:id',
    'DELETE /api/engine/servers/:serverId/volumes/:name',
    'POST /api/engine/servers/:serverId/prune',
  ),
  // Reaper
  ...rows('servers:view', 'GET /api/admin/reaper/scan'),
  ...rows('servers:manage', 'POST /api/admin/reaper/reap'),
  // Container registries
  ...rows('registries:view', 'GET /api/registries'),
  // The body says where it is added.
  ...rows('session', 'POST /api/registries'),
  ...rows('on registry', 'PATCH /api/registries/:id', 'DELETE /api/registries/:id', 'POST /api/registries/:id/test'),
  // Applications
  ...rows('session', 'GET /api/applications'),
  // The body says where it is created.
  ...rows('session', 'POST /api/applications'),
  ...rows('in project: apps:view', 'GET /api/applications/:id'),
  ...rows('in project: apps:create', 'PATCH /api/applications/:id'),
  ...rows('in project: apps:delete', 'DELETE /api/applications/:id'),
  ...rows(
    'in project: apps:env',
    'GET /api/applications/:id/env',
    'PATCH /api/applications/:id/env',
    'GET /api/applications/:id/env-sets',
    'POST /api/applications/:id/env-sets',
    'GET /api/applications/:id/env-sets/:setId',
    'PATCH /api/applications/:id/env-sets/:setId',
    'DELETE /api/applications/:id/env-sets/:setId',
    'POST /api/applications/:id/env-sets/:setId/activate',
    'GET /api/applications/:id/files/compose',
    'GET /api/applications/:id/files/dockerfile',
  ),
  ...rows('in project: apps:logs', 'GET /api/applications/:id/logs'),
  ...rows('stream in project: apps:logs', 'GET /api/applications/:id/logs/stream'),
  ...rows('in project: apps:deploy, apps:env', 'POST /api/applications/:id/exec'),
  ...rows('in project: apps:view', 'GET /api/applications/:id/stats/live'),
  ...rows(
    'in project: apps:view',
    'GET /api/applications/:id/ports',
    'GET /api/applications/:id/scale',
    'GET /api/applications/:id/previews',
  ),
  ...rows('in project: apps:view', 'GET /api/projects/:id/shared-env/stale'),
  ...rows(
    'in project: apps:create',
    'PATCH /api/applications/:id/bind-ip',
    'PATCH /api/applications/:id/outbound-ip',
    'PATCH /api/applications/:id/url-mode',
    'PATCH /api/applications/:id/ports',
    'POST /api/applications/:id/host-ports',
    'DELETE /api/applications/:id/host-ports/:portId',
    'GET /api/applications/next-free-port/:projectId',
  ),
  ...rows(
    'in project: apps:deploy',
    'GET /api/applications/:id/webhook',
    'DELETE /api/applications/previews/:previewId',
  ),
  ...rows(
    'in project: apps:create',
    'POST /api/applications/:id/duplicate',
    'POST /api/applications/:id/webhook/rotate',
    'POST /api/applications/:id/webhook/install',
    'PATCH /api/applications/:id/previews',
  ),
  ...rows('in project: ADMIN+', 'POST /api/applications/:id/transfer-project', 'POST /api/projects/:id/duplicate'),
  ...rows('signature', 'POST /api/webhooks/applications/:id'),
  // Scheduled deployments. The body says which application is deployed.
  ...rows('session', 'GET /api/scheduled-deploys', 'POST /api/scheduled-deploys'),
  ...rows(
    'in project: apps:deploy',
    'PATCH /api/scheduled-deploys/:id',
    'DELETE /api/scheduled-deploys/:id',
    'POST /api/scheduled-deploys/:id/run',
  ),
  ...rows(
    'in project: apps:create',
    'PATCH /api/applications/:id/files/compose',
    'PATCH /api/applications/:id/files/dockerfile',
    'PATCH /api/applications/:id/auto-deploy',
  ),
  ...rows('in project: apps:deploy', 'GET /api/applications/:id/branches'),
  // Git and git providers
  ...rows('public', 'GET /api/git-providers/oauth/selfhosted-git/callback'),
  ...rows(
    'session',
    'GET /api/git/providers',
    'GET /api/git-providers',
    'POST /api/git-providers',
    'POST /api/git-providers/oauth/hosted-git/device/start',
    'POST /api/git-providers/oauth/hosted-git/device/poll',
    'GET /api/git-providers/oauth/hosted-git/status',
    'POST /api/git-providers/oauth/selfhosted-git/start',
    'GET /api/git-providers/oauth/selfhosted-git/status',
    // Of a provider that the caller has connected; others do not see it.
    'DELETE /api/git-providers/:id',
    'GET /api/git-providers/:id/repos',
    'GET /api/git-providers/:id/tree',
    'GET /api/git-providers/:id/file',
    'GET /api/git-providers/:id/detect',
    'GET /api/git-providers/:id/scan-monorepo',
    'POST /api/git-providers/scan-monorepo-url',
  ),
  // Deployments
  ...rows('session', 'GET /api/deployments'),
  // The body names the application.
  ...rows('session', 'POST /api/deployments'),
  ...rows(
    'in project: deployments:view',
    'GET /api/deployments/:id',
    'GET /api/applications/:id/deployments',
    'GET /api/applications/:id/deployments/:depId',
  ),
  ...rows(
    'in project: apps:deploy',
    'POST /api/applications/:id/deployments/:depId/cancel',
    'POST /api/applications/:id/redeploy',
    'POST /api/projects/:id/environments/:envId/promote-to/:dstEnvId',
    'POST /api/applications/:id/rollback',
  ),
  ...rows(
    'in project: apps:restart',
    'POST /api/applications/:id/restart',
    'POST /api/applications/:id/start',
    'POST /api/applications/:id/stop',
  ),
  // System
  ...rows('system:view', 'GET /api/system/updates', 'GET /api/system/updates/log'),
  ...rows('system:manage', 'POST /api/system/updates/check', 'POST /api/system/updates/apply'),
  // Quotas of servers
  ...rows('quotas:view', 'GET /api/admin/quotas/servers/:id'),
  ...rows('quotas:manage', 'PATCH /api/admin/quotas/servers/:id'),
]
