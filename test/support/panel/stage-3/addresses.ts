/** The routes of "Applications" that say where an application is reached. */
export const ADDRESSES: readonly string[] = [
  'PATCH /api/applications/:id/bind-ip',
  'PATCH /api/applications/:id/outbound-ip',
  'PATCH /api/applications/:id/url-mode',
  'GET /api/applications/:id/ports',
  'PATCH /api/applications/:id/ports',
  'POST /api/applications/:id/host-ports',
  'DELETE /api/applications/:id/host-ports/:portId',
  'GET /api/applications/next-free-port/:projectId',
]
