/** The routes of the panel's second stage that are built, by the catalog's headings. */
export const STAGE_2: readonly string[] = [
  // Agent
  'POST /api/agent/register',
  'POST /api/agent/poll',
  'POST /api/agent/heartbeat',
  'GET /api/agent/tasks/:id',
  'POST /api/agent/tasks/:id/progress',
  'POST /api/agent/tasks/:id/result',
  'GET /api/agent/transfers/:taskId/download',
  'POST /api/agent/transfers/:taskId/upload',
  // Admin
  'GET /api/admin/capacity',
  'GET /api/admin/reaper/scan',
  'POST /api/admin/reaper/reap',
  // Container registries
  'GET /api/registries',
  'POST /api/registries',
  'PATCH /api/registries/:id',
  'DELETE /api/registries/:id',
  'POST /api/registries/:id/test',
  // Quotas
  'GET /api/admin/quotas/servers/:id',
  'PATCH /api/admin/quotas/servers/:id',
  // Servers
  'GET /api/servers',
  'POST /api/servers',
  'GET /api/servers/local',
  'GET /api/servers/local-public',
  'GET /api/servers/local/stats',
  'GET /api/servers/mine',
  'GET /api/servers/my-allowance',
  'GET /api/servers/:id',
  'PATCH /api/servers/:id',
  'DELETE /api/servers/:id',
  'GET /api/servers/:id/access',
  'POST /api/servers/:id/access',
  'PATCH /api/servers/:id/access/:ruleId',
  'DELETE /api/servers/:id/access/:ruleId',
  'GET /api/servers/:id/install-command',
  'POST /api/servers/:id/regen-token',
  'POST /api/servers/:id/reset',
  // System
  'GET /api/system/updates',
  'GET /api/system/updates/log',
  'POST /api/system/updates/check',
  'POST /api/system/updates/apply',
]
