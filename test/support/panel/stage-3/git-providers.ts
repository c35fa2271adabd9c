/** The routes of "Git and git providers" that are built. */
export const GIT_PROVIDERS: readonly string[] = [
  'GET /api/git/providers',
  'GET /api/git-providers',
  'POST /api/git-providers',
  'DELETE /api/git-providers/:id',
  'POST /api/git-providers/oauth/hosted-git/device/start',
  'POST /api/git-providers/oauth/hosted-git/device/poll',
  'GET /api/git-providers/oauth/hosted-git/status',
  'POST /api/git-providers/oauth/selfhosted-git/start',
  'GET /api/git-providers/oauth/selfhosted-git/status',
  'GET /api/git-providers/oauth/selfhosted-git/callback',
  'GET /api/git-providers/:id/repos',
  'GET /api/git-providers/:id/tree',
  'GET /api/git-providers/:id/file',
]
