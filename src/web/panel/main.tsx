/** The panel: the people of an installation. */
import { getEventsStream } from '#api-client/panel'
import { startSurface } from '../router/surface.tsx'
import { SignInLinks } from './doors/sign-in-links.tsx'
import { LicenseBanner } from './license/banner.tsx'
import { PAGES } from './pages.ts'
import { USER } from './realm.ts'

startSurface({
  title: 'Daybook panel',
  realm: USER,
  pages: PAGES,
  feed: getEventsStream,
  doors: <SignInLinks />,
  banner: LicenseBanner,
  modules: import.meta.glob(['./*/*.tsx']),
})
