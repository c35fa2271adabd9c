/** The shop: customers. */
import { getShopLicenses, getShopPlans, getShopSubscriptions } from '#api-client/licensing/bare'
import { startSurface } from '../router/surface.tsx'
import { Doors } from './doors/doors.tsx'
import { PAGES } from './pages.ts'
import { CUSTOMER } from './realm.ts'

startSurface({
  title: 'Daybook shop',
  realm: CUSTOMER,
  pages: PAGES,
  records: [
    {
      operation: getShopLicenses,
      about: 'Licenses are found by their key ids and plans.',
      entryOf: ({ id, keyId, planSlug }: { id: string; keyId: string; planSlug: string }) => ({
        group: 'Licenses',
        title: keyId,
        detail: planSlug,
        also: id,
        to: `/shop/licenses/${id}`,
      }),
    },
    {
      operation: getShopSubscriptions,
      about: 'Subscriptions are found by their plans and ids.',
      entryOf: ({ id, planSlug }: { id: string; planSlug: string }) => ({
        group: 'Subscriptions',
        title: planSlug,
        also: id,
        to: `/shop/subscriptions/${id}`,
      }),
    },
  ],
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
