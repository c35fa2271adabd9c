import { section } from '#kernel/resource/section'
import { bulkTable } from '#projections/licensing/bulk'
import { bulk } from './decider.ts'
import { bulkEvents } from './events.ts'
import { holdersOfAction } from './permissions.ts'
import { bulkReactions, bulkTimers } from './reactions.ts'
import { bulkRoutes } from './routes.ts'

export const bulkSection = section({
  name: 'bulk',
  streams: [bulkEvents],
  visibleTo: { bulk: holdersOfAction },
  deciders: [bulk],
  readModels: [bulkTable],
  routes: bulkRoutes,
  reactions: bulkReactions,
  timers: bulkTimers,
})
