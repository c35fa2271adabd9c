import { section } from '#kernel/resource/section'
import { holdersOf } from '../access/audiences.ts'
import { config } from './decider.ts'
import { deleteLastUses } from './reactions.ts'
import { configRoutes } from './routes.ts'

export const configSection = section({
  name: 'config',
  deciders: [config],
  visibleTo: { config: holdersOf('settings:view') },
  routes: configRoutes,
  timers: [deleteLastUses],
})
