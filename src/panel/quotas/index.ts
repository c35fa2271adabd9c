import { section } from '#kernel/resource/section'
import { projectQuotas, quotaDefaults, userQuotas } from './records.ts'
import { quotaRoutes } from './routes.ts'

export const quotasSection = section({
  name: 'quotas',
  deciders: [quotaDefaults, userQuotas, projectQuotas],
  routes: quotaRoutes,
})
