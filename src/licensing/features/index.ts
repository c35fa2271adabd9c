import { section } from '#kernel/resource/section'
import { featureTable } from '#projections/licensing/features'
import { features } from './decider.ts'
import { featureEvents } from './events.ts'
import { featureRoutes } from './routes.ts'

export const featuresSection = section({
  name: 'features',
  streams: [featureEvents],
  deciders: [features],
  readModels: [featureTable],
  routes: featureRoutes,
})
