import { section } from '#kernel/resource/section'
import { gitProviderTable } from '#projections/panel/git-providers'
import { flowOwner, gitProviderViewers } from './audiences.ts'
import { gitProviders } from './decider.ts'
import { gitDetectionRoutes } from './detection/routes.ts'
import { gitFlows } from './flows/decider.ts'
import { gitFlowRoutes } from './flows/routes.ts'
import { selfHostedGitRoutes } from './flows/self-hosted-routes.ts'
import { removeProviders, renewTokens } from './reactions.ts'
import { gitProviderRoutes } from './routes.ts'

export const gitProvidersSection = section({
  name: 'git-providers',
  deciders: [gitProviders, gitFlows],
  visibleTo: { gitProvider: gitProviderViewers, gitFlow: flowOwner },
  readModels: [gitProviderTable],
  routes: [...gitFlowRoutes, ...selfHostedGitRoutes, ...gitDetectionRoutes, ...gitProviderRoutes],
  reactions: [removeProviders],
  timers: [renewTokens],
})
