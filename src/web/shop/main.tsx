/** The shop: customers. */
import { startSurface } from '../router/surface.tsx'
import { PAGES } from './pages.ts'
import { CUSTOMER } from './realm.ts'

startSurface({
  title: 'Daybook shop',
  realm: CUSTOMER,
  pages: PAGES,
  modules: import.meta.glob(['./*/*.tsx']),
})
