import { section } from '#kernel/resource/section'
import { provisioningReplays } from './events.ts'
import { provisioningRoutes } from './routes.ts'

export const provisioningSection = section({
  name: 'provisioning',
  streams: [provisioningReplays],
  routes: provisioningRoutes,
})
