/** The panel: the people of an installation. */
import { lazy } from 'react'
import { startSurface } from '../router/surface.tsx'
import { SignInLinks } from './doors/sign-in-links.tsx'
import { LargerPlan } from './license/larger-plan.tsx'
import { PAGES } from './pages.ts'
import { USER } from './realm.ts'

startSurface({
  title: 'Daybook panel',
  realm: USER,
  pages: PAGES,
  live: () => import('./live.tsx'),
  doors: <SignInLinks />,
  banner: lazy(() => import('./license/banner.tsx')),
  largerPlan: <LargerPlan />,
  modules: import.meta.glob(['./*/*.tsx']),
})
