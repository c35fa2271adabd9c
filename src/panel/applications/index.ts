import { section } from '#kernel/resource/section'
import { applicationTable } from '#projections/panel/applications'
import { applicationViewers, noAccount, variableViewers } from '../access/audiences.ts'
import { deployments } from '../workflows/request-deployment.ts'
import { applications } from './decider.ts'
import { applicationEnv } from './env/decider.ts'
import { applicationEnvRoutes } from './env/routes.ts'
import { eraseApplicationKeys, forgetOldDeliveries } from './reactions.ts'
import { applicationRoster } from './roster/decider.ts'
import { wholeApplicationRoutes } from './routes.ts'
import { applicationWebhookRoutes } from './webhook/routes.ts'

export const applicationsSection = section({
  name: 'applications',
  deciders: [applications, applicationEnv, applicationRoster, deployments],
  visibleTo: {
    application: applicationViewers,
    applicationEnv: variableViewers,
    applicationRoster: noAccount,
    deployment: applicationViewers,
  },
  readModels: [applicationTable],
  routes: [...wholeApplicationRoutes, ...applicationEnvRoutes, ...applicationWebhookRoutes],
  reactions: [eraseApplicationKeys],
  timers: [forgetOldDeliveries],
})
