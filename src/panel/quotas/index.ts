import { section } from '#kernel/resource/section'
import { projectQuotas, quotaDefaults, userQuotas } from './decider.ts'
import { projectQuotaEvents, quotaDefaultEvents, userQuotaEvents } from './events.ts'
import { quotaRoutes } from './routes.ts'

export const quotasSection = section({
  name: 'quotas',
  streams: [quotaDefaultEvents, userQuotaEvents, projectQuotaEvents],
  deciders: [quotaDefaults, userQuotas, projectQuotas],
  routes: quotaRoutes,
})
