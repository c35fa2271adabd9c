/** The pages of the panel, by path. */
import type { Pages } from '../page-spec.ts'
import { ADMIN_PAGES } from './admin/pages.ts'

export const PAGES: Pages = {
  '/': { title: 'Home', page: 'home/home', section: '' },
  '/account': { title: 'Account', page: 'account/account' },
  ...ADMIN_PAGES,
}
