/** The webhooks of applications, and "Scheduled deployments". */
export const WEBHOOKS: readonly string[] = [
  'GET /api/applications/:id/webhook',
  'POST /api/applications/:id/webhook/rotate',
  'POST /api/applications/:id/webhook/install',
  'POST /api/webhooks/applications/:id',
  'GET /api/scheduled-deploys',
  'POST /api/scheduled-deploys',
  'PATCH /api/scheduled-deploys/:id',
  'DELETE /api/scheduled-deploys/:id',
  'POST /api/scheduled-deploys/:id/run',
]
