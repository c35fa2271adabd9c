/** The routes of applications as parts of their project: what they could take, what they share, and their copies. */
export const PROJECTS: readonly string[] = ['GET /api/applications/:id/scale', 'GET /api/projects/:id/shared-env/stale']
