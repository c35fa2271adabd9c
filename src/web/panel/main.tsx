/** The panel: the people of an installation. */
import { lazy } from 'react'
import { getProjects, getServersMine, getTeams } from '#api-client/panel/bare'
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
  records: [
    {
      operation: getProjects,
      about: 'Projects are found by their names and ids.',
      entryOf: ({ id, name }: { id: string; name: string }) => ({
        group: 'Projects',
        title: name,
        also: id,
        to: `/projects/${id}`,
      }),
    },
    {
      operation: getTeams,
      about: 'Teams are found by their names and ids.',
      entryOf: ({ id, name }: { id: string; name: string }) => ({
        group: 'Teams',
        title: name,
        also: id,
        to: `/teams/${id}`,
      }),
    },
    {
      operation: getServersMine,
      about: 'Servers are found by their names and ids.',
      entryOf: ({ id, name }: { id: string; name: string }) => ({
        group: 'Servers',
        title: name,
        also: id,
        to: `/servers/${id}`,
      }),
    },
  ],
  modules: import.meta.glob(['./*/*.tsx']),
})
