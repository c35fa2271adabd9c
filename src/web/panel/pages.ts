/** The pages of the panel, by path. */
import type { Pages } from '../page-spec.ts'
import { ADMIN_PAGES } from './admin/pages.ts'

export const PAGES: Pages = {
  '/': { title: 'Projects', page: 'home/home', section: '', keys: 'g p' },
  '/account': { title: 'Account', page: 'account/account' },
  '/setup': { title: 'Setup', page: 'setup/setup', isPublic: true },
  '/register': { title: 'Create an account', page: 'doors/register', isPublic: true },
  '/verify-email': { title: 'Prove your address', page: 'doors/verify-email', isPublic: true },
  '/forgot-password': { title: 'Choose a new password', page: 'doors/forgot-password', isPublic: true },
  '/reset-password': { title: 'Choose your password', page: 'doors/reset-password', isPublic: true },
  ...ADMIN_PAGES,
}
