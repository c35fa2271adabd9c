/** Operations that are open to people and have no page, with the reason. */

export const UNSHOWN: Readonly<Record<string, string>> = {
  'GET /api/admin/announcements/:id': 'The list on the page of settings shows the whole announcement.',
}
