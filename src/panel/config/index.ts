import { section } from '#kernel/resource/section'
import { config } from './decider.ts'
import { configEvents } from './events.ts'
import { deleteLastUses } from './reactions.ts'
import { configRoutes } from './routes.ts'

export const configSection = section({
  name: 'config',
  streams: [configEvents],
  deciders: [config],
  routes: configRoutes,
  timers: [deleteLastUses],
})
