/** The routes of applications as parts of their project: what they could take, what they share, and their copies. */
export const PROJECTS: readonly string[] = [
  'GET /api/applications/:id/scale',
  'POST /api/applications/:id/duplicate',
  'POST /api/applications/:id/transfer-project',
  'POST /api/projects/:id/duplicate',
  'GET /api/projects/:id/shared-env/stale',
  'GET /api/projects/:id/usage/history',
  'POST /api/projects/:id/environments/:envId/promote-to/:dstEnvId',
]
