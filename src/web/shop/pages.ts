/** The pages of customers. Mailed links lead to verify-email and reset-password. */
import type { Pages } from '../page-spec.ts'

export const PAGES: Pages = {
  '/shop': { title: 'Plans', page: 'home', isPublic: true },
  '/shop/verify-email': { title: 'Choose a password', page: 'home', isPublic: true },
  '/shop/reset-password': { title: 'Choose a new password', page: 'home', isPublic: true },
}
