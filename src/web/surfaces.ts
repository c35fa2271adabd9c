/** The three sets of pages. It is data: browsers, the services and the build import it. */
import { PAGES as BACK_OFFICE_PAGES } from './back-office/pages.ts'
import type { Pages } from './page-spec.ts'
import { PAGES as PANEL_PAGES } from './panel/pages.ts'
import { PAGES as SHOP_PAGES } from './shop/pages.ts'

export interface Surface {
  readonly name: string
  /** The service that serves it. */
  readonly service: 'licensing' | 'panel'
  /** The path that its pages lie below. */
  readonly base: string
  /** The module that a browser starts with, below this folder. */
  readonly entry: string
  readonly title: string
  readonly pages: Pages
}

export const BACK_OFFICE: Surface = {
  name: 'back-office',
  service: 'licensing',
  base: '/console',
  entry: 'back-office/main.tsx',
  title: 'Daybook back office',
  pages: BACK_OFFICE_PAGES,
}

export const SHOP: Surface = {
  name: 'shop',
  service: 'licensing',
  base: '/shop',
  entry: 'shop/main.tsx',
  title: 'Daybook shop',
  pages: SHOP_PAGES,
}

export const PANEL: Surface = {
  name: 'panel',
  service: 'panel',
  base: '/',
  entry: 'panel/main.tsx',
  title: 'Daybook panel',
  pages: PANEL_PAGES,
}

export const SURFACES: readonly Surface[] = [BACK_OFFICE, SHOP, PANEL]
