/** The routes of deployments that are built. */
export const DEPLOYMENTS: readonly string[] = [
  'GET /api/applications/:id/deployments',
  'GET /api/applications/:id/deployments/:depId',
  'POST /api/applications/:id/deployments/:depId/cancel',
  'POST /api/applications/:id/redeploy',
  'POST /api/applications/:id/rollback',
  'POST /api/applications/:id/restart',
  'POST /api/applications/:id/start',
  'POST /api/applications/:id/stop',
  'GET /api/deployments',
  'POST /api/deployments',
  'GET /api/deployments/:id',
]
