import { section } from '#kernel/resource/section'
import { hostedRegistryTable, registryTable } from '#projections/panel/registries'
import { askedAsk } from '../agent/asks.ts'
import { registryViewers } from './audiences.ts'
import { registries } from './decider.ts'
import { hostedRegistries } from './plan.ts'
import { runRegistriesAgain } from './problems.ts'
import { eraseRegistry, removeProjectRegistries } from './reactions.ts'
import { registryRoutes } from './routes.ts'
import { askedLogin } from './secrets.ts'

export const registriesSection = section({
  name: 'registries',
  deciders: [registries],
  visibleTo: { registry: registryViewers },
  readModels: [registryTable, hostedRegistryTable],
  routes: registryRoutes,
  reactions: [removeProjectRegistries, eraseRegistry],
  timers: [runRegistriesAgain],
  declares: [askedAsk(askedLogin), hostedRegistries],
})
