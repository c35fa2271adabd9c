import { section } from '#kernel/resource/section'
import { holdersOf } from '../access/audiences.ts'
import { projectQuotas, quotaDefaults, userQuotas } from './records.ts'
import { quotaRoutes } from './routes.ts'

export const quotasSection = section({
  name: 'quotas',
  deciders: [quotaDefaults, userQuotas, projectQuotas],
  visibleTo: {
    quotaDefaults: holdersOf('quotas:view'),
    userQuota: holdersOf('quotas:view'),
    projectQuota: holdersOf('quotas:view'),
  },
  routes: quotaRoutes,
})
