/** The panel: the people of an installation. */
import { getEventsStream } from '#api-client/panel'
import { startSurface } from '../router/surface.tsx'
import { PAGES } from './pages.ts'
import { USER } from './realm.ts'

startSurface({
  title: 'Daybook panel',
  realm: USER,
  pages: PAGES,
  feed: getEventsStream,
  modules: import.meta.glob(['./*/*.tsx']),
})
