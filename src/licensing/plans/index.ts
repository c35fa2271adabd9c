import { section } from '#kernel/resource/section'
import { planTable } from '#projections/licensing/plans'
import { plans } from './decider.ts'
import { planEvents } from './events.ts'
import { planRoutes } from './routes.ts'

export const plansSection = section({
  name: 'plans',
  streams: [planEvents],
  deciders: [plans],
  readModels: [planTable],
  routes: planRoutes,
})
