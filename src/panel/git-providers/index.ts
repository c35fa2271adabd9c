import { section } from '#kernel/resource/section'
import { gitProviderTable } from '#projections/panel/git-providers'
import { gitProviderViewers } from './audiences.ts'
import { gitProviders } from './decider.ts'
import { removeProviders } from './reactions.ts'
import { gitProviderRoutes } from './routes.ts'

export const gitProvidersSection = section({
  name: 'git-providers',
  deciders: [gitProviders],
  visibleTo: { gitProvider: gitProviderViewers },
  readModels: [gitProviderTable],
  routes: gitProviderRoutes,
  reactions: [removeProviders],
})
