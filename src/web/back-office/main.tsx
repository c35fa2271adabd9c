/** The back office: staff of the installation. */
import { getAdminFeatures, getAdminPlans } from '#api-client/licensing/bare'
import { startSurface } from '../router/surface.tsx'
import { FactorDue } from './account/factor-due.tsx'
import { PAGES } from './pages.ts'
import { STAFF } from './realm.ts'
import { RECORDS } from './records/sources.ts'

startSurface({
  title: 'Daybook back office',
  realm: STAFF,
  pages: PAGES,
  banner: FactorDue,
  live: () => import('./live.tsx'),
  records: RECORDS,
  modules: import.meta.glob(['./*/*.tsx']),
  pickers: {
    planSlug: {
      operation: getAdminPlans,
      query: { limit: 100, active: true },
      optionOf: ({ slug, name }: { slug: string; name: string }) => ({ value: slug, label: `${name} (${slug})` }),
    },
    feature: {
      operation: getAdminFeatures,
      query: { limit: 100 },
      optionOf: ({ key, name }: { key: string; name: string }) => ({ value: key, label: name }),
    },
  },
})
