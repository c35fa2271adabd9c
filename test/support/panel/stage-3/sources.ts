/** The routes of the sources of applications that are built. */
export const SOURCES: readonly string[] = [
  'GET /api/applications/:id/files/compose',
  'PATCH /api/applications/:id/files/compose',
  'GET /api/applications/:id/files/dockerfile',
  'PATCH /api/applications/:id/files/dockerfile',
  'GET /api/applications/:id/branches',
  'PATCH /api/applications/:id/auto-deploy',
  'GET /api/git-providers/:id/detect',
  'GET /api/git-providers/:id/scan-monorepo',
  'POST /api/git-providers/scan-monorepo-url',
]
