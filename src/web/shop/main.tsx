/** The shop: customers. */
import { getShopPlans } from '#api-client/licensing'
import { startSurface } from '../router/surface.tsx'
import { Doors } from './doors/doors.tsx'
import { PAGES } from './pages.ts'
import { CUSTOMER } from './realm.ts'

startSurface({
  title: 'Daybook shop',
  realm: CUSTOMER,
  pages: PAGES,
  modules: import.meta.glob(['./*/*.tsx']),
  doors: <Doors />,
  pickers: {
    planSlug: {
      operation: getShopPlans,
      query: { limit: 100 },
      optionOf: ({ slug, name }: { slug: string; name: string }) => ({ value: slug, label: name }),
    },
  },
})
