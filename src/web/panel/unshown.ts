/** Operations that are open to people and have no page, with the reason. */

export const UNSHOWN: Readonly<Record<string, string>> = {
  'PATCH /api/users/me': 'The account page changes the name by PATCH /api/auth/profile, which does the same.',
  'PATCH /api/projects/:id/quota':
    'The overview of a project uses PATCH /api/projects/:id/resource-quota, which does the same.',
  'GET /api/projects/:id/roles/:roleId/grants': 'The list of roles holds the permissions of each.',
  'POST /api/auth/sse-token': 'The pages read the change feed with the header of the session.',
}
