/** The pages of staff. */
import type { Pages } from '../page-spec.ts'

export const PAGES: Pages = {
  '/console': { title: 'Overview', page: 'home' },
}
