/** The webhooks and the previews of applications, and "Scheduled deployments". */
export const WEBHOOKS: readonly string[] = [
  'GET /api/applications/:id/webhook',
  'POST /api/applications/:id/webhook/rotate',
  'POST /api/applications/:id/webhook/install',
  'POST /api/webhooks/applications/:id',
  'GET /api/applications/:id/previews',
  'PATCH /api/applications/:id/previews',
  'DELETE /api/applications/previews/:previewId',
  'GET /api/scheduled-deploys',
  'POST /api/scheduled-deploys',
  'PATCH /api/scheduled-deploys/:id',
  'DELETE /api/scheduled-deploys/:id',
  'POST /api/scheduled-deploys/:id/run',
]
