import { section } from '#kernel/resource/section'
import { registryTable } from '#projections/panel/registries'
import { askedAsk } from '../agent/asks.ts'
import { registryViewers } from './audiences.ts'
import { registries } from './decider.ts'
import { eraseRegistry, removeProjectRegistries } from './reactions.ts'
import { registryRoutes } from './routes.ts'
import { askedLogin } from './secrets.ts'

export const registriesSection = section({
  name: 'registries',
  deciders: [registries],
  visibleTo: { registry: registryViewers },
  readModels: [registryTable],
  routes: registryRoutes,
  reactions: [removeProjectRegistries, eraseRegistry],
  declares: [askedAsk(askedLogin)],
})
