/** Operations that are open to people and have no page, with the reason. */

export const UNSHOWN: Readonly<Record<string, string>> = {
  'GET /api/admin/announcements/:id': 'The list on the page of settings shows the whole announcement.',
  'GET /api/admin/auth/set-password': 'The service shows this page itself: a mailed link leads to it.',
  'POST /api/admin/auth/set-password': 'The page of a one-time link, which the service shows itself, sends it.',
}
