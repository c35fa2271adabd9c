/** The routes of "Applications" that read what runs, and run commands in it. */
export const READS: readonly string[] = [
  'GET /api/applications/:id/logs',
  'GET /api/applications/:id/logs/stream',
  'POST /api/applications/:id/exec',
  'GET /api/applications/:id/stats/live',
]
