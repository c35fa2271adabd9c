/** The pages of a panel. Mailed links lead to verify-email and reset-password, the first start leads to setup. */
import type { Pages } from '../page-spec.ts'

export const PAGES: Pages = {
  '/': { title: 'Home', page: 'home' },
  '/setup': { title: 'Set up the panel', page: 'home', isPublic: true },
  '/verify-email': { title: 'Confirm your address', page: 'home', isPublic: true },
  '/reset-password': { title: 'Choose a new password', page: 'home', isPublic: true },
}
