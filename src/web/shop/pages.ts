/** The pages of the shop, by path. */
import type { Pages } from '../page-spec.ts'

export const PAGES: Pages = {
  '/shop': { title: 'My licenses', page: 'licenses/list', section: '' },
  '/shop/account': { title: 'Account', page: 'account/account' },
}
