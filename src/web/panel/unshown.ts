/** Operations that are open to people and have no page, with the reason. */

export const UNSHOWN: Readonly<Record<string, string>> = {
  'GET /api/users': 'The list of people uses GET /api/admin/users, which shows more.',
  'GET /api/users/:id': 'The page of a person uses GET /api/admin/users/:id, which shows more.',
  'PATCH /api/users/:id': 'The page of a person changes name, role and state by operations of their own.',
  'DELETE /api/users/:id': 'The page of a person erases by DELETE /api/admin/users/:id, which does the same.',
  'POST /api/admin/users/:id/avatar': 'A person chooses the photo on the account page; administrators remove it.',
  'GET /api/admin/permissions/catalog': 'The forms take the permissions from the operations that give them.',
  'GET /api/admin/permissions/me': 'The account of the session holds the permissions of the person.',
  'PATCH /api/users/me': 'The account page changes the name by PATCH /api/auth/profile, which does the same.',
  'PATCH /api/projects/:id/quota':
    'The overview of a project uses PATCH /api/projects/:id/resource-quota, which does the same.',
  'GET /api/projects/:id/roles/:roleId/grants': 'The list of roles holds the permissions of each.',
  'POST /api/auth/sse-token': 'The pages read the change feed with the header of the session.',
  'GET /api/servers/local-public': 'The lists of servers show the same of the panel’s own host.',
  'GET /api/servers/local/stats': 'The page of the server shows the figures of its newest heartbeat.',
  'GET /api/git-providers/:id/detect':
    'The form of a repository scans it, which finds the same in all its directories.',
  'GET /api/git-providers/oauth/selfhosted-git/status':
    'For programs; a browser is told by the page that it comes back to.',
  'GET /api/deployments': 'The pages of an application use GET /api/applications/:id/deployments.',
  'POST /api/deployments': 'The pages of an application use POST /api/applications/:id/redeploy, which does the same.',
  'GET /api/deployments/:id': 'The page of a deployment uses the operation that answers its log too.',
}
