/** The pages of the panel, by path. */
import type { Pages } from '../page-spec.ts'

export const PAGES: Pages = {
  '/': { title: 'Home', page: 'home/home', section: '' },
  '/account': { title: 'Account', page: 'account/account' },
}
