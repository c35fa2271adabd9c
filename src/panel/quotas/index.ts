import { section } from '#kernel/resource/section'
import { serverQuotaTable } from '#projections/panel/quotas'
import { holdersOf } from '../access/audiences.ts'
import { projectQuotas, quotaDefaults, serverQuotas, userQuotas } from './records.ts'
import { quotaRoutes } from './routes.ts'

export const quotasSection = section({
  name: 'quotas',
  deciders: [quotaDefaults, userQuotas, projectQuotas, serverQuotas],
  visibleTo: {
    quotaDefaults: holdersOf('quotas:view'),
    userQuota: holdersOf('quotas:view'),
    projectQuota: holdersOf('quotas:view'),
    serverQuota: holdersOf('quotas:view'),
  },
  readModels: [serverQuotaTable],
  routes: quotaRoutes,
})
